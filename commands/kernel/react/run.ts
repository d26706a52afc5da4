/** Keeps one process answering the log: by the one copy that holds its lease, from where the last one came to. */
import { isLeft } from 'fp-ts/Either';
import { backoffMilliseconds, pause } from '../../../infra/backoff';
import type { BoundProcess } from './bound';
import { follow } from './follow';
import { type HeldLease, keepLease } from './keep-lease';
import type { RunDeps, Running } from './running';
import { readSkipped } from './skips';
import { openTracker, type ProcessStatus } from './status';
import type { End } from './turn';

export interface RunningProcess {
  readonly status: () => ProcessStatus;
  /** Attempts under way are finished, the rest is left to the next run. */
  readonly close: () => Promise<void>;
}

const standbyMilliseconds = 500;
const stoppedMilliseconds = 5_000;
const purgeMilliseconds = 60_000;

/** Where to go on from; undefined when it cannot be told right now. */
const startOf = async ({ deps, process }: Running, token: number): Promise<{ position: bigint | null } | undefined> => {
  const { checkpoints, store } = deps;
  const known = await checkpoints.load(process.name);
  if (isLeft(known)) return undefined;
  if (known.right !== undefined) return { position: known.right };
  const head = process.begins === 'first-run' ? await store.head() : undefined;
  if (head !== undefined && isLeft(head)) return undefined;
  const position = head?.right ?? null;
  const saved = await checkpoints.save(process.name, position, token);
  return isLeft(saved) || !saved.right ? undefined : { position };
};

const purge = async ({ deps, process }: Running, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await pause(purgeMilliseconds, signal);
    const known = await deps.checkpoints.load(process.name);
    if (!isLeft(known) && typeof known.right === 'bigint') await deps.timers.purge(process.name, known.right);
  }
};

const turn = async (running: Running, lease: HeldLease): Promise<End> => {
  const over = new AbortController();
  const purging = purge(running, AbortSignal.any([running.signal, over.signal]));
  try {
    const [start, skipped] = await Promise.all([startOf(running, lease.token), readSkipped(running.deps.store)]);
    if (start === undefined || isLeft(skipped)) return 'interrupted';
    return await follow(running, lease, { ...start, skipped: skipped.right });
  } finally {
    over.abort();
    await purging;
  }
};

const takeTurn = async (running: Running): Promise<'standby' | End> => {
  const { deps, process, signal, tracker } = running;
  const asked = await keepLease(deps.leases, `process.${process.name}`, deps.leaseMilliseconds ?? 10_000);
  if (isLeft(asked)) return 'interrupted';
  const lease = asked.right;
  if (lease === undefined) {
    if (tracker.status().phase !== 'stopped') tracker.phase('standby');
    await pause(standbyMilliseconds * (0.5 + Math.random()), signal);
    return 'standby';
  }
  try {
    return await turn(running, lease);
  } finally {
    await lease.release();
  }
};

const keepRunning = async (running: Running): Promise<void> => {
  const { deps, process, signal, tracker } = running;
  for (let attempt = 0; !signal.aborted; ) {
    const end = await takeTurn(running).catch((error: unknown): End => {
      deps.log.warn({ error, process: process.name }, 'process was interrupted; it goes on');
      return 'interrupted';
    });
    attempt = end === 'interrupted' ? attempt + 1 : 0;
    if (end === 'interrupted') tracker.phase('waiting', 'A store does not answer right now.');
    if (end === 'interrupted') await pause(backoffMilliseconds(attempt), signal);
    // A repaired process is deployed anew; one whose stores were repaired goes on by itself.
    if (end === 'stopped') await pause(stoppedMilliseconds, signal);
  }
};

export const runProcess = (process: BoundProcess, deps: RunDeps): RunningProcess => {
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
