/** A rebuild of a big view while commands write and readers read: what the readers may and may not see. */
import { isLeft } from 'fp-ts/Either';
import type { EventStore } from '../../../infra/ports/event-store';
import type { ViewLedger } from '../../../infra/ports/view-ledger';
import type { View, ViewReader, ViewWriter } from '../../../infra/ports/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import type { Rebuilt } from '../../../projections/kernel/rebuild-work';
import { rebuildRecorded } from '../../../projections/kernel/recorded-rebuild';
import { type CounterRow, counterStream, recordedNow, tick } from '../../support/ticks';

export interface Stage {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly reader: ViewReader;
  readonly ledger: ViewLedger;
  readonly projection: Projection;
}

const perCounter = 20;
const callers = 16;
const hot = ['hot-0', 'hot-1', 'hot-2', 'hot-3'];

export const fill = async (store: EventStore, events: number): Promise<readonly string[]> => {
  const ids = Array.from({ length: events / perCounter }, (_, index) => `c${index}`);
  for (let at = 0; at < ids.length; at += callers)
    await Promise.all(ids.slice(at, at + callers).map((id) => tick(store, id, perCounter - 1)));
  await Promise.all(hot.map((id) => tick(store, id, 0)));
  return ids;
};

/** Ticks the hot counters on, one event at a time each, so that ticks and revision stay the same number. */
const command = async (store: EventStore, done: AbortSignal): Promise<number> => {
  const written = await Promise.all(
    hot.map(async (counterId) => {
      let to = 0;
      while (!done.aborted) {
        to += 1;
        const event = recordedNow({ type: 'CounterTicked', data: { counterId, to } });
        const appended = await store.append(counterStream(counterId), to - 1, [event]);
        if (isLeft(appended)) throw new Error(JSON.stringify(appended.left));
      }
      return to;
    }),
  );
  return written.reduce((sum, count) => sum + count, 0);
};

export interface Reads {
  reads: number;
  readonly wrong: string[];
}

/** A row that was seen is there for good, grows only, and is never half of one event and half of another. */
const read = async ({ reader, projection }: Stage, ids: readonly string[], done: AbortSignal): Promise<Reads> => {
  const view = projection.view as unknown as View<CounterRow>;
  const seen = new Map<string, number>();
  const found: Reads = { reads: 0, wrong: [] };
  while (!done.aborted) {
    const counterId =
      found.reads % 2 === 0
        ? (hot[found.reads % hot.length] as string)
        : (ids[(found.reads * 7_919) % ids.length] as string);
    const answer = await reader.find(view, 'acme', { counterId });
    found.reads += 1;
    if (isLeft(answer)) found.wrong.push(`${counterId}: ${answer.left.detail}`);
    else {
      const ticks = answer.right?.ticks ?? -1;
      if (ticks < (seen.get(counterId) ?? 0)) found.wrong.push(`${counterId}: ${ticks} after ${seen.get(counterId)}`);
      if (answer.right !== undefined && ticks !== answer.right.revision) found.wrong.push(`${counterId}: torn`);
      seen.set(counterId, ticks);
    }
  }
  return found;
};

export interface Proof {
  readonly rebuilt: Rebuilt;
  readonly milliseconds: number;
  readonly commands: number;
  readonly reads: number;
  readonly wrong: readonly string[];
}

/** The view is up to date when this is called, and a projector keeps it so. */
export const rebuildUnderLoad = async (stage: Stage, ids: readonly string[], id: string): Promise<Proof> => {
  const { store, writer, ledger, projection } = stage;
  const done = new AbortController();
  const commands = command(store, done.signal);
  const readers = Array.from({ length: 4 }, () => read(stage, ids, done.signal));
  const began = performance.now();
  const request = { store, writer, projection, signal: new AbortController().signal, acceptDifferences: false };
  const rebuilt = await rebuildRecorded(
    { ...request, progress: () => undefined },
    { ledger, by: 'operator:proof', id },
  );
  const milliseconds = performance.now() - began;
  done.abort();
  const reads = await Promise.all(readers);
  if (isLeft(rebuilt)) throw new Error(rebuilt.left.detail);
  return {
    rebuilt: rebuilt.right,
    milliseconds,
    commands: await commands,
    reads: reads.reduce((sum, one) => sum + one.reads, 0),
    wrong: reads.flatMap(({ wrong }) => wrong),
  };
};
