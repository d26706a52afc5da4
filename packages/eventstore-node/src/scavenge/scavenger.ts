/** Runs scavenges, one at a time. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readUnfinishedScavenge, type UnfinishedScavenge } from '../storage/scavenge-state';
import type { Write } from '../storage/writer';
import { createReclaimedSpace, type ReclaimedSpace, type ScavengeStore, scavenge } from './scavenge';
import {
  type CompletedScavenge,
  formatTimeSpan,
  type ScavengeResult,
  writeCompleted,
  writeInterrupted,
  writeStarted,
} from './scavenge-history';

export interface StartedScavenge {
  readonly scavengeId: string;
  /** False if the scavenge was already running. */
  readonly isNew: boolean;
  /** Undefined if the node stopped first. */
  readonly over: Promise<CompletedScavenge | undefined>;
}

export interface Scavenger {
  /** Resolves when the start is recorded; rejects if the disk refuses. */
  readonly start: () => Promise<StartedScavenge>;
  /** Resolves with the id after the scavenge ended; undefined if it is not running. `current` means any. */
  readonly stop: (scavengeId: string) => Promise<string | undefined>;
  /** When the node stops: nothing more is written. */
  readonly abandon: () => void;
}

interface RunningScavenge {
  readonly unfinished: UnfinishedScavenge;
  readonly abort: AbortController;
  readonly started: Promise<void>;
  over: Promise<CompletedScavenge | undefined>;
}

export interface ScavengerOptions extends ScavengeStore {
  readonly nodeEndpoint: () => string;
  readonly report: (error: unknown) => void;
}

const writeOrThrow = async <Result>({ writer }: ScavengeStore, write: Write<Result>): Promise<Result> => {
  const outcome = await writer.write<{ readonly result: Result }>((transaction) => ({ result: write(transaction) }));
  if ('kind' in outcome) throw new Error(outcome.reason);
  return outcome.result;
};

const resultOf = (
  error: unknown,
  stopped: boolean,
  reclaimed: ReclaimedSpace,
): Pick<ScavengeResult, 'result' | 'error'> => {
  if (error !== undefined) return { result: 'Errored', error: error instanceof Error ? error.message : String(error) };
  if (reclaimed.damagedAt !== undefined)
    return { result: 'Errored', error: `The record at position ${reclaimed.damagedAt} is damaged.` };
  return { result: stopped ? 'Stopped' : 'Success', error: null };
};

const maxAttempts = 5;
const retryMilliseconds = 1_000;

/** Retries, because clients wait for the completion in the log and a full disk may recover. */
const recordCompletion = async (
  options: ScavengerOptions,
  signal: AbortSignal,
  write: Write<CompletedScavenge>,
): Promise<CompletedScavenge | undefined> => {
  for (let attempt = 1; signal.reason !== 'abandoned'; attempt += 1) {
    try {
      return await writeOrThrow(options, write);
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      await sleep(retryMilliseconds);
    }
  }
  return undefined;
};

/** Returns the completion, if it is to be recorded. */
const runScavenge = async (
  options: ScavengerOptions,
  { unfinished: mark, abort }: RunningScavenge,
): Promise<CompletedScavenge | undefined> => {
  const began = performance.now();
  const reclaimed = createReclaimedSpace();
  const failure: unknown = await scavenge(options, reclaimed, abort.signal).then(
    () => undefined,
    (error: unknown) => error ?? new Error('failed'),
  );
  if (failure !== undefined) options.report(failure);
  if (abort.signal.reason === 'abandoned') return undefined;
  const ended: ScavengeResult = {
    ...resultOf(failure, abort.signal.aborted, reclaimed),
    timeTaken: formatTimeSpan(performance.now() - began),
    spaceSaved: reclaimed.bytes,
    eventsRemoved: reclaimed.events,
  };
  return recordCompletion(options, abort.signal, writeCompleted(mark, ended));
};

export const createScavenger = (options: ScavengerOptions): Scavenger => {
  let running: RunningScavenge | undefined;
  if (readUnfinishedScavenge(options.storage.tables) !== undefined)
    writeOrThrow(options, writeInterrupted).catch(options.report);

  const begin = (): RunningScavenge => {
    const mark = { scavengeId: randomUUID(), nodeEndpoint: options.nodeEndpoint(), started: Date.now() };
    const started = writeOrThrow(options, writeStarted(mark));
    const next: RunningScavenge = {
      unfinished: mark,
      abort: new AbortController(),
      started,
      over: Promise.resolve(undefined),
    };
    next.over = started
      .then(() => runScavenge(options, next))
      .catch((error: unknown) => {
        options.report(error);
        return undefined;
      })
      .finally(() => {
        running = undefined;
      });
    return next;
  };
  return {
    start: async () => {
      const isNew = running === undefined;
      const current = running ?? begin();
      running = current;
      await current.started;
      return { scavengeId: current.unfinished.scavengeId, isNew, over: current.over };
    },
    stop: async (scavengeId) => {
      const current = running;
      if (current === undefined || (scavengeId !== 'current' && scavengeId !== current.unfinished.scavengeId))
        return undefined;
      current.abort.abort('stopped');
      await current.over;
      return current.unfinished.scavengeId;
    },
    abandon: () => running?.abort.abort('abandoned'),
  };
};
