/** State of a job, and what a person with the scope can do about it. */
import { useState } from 'preact/hooks';
import { cancelJob, retryJob } from '../../../../packages/client/src/operations';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { StatusBadge, type Tone } from '../../components/status-badge';
import { send } from '../../kernel/api-client';
import type { Problem } from '../../kernel/problem';
import { may, session } from '../../kernel/session';
import type { JobRow } from '../api-types';

export const jobStates = ['delayed', 'waiting', 'running', 'lost', 'done', 'dead', 'cancelled', 'dropped'] as const;

/** Pages spell it as the glossary does. */
export const jobStateName = (state: string): string => (state === 'cancelled' ? 'canceled' : state);

const tones: { readonly [state: string]: Tone } = { done: 'good', running: 'good', lost: 'warn', dead: 'bad' };

export const JobState = ({ job: { state, isCancelRequested } }: { readonly job: JobRow }) => (
  <>
    <StatusBadge tone={tones[state] ?? 'plain'}>{jobStateName(state)}</StatusBadge>
    {isCancelRequested && <div class="below">is being canceled</div>}
  </>
);

export const JobProgress = ({ job: { state, progress, position } }: { readonly job: JobRow }) => {
  // What a job reported last is of no use once it is done.
  if (progress !== null && state !== 'done')
    return (
      <>
        <progress value={progress.fraction} max={1} aria-label="Progress" /> {Math.round(progress.fraction * 100)} %
        {progress.detail !== '' && <div class="below">{progress.detail}</div>}
      </>
    );
  return position === null ? <span class="faint">—</span> : <>Number {position} in its queue</>;
};

type Verb = 'cancel' | 'retry';

const dialogs = {
  cancel: {
    title: 'Cancel the job?',
    act: 'Cancel the job',
    success: 'The job is being canceled.',
    text: 'Its work is not done unless you retry it.',
  },
  retry: {
    title: 'Try the job again?',
    act: 'Try again',
    success: 'The job is queued again.',
    text: 'It gets all its attempts again, without a deadline.',
  },
} as const;

const verbFor = ({ state, isCancelRequested }: JobRow): Verb | undefined => {
  if (state === 'dead' || state === 'cancelled') return 'retry';
  return ['delayed', 'waiting', 'running', 'lost'].includes(state) && !isCancelRequested ? 'cancel' : undefined;
};

const mayAct = (): boolean => {
  const { value } = session;
  return (value.kind === 'in' || value.kind === 'ended') && may(value.who, 'platform:write');
};

export const JobAction = ({ job, changed }: { readonly job: JobRow; readonly changed: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const verb = verbFor(job);
  if (verb === undefined || !mayAct()) return null;
  const { title, act, success, text } = dialogs[verb];
  const carryOut = async (): Promise<Problem | undefined> => {
    const answer = await send((verb === 'cancel' ? cancelJob : retryJob)({ jobId: job.jobId }));
    if (!answer.ok) return answer.problem;
    changed();
    return undefined;
  };
  return (
    <>
      <button type="button" class={verb === 'cancel' ? 'button danger' : 'button'} onClick={() => setOpen(true)}>
        {act}
      </button>
      {isOpen && (
        <ConfirmDialog
          title={title}
          act={act}
          keep={verb === 'cancel' ? 'Keep the job' : 'Cancel'}
          success={success}
          isDangerous={verb === 'cancel'}
          onAct={carryOut}
          close={() => setOpen(false)}
        >
          <p>
            Job <span class="mono">{job.jobId}</span> of <span class="mono">{job.queue}</span>. {text}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
};
