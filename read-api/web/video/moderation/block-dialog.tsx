/** Dialog by which an administrator blocks the sound of a video. */
import { useState } from 'preact/hooks';
import { blockRecording } from '../../../../packages/client/src/operations';
import { TextField } from '../../components/form-fields';
import { FormDialog } from '../../identity/shared/form-dialog';
import { navigate } from '../../kernel/router';
import { blockedRecordingsPath } from '../paths';

interface Props {
  readonly videoId: string;
  readonly title: string;
  readonly close: () => void;
}

export const BlockDialog = ({ videoId, title, close }: Props) => {
  const [name, setName] = useState(title);
  return (
    <FormDialog<unknown>
      title="Block its sound"
      act="Block"
      isReady={name.trim() !== ''}
      success="The recording is blocked."
      command={() => blockRecording({ body: { videoId, name: name.trim() } })}
      onDone={() => navigate(blockedRecordingsPath)}
      close={close}
    >
      <p>
        Videos that are processed from then on and have it in their sound, also cut or noisy, fail. This one and those
        that are ready stay.
      </p>
      <TextField label="Name of the recording" value={name} onType={setName} maxLength={200} isRequired />
    </FormDialog>
  );
};
