/** Runs scavenges, one at a time. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Unfinished, unfinishedIn } from '../storage/marks';
import type { Write } from '../storage/writer';
import { nothingSaved, type Saved, type Store, scavenge } from './scavenge';
import {
  type Completed,
  type Ended,
  timeSpan,
  writeCompleted,
  writeInterrupted,
  writeStarted,
} from './scavenge-events';

export interface Started {
  readonly scavengeId: string;
  /** False: this one was running already. */
  readonly isNew: boolean;
  /** Undefined when the node ended first. */
  readonly over: Promise<Completed | undefined>;
}

export interface Scavenger {
  /** Resolves when the log says that it has started; rejects when the disk refuses. */
  readonly start: () => Promise<Started>;
  /** Resolves with its id when it is over; undefined: no such scavenge runs. `current` is any. */
  readonly stop: (scavengeId: string) => Promise<string | undefined>;
  /** At the node's end: nothing more is written. */
  readonly abandon: () => void;
}

interface Running {
  readonly mark: Unfinished;
  readonly abort: AbortController;
  readonly started: Promise<void>;
  over: Promise<Completed | undefined>;
}

export interface ScavengerOptions extends Store {
  readonly nodeEndpoint: () => string;
  readonly report: (error: unknown) => void;
}

const writeOrThrow = async <Result>({ writer }: Store, write: Write<Result>): Promise<Result> => {
  const outcome = await writer.write<{ readonly result: Result }>((transaction) => ({ result: write(transaction) }));
  if ('kind' in outcome) throw new Error(outcome.reason);
  return outcome.result;
};

const endedBy = (error: unknown, stopped: boolean, saved: Saved): Pick<Ended, 'result' | 'error'> => {
  if (error !== undefined) return { result: 'Errored', error: error instanceof Error ? error.message : String(error) };
  if (saved.damagedAt !== undefined)
    return { result: 'Errored', error: `The record at position ${saved.damagedAt} is damaged.` };
  return { result: stopped ? 'Stopped' : 'Success', error: null };
};

const attempts = 5;
const betweenAttempts = 1_000;

/** Who waits for the end reads of it in the log: a disk that is full for a moment must not keep it from there. */
const record = async (
  options: ScavengerOptions,
  signal: AbortSignal,
  write: Write<Completed>,
): Promise<Completed | undefined> => {
  for (let attempt = 1; signal.reason !== 'abandoned'; attempt += 1) {
    try {
      return await writeOrThrow(options, write);
    } catch (error) {
      if (attempt === attempts) throw error;
      await sleep(betweenAttempts);
    }
  }
  return undefined;
};

/** What it came to, when it is to be recorded. */
const run = async (options: ScavengerOptions, { mark, abort }: Running): Promise<Completed | undefined> => {
  const began = performance.now();
  const saved = nothingSaved();
  const failure: unknown = await scavenge(options, saved, abort.signal).then(
    () => undefined,
    (error: unknown) => error ?? new Error('failed'),
  );
  if (failure !== undefined) options.report(failure);
  if (abort.signal.reason === 'abandoned') return undefined;
  const ended: Ended = {
    ...endedBy(failure, abort.signal.aborted, saved),
    timeTaken: timeSpan(performance.now() - began),
    spaceSaved: saved.bytes,
    eventsRemoved: saved.events,
  };
  return record(options, abort.signal, writeCompleted(mark, ended));
};

export const createScavenger = (options: ScavengerOptions): Scavenger => {
  let running: Running | undefined;
  if (unfinishedIn(options.storage.tables) !== undefined) writeOrThrow(options, writeInterrupted).catch(options.report);

  const begin = (): Running => {
    const mark = { scavengeId: randomUUID(), nodeEndpoint: options.nodeEndpoint(), started: Date.now() };
    const started = writeOrThrow(options, writeStarted(mark));
    const next: Running = { mark, abort: new AbortController(), started, over: Promise.resolve(undefined) };
    next.over = started
      .then(() => run(options, next))
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
      return { scavengeId: current.mark.scavengeId, isNew, over: current.over };
    },
    stop: async (scavengeId) => {
      const current = running;
      if (current === undefined || (scavengeId !== 'current' && scavengeId !== current.mark.scavengeId))
        return undefined;
      current.abort.abort('stopped');
      await current.over;
      return current.mark.scavengeId;
    },
    abandon: () => running?.abort.abort('abandoned'),
  };
};
