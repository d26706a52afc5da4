/** Dialog that names something: a new folder or group, or a new name of a file, folder or group. */
import { useState } from 'preact/hooks';
import type { CommandRequest } from '../../../../packages/client/src/operations';
import { TextField } from '../../components/form-fields';
import { FormDialog } from '../../identity/shared/form-dialog';

interface Props<Content> {
  readonly title: string;
  readonly act: string;
  readonly success: string;
  readonly name?: string;
  readonly maxLength?: number;
  /** Of the field that the name is in, as the server calls it. */
  readonly pointer?: string;
  readonly command: (name: string) => CommandRequest<Content>;
  readonly onDone: (content: Content) => void;
  readonly close: () => void;
}

export function NameDialog<Content>({
  title,
  act,
  success,
  name: before = '',
  maxLength = 200,
  pointer = '/body/name',
  command,
  onDone,
  close,
}: Props<Content>) {
  const [name, setName] = useState(before);
  return (
    <FormDialog
      title={title}
      act={act}
      success={success}
      command={() => command(name.trim())}
      onDone={onDone}
      close={close}
      fields={{ texts: { [pointer]: 'Must be one line, without control characters.' } }}
    >
      {(faultAt) => (
        <TextField
          label="Name"
          value={name}
          onType={setName}
          maxLength={maxLength}
          isRequired
          fault={faultAt(pointer)}
        />
      )}
    </FormDialog>
  );
}
