/** Statuses in words. */
import type { RunStatus } from '../../../packages/client/src/schemas';
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

export const statusOptions = [
  { value: '', label: 'Any' },
  ...Object.entries(labels).map(([value, { label }]) => ({ value, label })),
];

const active: readonly RunStatus[] = ['queued', 'waiting_for_runner', 'in_progress', 'canceling'];
export const isActive = (status: RunStatus): boolean => active.includes(status);

/** What `Retry failed jobs` begins again. */
const failed: readonly RunStatus[] = ['failure', 'timed_out', 'canceled'];
export const isFailed = (status: RunStatus): boolean => failed.includes(status);
