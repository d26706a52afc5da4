/** Statuses in words. */
import type { RunRefusal, RunStatus } from '../../../packages/client/src/schemas';
import { StatusBadge, type Tone } from '../components/status-badge';

const labels: { readonly [status in RunStatus]: { readonly label: string; readonly tone: Tone } } = {
  queued: { label: 'queued', tone: 'plain' },
  waiting_for_runner: { label: 'waiting for a runner', tone: 'warn' },
  in_progress: { label: 'in progress', tone: 'plain' },
  canceling: { label: 'canceling', tone: 'warn' },
  canceled: { label: 'canceled', tone: 'plain' },
  success: { label: 'success', tone: 'good' },
  failure: { label: 'failure', tone: 'bad' },
  timed_out: { label: 'timed out', tone: 'bad' },
  skipped: { label: 'skipped', tone: 'plain' },
};

export const RunState = ({ status }: { readonly status: RunStatus }) => (
  <StatusBadge tone={labels[status].tone}>{labels[status].label}</StatusBadge>
);

/** A run that has begun is in progress, also while all that is left of it waits for a runner. */
export const statusOfRun = (status: RunStatus, waitsForRunner: boolean): RunStatus =>
  waitsForRunner ? 'waiting_for_runner' : status;

/** Of a run with its jobs. */
export const isIdle = (jobs: readonly { readonly status: RunStatus }[]): boolean =>
  jobs.some(({ status }) => status === 'waiting_for_runner') &&
  !jobs.some(({ status }) => status === 'in_progress' || status === 'canceling');

/** Why a run did not begin. */
export const refusals: { readonly [reason in RunRefusal]: string } = {
  quota_exceeded: 'The run did not start: this month’s minutes on managed runners are used up.',
};

/** Of jobs: what runners report. Other reasons are sentences. */
const jobReasons: { readonly [reason: string]: string } = {
  exit_code: 'A step failed.',
  step_failed: 'A step could not be run.',
  step_timed_out: 'A step took longer than its timeout.',
  timed_out: 'The job took longer than its timeout.',
  expression: 'An expression of the job could not be evaluated.',
  outputs: 'The outputs of the job could not be evaluated.',
  log_buffer_exceeded: 'The runner could not send the log as fast as it was written.',
  sandbox_unavailable: 'The runner could not make a sandbox.',
};
export const jobReasonOf = (reason: string): string => jobReasons[reason] ?? reason;

export const statusOptions = [
  { value: '', label: 'Any' },
  ...Object.entries(labels).map(([value, { label }]) => ({ value, label })),
];

const active: readonly RunStatus[] = ['queued', 'waiting_for_runner', 'in_progress', 'canceling'];
export const isActive = (status: RunStatus): boolean => active.includes(status);

/** What `Retry failed jobs` begins again. */
const failed: readonly RunStatus[] = ['failure', 'timed_out', 'canceled'];
export const isFailed = (status: RunStatus): boolean => failed.includes(status);
