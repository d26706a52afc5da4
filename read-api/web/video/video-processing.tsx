/** The processing of a video, step by step: what is done, what is worked on, and why the rest waits or failed. */
import { useEffect, useState } from 'preact/hooks';
import { getVideoProcessing, retryVideo } from '../../../packages/client/src/operations';
import type { Video, VideoProcessing, VideoStep } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { ProblemMessage } from '../components/problem-message';
import { StatusBadge, type Tone } from '../components/status-badge';
import { Timestamp } from '../components/timestamp';
import { hasScope, isMe } from '../kernel/permissions';
import type { Problem } from '../kernel/problem';
import { showToast } from '../kernel/toasts';
import { useCommand } from '../kernel/use-command';
import { useResource } from '../kernel/use-resource';
import { NewGeneration } from './new-generation';
import { ReplaceFilm } from './upload/replace-film';

const activeMilliseconds = 2_000;
const quietMilliseconds = 15_000;

const stageNames: { readonly [Stage in VideoStep['stage']]: string } = {
  probe: 'Source',
  remux: 'Picture as it is',
  transcode: 'Picture',
  audio: 'Sound',
  sprite: 'Thumbnails',
  captions: 'Captions',
  fingerprint: 'Protected works',
  publish: 'Publication',
};

const states: { readonly [State in VideoStep['state']]: { readonly tone: Tone; readonly text: string } } = {
  done: { tone: 'good', text: 'done' },
  working: { tone: 'plain', text: 'in work' },
  waiting: { tone: 'warn', text: 'waits' },
  failed: { tone: 'bad', text: 'failed' },
};

/** Pictures are named by their sizes: `Picture 360p, 720p`. One that is played as it is has the source's own. */
const nameOf = ({ stage, renditions }: VideoStep): string => {
  if (stage === 'remux') return stageNames.remux;
  const sizes = renditions.map(({ resolution, codec }) => (codec === 'h264' ? resolution : `${resolution} ${codec}`));
  return [stageNames[stage], sizes.join(', ')].filter((part) => part !== '').join(' ');
};

const Step = ({ step }: { readonly step: VideoStep }) => {
  const { tone, text } = states[step.state];
  const name = nameOf(step);
  const { progressPercent } = step;
  return (
    <li class="stage">
      <span class="stage-name">{name}</span>
      <StatusBadge tone={tone}>{text}</StatusBadge>
      <span class="stage-note">
        {step.reason}
        {progressPercent !== undefined && step.state !== 'done' && (
          <>
            <progress max={100} value={progressPercent} aria-label={name} /> {progressPercent} %
          </>
        )}
      </span>
    </li>
  );
};

interface RetryProps {
  readonly videoId: string;
  readonly onDone: () => void;
}

const Retry = ({ videoId, onDone }: RetryProps) => {
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const retry = async (): Promise<void> => {
    const answer = await send(retryVideo({ videoId }));
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    showToast('The video is processed again; what was made of it is kept.');
    onDone();
  };
  return (
    <div class="actions retry">
      <button type="button" class="button small" onClick={() => void retry()}>
        Process again
      </button>
      {problem !== undefined && <ProblemMessage problem={problem} />}
    </div>
  );
};

/** Of the newest generation; an earlier one may be played meanwhile. */
const summaryOf = ({
  generation,
  generationStatus,
  playedGeneration,
  playableAt,
  failure,
}: VideoProcessing): string => {
  const isEarlierPlayed = playedGeneration > 0 && playedGeneration < generation;
  if (failure !== null) {
    const detail = `${stageNames[failure.stage]}: ${failure.detail}`;
    return isEarlierPlayed ? `What played before plays on, for the new version failed. ${detail}` : detail;
  }
  if (generationStatus === 'ready') return 'Everything is done.';
  if (isEarlierPlayed) return 'A new version is made of it; until that is whole, what played before plays on.';
  return playableAt === null ? 'Nothing can be played yet.' : 'It can be played already.';
};

/** Not of a source that nothing can be made of. */
const mayEncodeAgain = ({ generationStatus, playedGeneration, isRetriable }: VideoProcessing): boolean =>
  generationStatus !== 'processing' && (playedGeneration > 0 || isRetriable);

const Summary = ({ processing }: { readonly processing: VideoProcessing }) => (
  <p class="stage-summary" role="status">
    {summaryOf(processing)}
    {processing.playableAt !== null && (
      <>
        {' '}
        The first picture could be played <Timestamp at={processing.playableAt} />.
      </>
    )}
  </p>
);

interface Props {
  readonly video: Video;
  /** Its state is another one. */
  readonly onChange: () => void;
}

export const VideoProcessingSteps = ({ video, onChange }: Props) => {
  const { videoId, ownerId } = video;
  const [isActive, setActive] = useState(true);
  const processing = useResource(getVideoProcessing({ videoId }), {
    everyMilliseconds: isActive ? activeMilliseconds : quietMilliseconds,
  });
  const status = processing.content?.generationStatus;
  const isPlayable = processing.content?.playableAt != null;
  useEffect(() => {
    if (status === undefined) return;
    setActive(status === 'processing');
    onChange();
  }, [status, isPlayable]);
  const follow = (): void => {
    setActive(true);
    processing.reload();
  };
  return (
    <section class="section" aria-label="Processing">
      <h2>Processing</h2>
      <AsyncContent source={processing} rows={4}>
        {(found) => (
          <>
            <Summary processing={found} />
            <ol class="stages" aria-label="Steps">
              {found.steps.map((step) => (
                <Step key={nameOf(step)} step={step} />
              ))}
            </ol>
            {found.matchOverride !== undefined && (
              <p class="help">
                The match with a blocked recording was overridden
                {found.matchOverride.reason === null ? '.' : `: ${found.matchOverride.reason}`}
              </p>
            )}
            {found.isRetriable && hasScope('videos:write') && <Retry videoId={videoId} onDone={follow} />}
            {hasScope('videos:write') && mayEncodeAgain(found) && (
              <NewGeneration videoId={videoId} offered={found.codecs} onDone={follow} />
            )}
            {hasScope('videos:write') && isMe(ownerId) && (
              <ReplaceFilm video={video} processing={found} onUploaded={follow} onAborted={processing.reload} />
            )}
          </>
        )}
      </AsyncContent>
    </section>
  );
};
