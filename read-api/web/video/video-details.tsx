/** The description of a video, and for its owner the form of its title and description. */
import { useState } from 'preact/hooks';
import { describeVideo } from '../../../packages/client/src/operations';
import type { Video } from '../../../packages/client/src/schemas';
import { TextField } from '../components/form-fields';
import { ProblemMessage } from '../components/problem-message';
import { hasScope } from '../kernel/permissions';
import type { Problem } from '../kernel/problem';
import { showToast } from '../kernel/toasts';
import { useUnsavedInput } from '../kernel/unsaved-input';
import { useCommand } from '../kernel/use-command';
import { useFirstField } from '../kernel/use-first-field';
import { mayManage } from './may-manage';

const titleLength = 200;
const descriptionLength = 2_000;

interface FormProps {
  readonly video: Video;
  readonly onDone: () => void;
  readonly close: () => void;
}

const DetailsForm = ({ video, onDone, close }: FormProps) => {
  const [title, setTitle] = useState(video.title ?? '');
  const [description, setDescription] = useState(video.description ?? '');
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const form = useFirstField<HTMLFormElement>();
  const send = useCommand();
  useUnsavedInput(title !== (video.title ?? '') || description !== (video.description ?? ''));
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const body = { title: title.trim(), description: description.trim() };
    const answer = await send(describeVideo({ videoId: video.videoId, body }));
    setBusy(false);
    if (!answer.ok) return setProblem(answer.problem);
    showToast('The title and the description are saved.');
    close();
    return onDone();
  };
  return (
    <form
      ref={form}
      class="form wide-form video-details"
      aria-label="Title and description"
      onSubmit={(event) => void submit(event)}
    >
      <TextField label="Title" value={title} onType={setTitle} maxLength={titleLength} isRequired />
      <TextField
        label="Description"
        value={description}
        onType={setDescription}
        maxLength={descriptionLength}
        rows={5}
      />
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <div class="actions">
        <button type="submit" class="button primary" disabled={title.trim() === ''}>
          Save
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
};

interface Props {
  readonly video: Video;
  readonly onDone: () => void;
}

export const VideoDetails = ({ video, onDone }: Props) => {
  const [isOpen, setOpen] = useState(false);
  const mayChange = mayManage(video) && hasScope('videos:write');
  if (isOpen) return <DetailsForm {...{ video, onDone }} close={() => setOpen(false)} />;
  return (
    <>
      {video.description !== null && <p class="video-description">{video.description}</p>}
      {mayChange && (
        <p>
          <button type="button" class="button small" onClick={() => setOpen(true)}>
            {video.description === null ? 'Change the title, or add a description' : 'Change the title and description'}
          </button>
        </p>
      )}
    </>
  );
};
