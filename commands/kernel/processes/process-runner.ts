/** Keeps one process running on the instance that holds its lease, from the last checkpoint. */
import { isLeft } from 'fp-ts/Either';
import { backoffMilliseconds, pause } from '../../../infra/server/runtime/backoff';
import { acquireAndRenew, type RenewedLease } from './lease-renewal';
import type { BoundProcess } from './process-binding';
import type { ProcessRun, ProcessRunDeps, SessionEnd } from './process-session';
import { openTracker, type ProcessStatus } from './process-status';
import { runSession } from './run-session';
import { readSkipped } from './skipped-events';

export interface RunningProcess {
  readonly status: () => ProcessStatus;
  /** Waits for reactions in flight; the next run does the rest. */
  readonly close: () => Promise<void>;
}

const standbyMilliseconds = 500;
const stoppedMilliseconds = 5_000;
const purgeMilliseconds = 60_000;

/** Start position; undefined while checkpoints or the log are unavailable. */
const loadStart = async (
  { deps, process }: ProcessRun,
  token: number,
): Promise<{ position: bigint | null } | undefined> => {
  const { checkpoints, store } = deps;
  const known = await checkpoints.load(process.name);
  if (isLeft(known)) return undefined;
  if (known.right !== undefined) return { position: known.right };
  const head = process.startFrom === 'first-run' ? await store.head() : undefined;
  if (head !== undefined && isLeft(head)) return undefined;
  const position = head?.right ?? null;
  const saved = await checkpoints.save(process.name, position, token);
  return isLeft(saved) || !saved.right ? undefined : { position };
};

const purgeTimers = async ({ deps, process }: ProcessRun, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await pause(purgeMilliseconds, signal);
    const known = await deps.checkpoints.load(process.name);
    if (!isLeft(known) && typeof known.right === 'bigint') await deps.timers.purge(process.name, known.right);
  }
};

const runUnderLease = async (processRun: ProcessRun, lease: RenewedLease): Promise<SessionEnd> => {
  const over = new AbortController();
  const purging = purgeTimers(processRun, AbortSignal.any([processRun.signal, over.signal]));
  try {
    const [start, skipped] = await Promise.all([
      loadStart(processRun, lease.token),
      readSkipped(processRun.deps.store),
    ]);
    if (start === undefined || isLeft(skipped)) return 'interrupted';
    return await runSession(processRun, lease, { ...start, skipped: skipped.right });
  } finally {
    over.abort();
    await purging;
  }
};

const runOnce = async (processRun: ProcessRun): Promise<'standby' | SessionEnd> => {
  const { deps, process, signal, tracker } = processRun;
  const acquired = await acquireAndRenew(deps.leases, `process.${process.name}`, deps.leaseMilliseconds ?? 10_000);
  if (isLeft(acquired)) return 'interrupted';
  const lease = acquired.right;
  if (lease === undefined) {
    if (tracker.status().phase !== 'stopped') tracker.phase('standby');
    await pause(standbyMilliseconds * (0.5 + Math.random()), signal);
    return 'standby';
  }
  try {
    return await runUnderLease(processRun, lease);
  } finally {
    await lease.release();
  }
};

const keepRunning = async (processRun: ProcessRun): Promise<void> => {
  const { deps, process, signal, tracker } = processRun;
  for (let attempt = 0; !signal.aborted; ) {
    const end = await runOnce(processRun).catch((error: unknown): SessionEnd => {
      deps.log.warn({ error, process: process.name }, 'process was interrupted; it continues');
      return 'interrupted';
    });
    attempt = end === 'interrupted' ? attempt + 1 : 0;
    if (end === 'interrupted') tracker.phase('waiting', 'A store does not answer right now.');
    if (end === 'interrupted') await pause(backoffMilliseconds(attempt), signal);
    // Fixed code is deployed as a new process; after an outage of a store this one continues.
    if (end === 'stopped') await pause(stoppedMilliseconds, signal);
  }
};

export const runProcess = (process: BoundProcess, deps: ProcessRunDeps): RunningProcess => {
  const draining = new AbortController();
  const tracker = openTracker(process.name, deps);
  const done = keepRunning({ deps, process, tracker, signal: draining.signal });
  return {
    status: tracker.status,
    close: async () => {
      draining.abort();
      await done;
    },
  };
};
