/** Has a video encoded again, also with another codec. What plays goes on until the new generation is ready. */
import { useState } from 'preact/hooks';
import { startVideoGeneration } from '../../../packages/client/src/operations';
import type { VideoCodec } from '../../../packages/client/src/schemas';
import { ChoiceField, type Option } from '../components/form-fields';
import { ProblemMessage } from '../components/problem-message';
import type { Problem } from '../kernel/problem';
import { showToast } from '../kernel/toasts';
import { useCommand } from '../kernel/use-command';

const codecs: readonly Option<VideoCodec>[] = [
  { value: 'h264', label: 'H.264, for every browser' },
  { value: 'h265', label: 'H.264 and H.265' },
  { value: 'av1', label: 'H.264 and AV1' },
];

interface Props {
  readonly videoId: string;
  readonly offered: readonly VideoCodec[];
  readonly onDone: () => void;
}

export const NewGeneration = ({ videoId, offered, onDone }: Props) => {
  const [codec, setCodec] = useState<VideoCodec>('h264');
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const start = async (): Promise<void> => {
    const answer = await send(startVideoGeneration({ videoId, body: { codec } }));
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    showToast('The video is encoded again; until then it plays as before.');
    onDone();
  };
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <ChoiceField
          label="Codecs"
          value={codec}
          options={codecs.filter(({ value }) => offered.includes(value))}
          onChoose={setCodec}
        />
        <button type="submit" class="button">
          Encode again
        </button>
      </form>
      {problem !== undefined && <ProblemMessage problem={problem} />}
    </>
  );
};
