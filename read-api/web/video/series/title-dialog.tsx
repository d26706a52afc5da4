/** Dialog for the title of a series. */
import { useState } from 'preact/hooks';
import type { CommandRequest } from '../../../../packages/client/src/operations';
import { TextField } from '../../components/form-fields';
import { FormDialog } from '../../identity/shared/form-dialog';

const maxLength = 200;

interface Props {
  readonly heading: string;
  readonly act: string;
  readonly success: string;
  readonly title: string;
  readonly command: (title: string) => CommandRequest<unknown>;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const TitleDialog = ({ heading, act, success, title: first, command, onDone, close }: Props) => {
  const [title, setTitle] = useState(first);
  return (
    <FormDialog<unknown>
      title={heading}
      act={act}
      isReady={title.trim() !== ''}
      success={success}
      command={() => command(title.trim())}
      onDone={onDone}
      close={close}
    >
      <TextField label="Title" value={title} onType={setTitle} maxLength={maxLength} isRequired />
    </FormDialog>
  );
};
