/** Commands and reads beside a rebuild: what is written, and what no reader may ever see. */
import { isLeft } from 'fp-ts/Either';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { View, ViewReader } from '../../../../infra/ports/views/view-store';
import type { Projection } from '../../../../projections/kernel/projection';
import { type CounterRow, counterStream, newCounterEvent, recordTicks } from '../../../support/domain/counter-context';

export interface Loading {
  readonly store: EventStore;
  readonly reader: ViewReader;
  readonly projection: Projection;
  /** How many counters were made before, `c0` and on. */
  readonly counters: number;
}

const perCounter = 20;
const callers = 16;
const readers = 4;
const pageRows = 50;
/** These tick on meanwhile; all others stay as they are. */
const hot = ['hot-0', 'hot-1', 'hot-2', 'hot-3'];

export const fill = async (store: EventStore, events: number): Promise<number> => {
  const ids = Array.from({ length: events / perCounter }, (_, index) => `c${index}`);
  for (let at = 0; at < ids.length; at += callers)
    await Promise.all(ids.slice(at, at + callers).map((id) => recordTicks(store, id, perCounter - 1)));
  await Promise.all(hot.map((id) => recordTicks(store, id, 0)));
  return ids.length;
};

/** What was sent for each of the hot counters: no reader may see more. */
type Sent = Map<string, number>;

/** Ticks the hot counters on, one event at a time each, so that ticks and revision stay the same number. */
const command = async (store: EventStore, sent: Sent, done: AbortSignal): Promise<number> => {
  const written = await Promise.all(
    hot.map(async (counterId) => {
      let to = 0;
      while (!done.aborted) {
        to += 1;
        sent.set(counterId, to);
        const event = newCounterEvent({ type: 'CounterTicked', data: { counterId, to } });
        const appended = await store.append(counterStream(counterId), to - 1, [event]);
        if (isLeft(appended)) throw new Error(JSON.stringify(appended.left));
      }
      return to;
    }),
  );
  return written.reduce((sum, count) => sum + count, 0);
};

export interface Loaded {
  readonly commands: number;
  readonly reads: number;
  /** Answers that were never so, or not any more as far as this reader knew. */
  readonly wrong: readonly string[];
}

interface Reading extends Loading {
  readonly sent: Sent;
  /** By counter: what this reader saw last. It may never see less. */
  readonly seen: Map<string, number>;
  readonly wrong: string[];
}

/** A row is one state of its counter: never half of one event and half of another, never older than what was seen. */
const judge = ({ sent, seen, wrong }: Reading, row: CounterRow): void => {
  const { counterId, ticks, revision } = row;
  const isHot = sent.has(counterId);
  if (!isHot && ticks !== perCounter - 1) wrong.push(`${counterId}: ${ticks} of ${perCounter - 1}`);
  if (ticks !== revision) wrong.push(`${counterId}: ${ticks} ticks at revision ${revision}`);
  if (ticks < (seen.get(counterId) ?? 0)) wrong.push(`${counterId}: ${ticks} after ${seen.get(counterId)}`);
  if (isHot && ticks > (sent.get(counterId) ?? 0)) wrong.push(`${counterId}: ${ticks} before it was sent`);
  seen.set(counterId, ticks);
};

const readOne = async (reading: Reading, counterId: string): Promise<void> => {
  const view = reading.projection.view as unknown as View<CounterRow>;
  const answer = await reading.reader.find(view, 'acme', { counterId });
  if (isLeft(answer)) reading.wrong.push(`${counterId}: ${answer.left.detail}`);
  else if (answer.right === undefined) reading.wrong.push(`${counterId} is not there`);
  else judge(reading, answer.right);
};

/** One statement sees one generation: so many rows, each right. */
const readPage = async (reading: Reading): Promise<void> => {
  const view = reading.projection.view as unknown as View<CounterRow>;
  const order = [{ field: 'counterId', direction: 'asc' }] as const;
  const answer = await reading.reader.page(view, 'acme', { where: {}, order, limit: pageRows });
  if (isLeft(answer)) return void reading.wrong.push(`page: ${answer.left.detail}`);
  if (answer.right.length !== Math.min(pageRows, reading.counters + hot.length))
    reading.wrong.push(`page of ${answer.right.length} rows`);
  for (const row of answer.right) judge(reading, row);
};

const read = async (loading: Loading, sent: Sent, done: AbortSignal): Promise<Omit<Loaded, 'commands'>> => {
  const reading: Reading = { ...loading, sent, seen: new Map(), wrong: [] };
  let reads = 0;
  for (; !done.aborted; reads += 1) {
    if (reads % 50 === 49) await readPage(reading);
    else if (reads % 2 === 0) await readOne(reading, hot[reads % hot.length] as string);
    else await readOne(reading, `c${(reads * 7_919) % loading.counters}`);
  }
  return { reads, wrong: reading.wrong };
};

/** Answers how to end it, and what came of it. The view has all of the log when this is called, and a projector keeps it so. */
export const startLoad = (loading: Loading): (() => Promise<Loaded>) => {
  const done = new AbortController();
  const sent: Sent = new Map(hot.map((id) => [id, 0]));
  const commands = command(loading.store, sent, done.signal);
  const reading = Promise.all(Array.from({ length: readers }, () => read(loading, sent, done.signal)));
  return async () => {
    done.abort();
    const all = await reading;
    const reads = all.reduce((sum, one) => sum + one.reads, 0);
    return { commands: await commands, reads, wrong: all.flatMap(({ wrong }) => wrong) };
  };
};
