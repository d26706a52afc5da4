/** What may happen to a group, in any order. */
import fc from 'fast-check';
import type {
  Message,
  NackAction,
} from '../../../../packages/eventstore-node/src/persistent-subscriptions/group/messages';
import { strategies } from '../../../../packages/eventstore-node/src/persistent-subscriptions/settings';
import { answerOne, append, feed, type World, wait } from './world';

/** A world, and what the test knows of it. */
export interface Run {
  readonly world: World;
  /** Places that were acknowledged, skipped or parked. */
  readonly settled: Set<number>;
  /** The same of places in the parked stream. */
  readonly settledParked: Set<number>;
  consumers: number;
}

export type Command = (run: Run) => void;

const pick = <Item>(items: readonly Item[], share: number): Item | undefined =>
  items[Math.min(Math.floor(share * items.length), items.length - 1)];

const share = fc.double({ min: 0, max: 1, noNaN: true });
const actions: readonly NackAction[] = ['unknown', 'park', 'retry', 'skip', 'stop'];

const settle = ({ settled, settledParked }: Run, { at, replayed }: Message): void =>
  void (replayed ? settledParked : settled).add(at);

export const settleHeld = (run: Run, id: string): void => {
  const held = run.world.group.inFlight.get(id);
  if (held !== undefined) settle(run, held.message);
};

const someHeld = ({ world }: Run, from: number, count: number): readonly string[] => {
  const ids = [...world.group.inFlight.keys()];
  return ids.slice(Math.floor(from * ids.length)).slice(0, count);
};

export const answer = (run: Run, stored: boolean): void => {
  const [next] = run.world.waiting;
  if (stored && next?.kind === 'park') settle(run, next.message);
  answerOne(run.world, stored);
};

const appending = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.boolean()).map(
  ([count, matches]): Command =>
    ({ world }) =>
      append(world, count, matches),
);
/** An id may stand in the log twice. */
const repeating = share.map(
  (which): Command =>
    ({ world }) => {
      const again = pick(world.log, which);
      if (again === undefined) return;
      world.log.push(again);
      feed(world, { kind: 'rung' });
    },
);
const connecting = fc.integer({ min: 0, max: 4 }).map(
  (slots): Command =>
    (run) => {
      run.consumers += 1;
      feed(run.world, { kind: 'connected', consumer: run.consumers, slots });
    },
);
const leaving = share.map(
  (which): Command =>
    ({ world }) => {
      const consumer = pick(world.group.consumers, which);
      if (consumer !== undefined) feed(world, { kind: 'disconnected', consumer: consumer.id });
    },
);
const acking = fc.tuple(share, fc.integer({ min: 1, max: 4 })).map(
  ([from, count]): Command =>
    (run) => {
      const ids = someHeld(run, from, count);
      for (const id of ids) settleHeld(run, id);
      feed(run.world, { kind: 'acked', ids: [...ids, 'unknown'] });
    },
);
const nacking = fc.tuple(share, fc.constantFrom(...actions)).map(
  ([from, action]): Command =>
    (run) => {
      const ids = someHeld(run, from, 2);
      if (action === 'skip' || action === 'stop') for (const id of ids) settleHeld(run, id);
      feed(run.world, { kind: 'nacked', ids, action, reason: '' });
    },
);
const answering = fc.boolean().map(
  (stored): Command =>
    (run) =>
      answer(run, stored),
);
const waiting = fc.constant<Command>(({ world }) => wait(world));
const replaying = fc.option(fc.nat(20), { nil: undefined }).map(
  (stopAt): Command =>
    ({ world }) => {
      const first = world.truncations.at(-1) ?? 0;
      if (world.parked.length > first) feed(world, { kind: 'replay', first, last: world.parked.length - 1, stopAt });
    },
);

export const command = fc.oneof(
  { arbitrary: appending, weight: 3 },
  { arbitrary: repeating, weight: 1 },
  { arbitrary: connecting, weight: 2 },
  { arbitrary: leaving, weight: 1 },
  { arbitrary: acking, weight: 6 },
  { arbitrary: nacking, weight: 2 },
  { arbitrary: answering, weight: 10 },
  { arbitrary: waiting, weight: 1 },
  { arbitrary: replaying, weight: 1 },
);

export const settingsOf = fc.record({
  strategy: fc.constantFrom(...strategies),
  maxRetryCount: fc.integer({ min: 0, max: 2 }),
  maxCheckpointCount: fc.integer({ min: 0, max: 5 }),
  minCheckpointCount: fc.integer({ min: 0, max: 5 }),
  checkpointAfter: fc.constantFrom(0, 500),
  messageTimeout: fc.constantFrom(0, 1_000),
  historyBufferSize: fc.integer({ min: 4, max: 12 }),
});
