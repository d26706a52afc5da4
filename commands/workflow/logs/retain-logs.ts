/** Moves logs of ended attempts out of rows, removes expired ones, and ends those whose end was missed. Every copy of the service does it. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { LogLocation, LogStoreFault } from '../../../infra/ports/workflow/log-store';
import { pause } from '../../../infra/runtime/backoff';
import type { WorkflowPlatform } from '../platform';
import { isAttemptOver, type RunStatuses } from './run-statuses';

const everyMilliseconds = 60_000;

export interface LogRetentionDeps extends Pick<WorkflowPlatform, 'logs' | 'logRetention' | 'log' | 'signal'> {
  readonly statuses: RunStatuses;
}

/** Until there is none to handle; answers how many. A fault leaves the others for the next time. */
const handleAll = async (
  { log, signal }: LogRetentionDeps,
  handle: () => Promise<Either<LogStoreFault, LogLocation | undefined>>,
): Promise<number> => {
  for (let handled = 0; ; handled += 1) {
    if (signal.aborted) return handled;
    const one = await handle();
    if (isLeft(one)) log.warn({ detail: one.left.detail }, 'a log could not be moved or removed; it is tried again');
    if (isLeft(one) || one.right === undefined) return handled;
  }
};

/** The service was away when the attempt ended, and nobody has looked at the log since. */
const endMissed = async ({ logRetention, logs, statuses }: LogRetentionDeps) => {
  const open = await logRetention.findOpen();
  if (isLeft(open) || open.right === undefined) return open;
  const found = await statuses.of(open.right);
  if (isLeft(found)) return open;
  const isOver = found.right === undefined || isAttemptOver(found.right, open.right.attempt);
  if (isOver) await logs.end(open.right, null);
  return open;
};

export const retainLogsOnce = async (deps: LogRetentionDeps): Promise<void> => {
  const { logRetention, log } = deps;
  await handleAll(deps, () => endMissed(deps));
  const compacted = await handleAll(deps, logRetention.compact);
  const expired = await handleAll(deps, logRetention.expire);
  if (compacted + expired > 0) log.info({ compacted, expired }, 'logs were moved to object storage, or have expired');
};

export const retainLogs = async (deps: LogRetentionDeps): Promise<void> => {
  while (!deps.signal.aborted) {
    await retainLogsOnce(deps);
    await pause(everyMilliseconds, deps.signal);
  }
};
