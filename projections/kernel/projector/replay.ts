/** Replays recorded events, up to a position, into one generation of a view. */

import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import { backoff } from '../../../infra/server/runtime/backoff';
import { prefixesOf } from '../projection';
import { type LoadedStep, loadContent, splitByContent } from './content-loader';
import { outageReason } from './outage-reason';
import { type IsolationOutcome, isolatePoison } from './poison-isolation';
import {
  type BatchStep,
  type ChangeCollector,
  collectChanges,
  type GenerationWriter,
  maxBatchEvents,
  writeBatch,
} from './view-batch';

export type AdvanceOutcome = IsolationOutcome;

/** One write, or several where the events name much content. */
export const advance = async (replaying: GenerationWriter, step: BatchStep): Promise<AdvanceOutcome> => {
  for (const part of splitByContent(step)) {
    const loaded = await loadContent(replaying, part);
    if (loaded === undefined) return { kind: 'drained' };
    const written = await writeStep(replaying, loaded);
    if (written.kind !== 'written') return written;
  }
  return { kind: 'written' };
};

const writeStep = async (replaying: GenerationWriter, step: LoadedStep): Promise<AdvanceOutcome> => {
  const { cursor, projection } = replaying;
  const { changes, events, poison } = step.gathered;
  const position = poison === undefined ? step.position : step.gathered.position;
  const isHeartbeat = step.whole && events === 0;
  const isAhead = position !== null && (cursor.position === null || position > cursor.position);
  if (position !== null && (isAhead || isHeartbeat)) {
    const began = performance.now();
    const batch = {
      generation: cursor.generation,
      after: cursor.position,
      position,
      live: step.live,
      beat: step.whole,
      changes,
    };
    const written = await writeBatch(replaying, projection.view, batch);
    if (written.kind === 'refused') return isolatePoison(replaying, step);
    if (written.kind !== 'written') return written;
    cursor.position = position;
    replaying.applied(step, position, (performance.now() - began) / 1000);
  }
  return poison === undefined ? { kind: 'written' } : { kind: 'poisoned', poison };
};

const stepOf = (gathering: ChangeCollector): BatchStep => {
  const gathered = gathering.done();
  return { gathered, position: gathered.position, live: false, whole: false };
};

/** While one batch is being written, the next is read and decoded. */
export const replay = async (replaying: GenerationWriter, until: bigint): Promise<AdvanceOutcome> => {
  const { store, projection, cursor, signal, waiting } = replaying;
  const stretch = { after: cursor.position, until, streams: prefixesOf([projection]), signal, waiting };
  let writing: Promise<AdvanceOutcome> = Promise.resolve({ kind: 'written' });
  let gathering = collectChanges(projection);
  let count = 0;
  for await (const event of readUntil(store, stretch)) {
    count += 1;
    if (gathering.add(event) && count < maxBatchEvents) continue;
    const before = await writing;
    if (before.kind !== 'written') return before;
    writing = advance(replaying, stepOf(gathering));
    if (gathering.done().poison !== undefined) return writing;
    gathering = collectChanges(projection);
    count = 0;
  }
  const before = await writing;
  if (before.kind !== 'written') return before;
  if (signal.aborted) return { kind: 'drained' };
  return advance(replaying, { ...stepOf(gathering), position: until, live: true });
};

export interface LogRange {
  /** Exclusive. */
  readonly after: bigint | null;
  /** Inclusive. */
  readonly until: bigint;
  readonly streams: readonly string[];
  readonly signal: AbortSignal;
  /** Called when the log or the vault is unavailable; the read resumes where it broke. */
  readonly waiting: (detail: string) => void;
}

/** A function, because the compiler assumes that a flag it has read does not change. */
const isAborted = ({ signal }: LogRange): boolean => signal.aborted;

async function* readUntil(store: EventStore, stretch: LogRange): AsyncGenerator<StoredEvent, void> {
  const { until, streams, signal, waiting } = stretch;
  let { after } = stretch;
  for (let attempt = 0; !isAborted(stretch); attempt += 1) {
    try {
      for await (const event of store.readAll({ after, filter: { streams } })) {
        if (event.position > until || isAborted(stretch)) return;
        after = event.position;
        attempt = 0;
        yield event;
        if (event.position === until) return;
      }
      return;
    } catch (error) {
      waiting(outageReason(error));
      await backoff(attempt, signal);
    }
  }
}
