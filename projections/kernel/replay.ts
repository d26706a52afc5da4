/** Writes the recorded past into one generation of a view. */
import { type Gathering, gather, mostEvents, write } from './batch';
import { type Isolated, isolate } from './isolate';
import { prefixesOf } from './projection';
import { readUntil } from './read-until';
import type { Replaying, Step } from './replaying';

export type Advanced = Isolated;

export const advance = async (replaying: Replaying, step: Step): Promise<Advanced> => {
  const { cursor, projection } = replaying;
  const { changes, events, poison } = step.gathered;
  const position = poison === undefined ? step.position : step.gathered.position;
  const isBeat = step.whole && events === 0;
  const isAhead = position !== null && (cursor.position === null || position > cursor.position);
  if (position !== null && (isAhead || isBeat)) {
    const began = performance.now();
    const batch = {
      generation: cursor.generation,
      after: cursor.position,
      position,
      live: step.live,
      beat: step.whole,
      changes,
    };
    const written = await write(replaying, projection.view, batch);
    if (written.kind === 'refused') return isolate(replaying, step);
    if (written.kind !== 'written') return written;
    cursor.position = position;
    replaying.applied(step, position, (performance.now() - began) / 1000);
  }
  return poison === undefined ? { kind: 'written' } : { kind: 'poisoned', poison };
};

const stepOf = (gathering: Gathering): Step => {
  const gathered = gathering.done();
  return { gathered, position: gathered.position, live: false, whole: false };
};

/** While one batch is being written, the next is read and decoded. */
export const replay = async (replaying: Replaying, until: bigint): Promise<Advanced> => {
  const { store, projection, cursor, signal, waiting } = replaying;
  const stretch = { after: cursor.position, until, streams: prefixesOf([projection]), signal, waiting };
  let writing: Promise<Advanced> = Promise.resolve({ kind: 'written' });
  let gathering = gather(projection);
  let count = 0;
  for await (const event of readUntil(store, stretch)) {
    count += 1;
    if (gathering.add(event) && count < mostEvents) continue;
    const before = await writing;
    if (before.kind !== 'written') return before;
    writing = advance(replaying, stepOf(gathering));
    if (gathering.done().poison !== undefined) return writing;
    gathering = gather(projection);
    count = 0;
  }
  const before = await writing;
  if (before.kind !== 'written') return before;
  if (signal.aborted) return { kind: 'drained' };
  return advance(replaying, { ...stepOf(gathering), position: until, live: true });
};
