/** Moves logs of ended attempts out of rows, removes expired ones, and ends those whose end was missed. Every copy of the service does it. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { LogLocation, LogStoreFault } from '../../../infra/ports/workflow/log-store';
import { pause } from '../../../infra/server/runtime/backoff';
import { trackOutage } from '../../../infra/server/runtime/outage';
import type { WorkflowAdapters } from '../adapters';
import { isAttemptOver, statusesIn } from './run-statuses';

const everyMilliseconds = 60_000;

export interface LogRetentionDeps extends Pick<WorkflowAdapters, 'logs' | 'logRetention' | 'log' | 'signal'> {
  readonly runs: Pick<WorkflowAdapters['runs'], 'load'>;
}

const outageMessages = {
  failing: 'a log could not be moved or removed; it is tried again',
  recovered: 'logs are moved and removed again',
};

interface Handled {
  readonly count: number;
  /** Leaves the others for the next time. */
  readonly fault?: LogStoreFault;
}

/** Until there is none to handle. */
const handleAll = async (
  { signal }: LogRetentionDeps,
  handle: () => Promise<Either<LogStoreFault, LogLocation | undefined>>,
): Promise<Handled> => {
  for (let count = 0; ; count += 1) {
    if (signal.aborted) return { count };
    const one = await handle();
    if (isLeft(one)) return { count, fault: one.left };
    if (one.right === undefined) return { count };
  }
};

/** The service was away when the attempt ended, and the log had no reader since. */
const endMissed = async ({ logRetention, logs, runs }: LogRetentionDeps) => {
  const open = await logRetention.findOpen();
  if (isLeft(open) || open.right === undefined) return open;
  const loaded = await runs.load(open.right);
  if (isLeft(loaded)) return open;
  const statuses = statusesIn(loaded.right, open.right.jobId);
  const isOver = statuses === undefined || isAttemptOver(statuses, open.right.attempt);
  if (isOver) await logs.end(open.right, null);
  return open;
};

export const retainLogsOnce = async (
  deps: LogRetentionDeps,
  outage = trackOutage(deps.log, outageMessages),
): Promise<void> => {
  const { logRetention, log } = deps;
  const ended = await handleAll(deps, () => endMissed(deps));
  const compacted = await handleAll(deps, logRetention.compact);
  const expired = await handleAll(deps, logRetention.expire);
  const fault = ended.fault ?? compacted.fault ?? expired.fault;
  if (fault === undefined) outage.recovered();
  else outage.failed({ detail: fault.detail });
  const counts = { compacted: compacted.count, expired: expired.count };
  if (counts.compacted + counts.expired > 0) log.info(counts, 'logs were moved to object storage, or have expired');
};

export const retainLogs = async (deps: LogRetentionDeps): Promise<void> => {
  const outage = trackOutage(deps.log, outageMessages);
  while (!deps.signal.aborted) {
    await retainLogsOnce(deps, outage);
    await pause(everyMilliseconds, deps.signal);
  }
};
