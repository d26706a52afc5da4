/** Dialog that aborts an upload. */
import { abortVideoUpload } from '../../../../packages/client/src/operations';
import type { Video } from '../../../../packages/client/src/schemas';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { useCommand } from '../../kernel/use-command';

interface Props {
  readonly video: Video;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const AbortDialog = ({ video: { videoId, title }, onDone, close }: Props) => {
  const send = useCommand();
  const abort = async () => {
    const answer = await send(abortVideoUpload({ videoId }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title="Abort the upload?"
      act="Abort"
      keep="Keep it"
      isDangerous
      success="The upload was aborted."
      onAct={abort}
      close={close}
    >
      <p>
        What has arrived of {title ?? 'the video'} is removed. The same file can be uploaded again from its beginning.
      </p>
    </ConfirmDialog>
  );
};
