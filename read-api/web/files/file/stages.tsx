/** The processing of a version: how far it is, stage by stage, and why it waits or failed. */
import { useEffect, useState } from 'preact/hooks';
import { getFileStatus, retryFile } from '../../../../packages/client/src/operations';
import type { FileProcessing, FileStage } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ProblemMessage } from '../../components/problem-message';
import { Timestamp } from '../../components/timestamp';
import { countOf, numberOf } from '../../kernel/format';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { FileState, isRetriable, isSettled, remedyFor, StageState, stageName } from '../labels';
import { BrokenOff } from '../upload/broken-off';

const processingMilliseconds = 1_000;
const quietMilliseconds = 15_000;

const countNames: { readonly [name in FileStage['name']]?: string } = {
  text_extraction: 'passage',
  ocr: 'page',
  chunking: 'chunk',
  embedding: 'vector',
};

/** Why it waits is its reason. */
const Wait = ({ stage: { queuePosition, nextTryAt } }: { readonly stage: FileStage }) => (
  <>
    {queuePosition !== undefined && `Number ${numberOf(queuePosition)} in the queue. `}
    {nextTryAt !== undefined && (
      <>
        Next try <Timestamp at={nextTryAt} />.{' '}
      </>
    )}
  </>
);

/** Where trying at once may help: it failed, or waits. */
const mayRetry = ({ errorCode, stages }: FileProcessing): boolean =>
  (errorCode !== null && isRetriable(errorCode)) ||
  stages.some((one) => one.waitsFor !== undefined || (one.status !== 'READY' && one.attempt > 0));

interface RetryProps {
  readonly processing: FileProcessing;
  readonly onDone: () => void;
}

const RetryNow = ({ processing: { fileId, versionId }, onDone }: RetryProps) => {
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const retry = async (): Promise<void> => {
    const answer = await send(retryFile({ fileId, body: { versionId } }));
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    showToast('It is tried again now.');
    onDone();
  };
  return (
    <>
      <button type="button" class="button small" onClick={() => void retry()}>
        Retry now
      </button>
      {problem !== undefined && <ProblemMessage problem={problem} />}
    </>
  );
};

const nothingFor = (name: FileStage['name']): string =>
  name === 'ocr' ? 'There is no picture or scanned page in it.' : 'It has no sound, or it has subtitles.';

const Stage = ({ stage }: { readonly stage: FileStage }) => {
  const { name, reason, attempt, count, status, skipped } = stage;
  const counted = countNames[name];
  return (
    <li class="stage">
      <span class="stage-name">{stageName(name)}</span>
      <StageState stage={stage} />
      <span class="stage-note">
        {skipped === 'not_needed' && nothingFor(name)}
        {status === 'READY' && counted !== undefined && count !== null && count > 0 && countOf(count, counted)}
        {attempt > 0 &&
          status !== 'READY' &&
          `Put off ${attempt === 1 ? 'once' : `${attempt} times`}, tried again by itself. `}
        <Wait stage={stage} />
        {reason}
      </span>
    </li>
  );
};

const Progress = ({ processing }: { readonly processing: FileProcessing }) => {
  const { fileId, status, progressPercent, versionNumber, reason, errorCode, stages } = processing;
  return (
    <>
      <p class="stage-summary" role="status">
        Version {versionNumber}: <FileState status={status} />
        {reason !== null && ` ${reason}`}
      </p>
      {errorCode !== null && status === 'FAILED' && <p class="notice warn">{remedyFor(errorCode)}</p>}
      {status === 'UPLOADING' && <BrokenOff fileId={fileId} />}
      {!isSettled(status) && progressPercent !== undefined && (
        <progress max={100} value={progressPercent} aria-label="Processing" />
      )}
      <ol class="stages" aria-label="Stages">
        {stages.map((stage) => (
          <Stage key={stage.name} stage={stage} />
        ))}
      </ol>
    </>
  );
};

interface Props {
  readonly fileId: string;
  /** Left out: of the version that answers or, until one does, of the newest. */
  readonly versionId?: string;
  readonly mayChange: boolean;
  /** It is ready, or failed. */
  readonly onSettled: () => void;
}

export const Processing = ({ fileId, versionId, mayChange, onSettled }: Props) => {
  const [isBusy, setBusy] = useState(true);
  const status = useResource(getFileStatus({ fileId, ...(versionId === undefined ? {} : { versionId }) }), {
    everyMilliseconds: isBusy ? processingMilliseconds : quietMilliseconds,
  });
  const isProcessing = status.content !== undefined && !isSettled(status.content.status);
  const statusVersion = status.content?.versionId;
  const state = status.content?.status;
  useEffect(() => {
    if (state === undefined) return;
    setBusy(isProcessing);
    onSettled();
  }, [statusVersion, state]);
  return (
    <section class="section" aria-label="Processing">
      <h2>Processing</h2>
      <AsyncContent source={status} rows={4}>
        {(processing) => (
          <>
            <Progress processing={processing} />
            {mayChange && mayRetry(processing) && (
              <div class="actions retry">
                <RetryNow processing={processing} onDone={status.reload} />
              </div>
            )}
          </>
        )}
      </AsyncContent>
    </section>
  );
};
