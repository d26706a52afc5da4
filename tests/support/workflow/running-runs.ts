/** Runs that begin, are canceled and are retried at random all the time, until a test ends it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunId } from '../../../domain/workflow/ids';
import { ends, type PatientTenant } from './patient-tenant';

export interface RunLoad {
  readonly runIds: () => readonly RunId[];
  /** How often each was done, and answered as done. */
  readonly done: Readonly<Record<'begun' | 'canceled' | 'retried', number>>;
  /** Ends, and fails if it failed. */
  readonly stop: () => Promise<void>;
}

export interface RunLoadOptions {
  /** At each call a number from 0 to 1. */
  readonly random: () => number;
  readonly branches: readonly string[];
  /** New runs wait while so many are active. */
  readonly mostActive: number;
}

const longestPauseMilliseconds = 600;

export const startRunLoad = (
  { begin, cancel, retry, runOf }: PatientTenant,
  { random, branches, mostActive }: RunLoadOptions,
): RunLoad => {
  const runIds: RunId[] = [];
  const active = new Set<RunId>();
  const done = { begun: 0, canceled: 0, retried: 0 };
  const ending = new AbortController();
  const isOver = (): boolean => ending.signal.aborted;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

  const beginOne = async (): Promise<void> => {
    const [runId] = await begin(pick(branches));
    if (runId === undefined) return;
    runIds.push(runId);
    active.add(runId);
    done.begun += 1;
  };
  const cancelOne = async (): Promise<void> => {
    const { status } = await cancel(pick([...active]));
    if (status < 300) done.canceled += 1;
  };
  const retryOne = async (): Promise<void> => {
    const runId = pick(runIds);
    const { status } = await retry(runId, random() < 0.5 ? 'all' : 'failed');
    if (status >= 300) return;
    active.add(runId);
    done.retried += 1;
  };
  const forgetEnded = async (): Promise<void> => {
    for (const runId of active) if (ends.has((await runOf(runId))?.status ?? '')) active.delete(runId);
  };
  const step = async (): Promise<void> => {
    const drawn = random();
    if (drawn < 0.08 && active.size > 0) return cancelOne();
    if (drawn < 0.2 && runIds.length > 0) return retryOne();
    if (active.size < mostActive) return beginOne();
    return forgetEnded();
  };
  const running = (async () => {
    while (!isOver()) {
      await step();
      await sleep(random() * longestPauseMilliseconds);
    }
  })();
  running.catch(() => undefined);
  return {
    runIds: () => runIds,
    done,
    stop: async () => {
      ending.abort();
      await running;
    },
  };
};
