/**
 * Imports many streams at once, each in order. A stream and its metadata share a queue, and what waits in a queue is
 * appended together. The waiting events are bounded: the log is read no faster than it is imported.
 */
import { describedStreamOf, isMetadataStream } from '../storage/streams/stream-heads';
import { addToBatches, type EventBatch, weightOf } from './event-batch';
import type { LoggedLine } from './format/exported-log';

export interface ImportQueues {
  /** Returns a promise when the caller has to wait for room. Throws the error of a failed batch. */
  readonly add: (line: LoggedLine) => Promise<void> | undefined;
  /** Resolves when everything is imported. */
  readonly finish: () => Promise<void>;
  /** Starts nothing more; resolves when all started batches are done. */
  readonly stop: () => Promise<void>;
}

interface State {
  readonly work: ImportHandlers;
  readonly queues: Map<string, EventBatch[]>;
  /** Queues with work that no worker has taken. */
  readonly ready: Set<string>;
  /** Queues that wait for later events of the log. */
  readonly parked: Set<string>;
  events: number;
  weight: number;
  active: number;
  finishing: boolean;
  scheduled: boolean;
  failure: { readonly error: unknown } | undefined;
  wake: () => void;
}

const maxConcurrent = 256;
/** A caller that waits for room waits until this much is left. */
const resumeShare = 0.5;
const maxQueued = { events: 32_768, weight: 32 * 1024 * 1024 };

const exceeds = ({ events, weight }: State, share: number): boolean =>
  events >= maxQueued.events * share || weight >= maxQueued.weight * share;

const batchDone = (state: State, key: string, { lines, weight }: EventBatch): void => {
  state.active -= 1;
  state.events -= lines.length;
  state.weight -= weight;
  if (state.queues.get(key)?.length === 0) state.queues.delete(key);
  else state.ready.add(key);
  startReadyQueues(state);
};

const startNextBatch = (state: State, key: string, mayPark: boolean): void => {
  state.ready.delete(key);
  const batches = state.queues.get(key) ?? [];
  const batch = takeNextBatch(state.work, batches, mayPark);
  if (batch === undefined) {
    state.parked.add(key);
    return;
  }
  state.active += 1;
  const fail = (error: unknown): void => {
    state.failure ??= { error };
  };
  void state.work
    .importBatch(batch, findNextStreamEvent(batches, state.finishing))
    .catch(fail)
    .finally(() => batchDone(state, key, batch));
};

const startReadyQueues = (state: State): void => {
  for (const key of state.ready) {
    if (state.active >= maxConcurrent || state.failure !== undefined) break;
    startNextBatch(state, key, true);
  }
  // Nothing else can continue: the events that the queues wait for are further away than allowed, or do not exist.
  const stuck = state.active === 0 && state.failure === undefined && (state.finishing || exceeds(state, resumeShare));
  for (const key of stuck ? [...state.parked] : []) {
    state.parked.delete(key);
    startNextBatch(state, key, false);
  }
  state.wake();
};

/** Events that are read together are collected in their queue first. */
const schedule = (state: State): void => {
  if (state.scheduled) return;
  state.scheduled = true;
  setImmediate(() => {
    state.scheduled = false;
    startReadyQueues(state);
  });
};

const waitUntilIdle = async (state: State, done: () => boolean): Promise<void> => {
  while (!done() && (state.failure === undefined || state.active > 0))
    await new Promise<void>((resolve) => (state.wake = resolve));
};

const waitUntil = async (state: State, done: () => boolean): Promise<void> => {
  await waitUntilIdle(state, done);
  if (state.failure !== undefined) throw state.failure.error;
};

const addLine = (state: State, line: LoggedLine): void => {
  const { stream } = line.event;
  const key = (isMetadataStream(stream) ? describedStreamOf(stream) : stream).toString('latin1');
  const batches = state.queues.get(key) ?? [];
  if (!state.queues.has(key) || state.parked.delete(key)) state.ready.add(key);
  state.queues.set(key, batches);
  addToBatches(batches, line);
  state.events += 1;
  state.weight += weightOf(line);
  schedule(state);
};

export const createImportQueues = (work: ImportHandlers): ImportQueues => {
  const counts = { events: 0, weight: 0, active: 0 };
  const flags = { finishing: false, scheduled: false, failure: undefined };
  const sets = { queues: new Map(), ready: new Set<string>(), parked: new Set<string>() };
  const state: State = { work, ...sets, ...counts, ...flags, wake: () => undefined };
  return {
    add: (line) => {
      addLine(state, line);
      // Read much at a time, so that neighbours end up in one batch.
      return exceeds(state, 1) || state.failure !== undefined
        ? waitUntil(state, () => !exceeds(state, resumeShare))
        : undefined;
    },
    finish: () => {
      state.finishing = true;
      schedule(state);
      return waitUntil(state, () => state.events === 0);
    },
    stop: () => {
      state.failure ??= { error: new Error('stopped') };
      return waitUntilIdle(state, () => state.active === 0);
    },
  };
};

/** The first event of the stream after a batch of its metadata; `unknown` when it is too far away to wait for. */
export type NextStreamEvent = LoggedLine | 'none' | 'unknown';

export interface ImportHandlers {
  readonly importBatch: (batch: EventBatch, following: NextStreamEvent) => Promise<void>;
  /** Whether events have to wait for metadata that comes next in the log, or metadata for events. */
  readonly mustWait: (batch: EventBatch) => boolean;
}

const isMetadata = ({ stream }: EventBatch): boolean => isMetadataStream(stream);

/** The queue's next batch; undefined when what it waits for has not arrived. Metadata goes first where both wait. */
const takeNextBatch = (
  { mustWait: waits }: ImportHandlers,
  batches: EventBatch[],
  mayPark: boolean,
): EventBatch | undefined => {
  const [first] = batches;
  if (first === undefined || !waits(first)) return batches.shift();
  const other = batches.findIndex((batch) => isMetadata(batch) !== isMetadata(first));
  if (other >= 0 && !isMetadata(first)) return batches.splice(other, 1)[0];
  return mayPark && other < 0 ? undefined : batches.shift();
};

/** The next event among what is left after a batch was taken. */
const findNextStreamEvent = (batches: readonly EventBatch[], complete: boolean): NextStreamEvent =>
  batches.find((batch) => !isMetadata(batch))?.lines[0] ?? (complete ? 'none' : 'unknown');
