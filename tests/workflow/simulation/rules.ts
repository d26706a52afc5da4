/** What must hold of every simulated history, besides the rules of one run. */
import { isLeft } from 'fp-ts/Either';
import { parseStreamName } from '../../../domain/kernel/ids';
import type { JobId } from '../../../domain/workflow/ids';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import type { RunEvent } from '../../../domain/workflow/run/events';
import { isActive, type RunState } from '../../../domain/workflow/run/state';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { brokenRunRules } from '../../support/workflow/runs';
import { differingStatuses } from '../../support/workflow/view-statuses';
import type { ConfirmedEnd } from './runner';

const decoded = ({ type, data }: StoredEvent): RunEvent => {
  const event = runDecider.family.decode(type, data);
  if (isLeft(event)) throw new Error(`${type} cannot be decoded`);
  return event.right;
};

/** Nothing begins that was not assigned, and nothing is reported by another runner's lease. */
const brokenLeases = (history: readonly RunEvent[]): readonly string[] => {
  const broken: string[] = [];
  const assigned = new Map<JobId, number>();
  for (const event of history) {
    if (event.type === 'JobAssigned') assigned.set(event.data.jobId, event.data.epoch);
    if (event.type === 'JobStarted' && assigned.get(event.data.jobId) !== event.data.epoch)
      broken.push(`${event.data.jobId} began under epoch ${event.data.epoch}, which was not assigned`);
  }
  return broken;
};

const missingEnds = (histories: readonly RunEvent[], confirmed: readonly ConfirmedEnd[]): readonly string[] =>
  confirmed
    .filter(
      ({ jobId, epoch, result }) =>
        !histories.some(
          (event) =>
            event.type === 'JobCompleted' &&
            event.data.jobId === jobId &&
            event.data.epoch === epoch &&
            event.data.result === result,
        ),
    )
    .map(({ jobId, epoch }) => `the end of ${jobId} under epoch ${epoch} was confirmed and is not in the log`);

export interface HistoryFacts {
  readonly log: readonly StoredEvent[];
  readonly confirmed: readonly ConfirmedEnd[];
  /** Jobs that may run at once, by tenant. */
  readonly concurrentJobs: ReadonlyMap<string, number>;
}

/** Empty when every rule holds. */
export const brokenRules = async ({ log, confirmed, concurrentJobs }: HistoryFacts): Promise<readonly string[]> => {
  const broken: string[] = [];
  const histories = new Map<string, RunEvent[]>();
  const states = new Map<string, RunState>();
  for (const stored of log.filter(({ stream }) => stream.startsWith('workflow.run-'))) {
    const { stream } = stored;
    const event = decoded(stored);
    histories.set(stream, [...(histories.get(stream) ?? []), event]);
    states.set(stream, runDecider.evolve(states.get(stream) ?? runDecider.initial, event));
    if (event.type !== 'JobAssigned') continue;
    const tenant = parseStreamName(stream)?.tenant ?? '';
    const active = [...states].flatMap(([name, state]) =>
      state.kind === 'run' && parseStreamName(name)?.tenant === tenant ? [...state.jobs.values()].filter(isActive) : [],
    );
    if (active.length > (concurrentJobs.get(tenant) ?? 0))
      broken.push(`${active.length} jobs of ${tenant} are assigned at position ${stored.position}`);
  }
  for (const [stream, history] of histories) {
    const tenant = parseStreamName(stream)?.tenant ?? '';
    const ofRun = log.filter((stored) => stored.stream === stream);
    const differing = await differingStatuses(history, ofRun, tenant);
    for (const rule of [...brokenRunRules(history), ...brokenLeases(history), ...differing])
      broken.push(`${stream}: ${rule}`);
  }
  return [...broken, ...missingEnds([...histories.values()].flat(), confirmed)];
};
