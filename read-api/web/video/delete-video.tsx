/** Deletes one video, after a question. */
import { useState } from 'preact/hooks';
import { deleteVideo } from '../../../packages/client/src/operations';
import { ConfirmDialog } from '../components/confirm-dialog';
import { navigate } from '../kernel/router';
import { useCommand } from '../kernel/use-command';
import { videosPath } from './paths';

interface Props {
  readonly videoId: string;
  readonly title: string;
}

export const DeleteVideo = ({ videoId, title }: Props) => {
  const [isAsked, setAsked] = useState(false);
  const send = useCommand();
  const carryOut = async () => {
    const answer = await send(deleteVideo({ videoId }));
    if (!answer.ok) return answer.problem;
    navigate(videosPath);
    return undefined;
  };
  return (
    <>
      <button type="button" class="button danger" onClick={() => setAsked(true)}>
        Delete
      </button>
      {isAsked && (
        <ConfirmDialog
          title="Delete the video for ever?"
          act="Delete for ever"
          isDangerous
          success="The video is deleted."
          onAct={carryOut}
          close={() => setAsked(false)}
        >
          <p>
            <strong>{title}</strong>, with its source and all that was made of it. No viewer can play it, and it cannot
            be brought back.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
};
