import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { left } from 'fp-ts/Either';
import { runProcess } from '../../../commands/kernel/processes/process-runner';
import type { Instant } from '../../../domain/kernel/codec';
import { fault } from '../../../domain/kernel/rejection';
import type { EventStore } from '../../../infra/ports/event-store';
import type { ProcessCheckpoints } from '../../../infra/ports/processes/checkpoints';
import { deferred } from '../../support/waiting/deferred';
import { eventually } from '../../support/waiting/eventually';
import { openUnreliableStore } from '../commands/unreliable-event-store';
import { amountsIn, boundProcesses, openProcessFixture, record } from './fixture';
import { memoryLeases } from './memory-stores';
import type { OrderEvent } from './sample-processes';

const customers = ['ada', 'bob', 'cat'];
const dueAt = '2026-01-31T12:00:00.020Z' as Instant;

const order: fc.Arbitrary<OrderEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ customer: fc.constantFrom(...customers), amount: fc.nat(99) })
      .map((data): OrderEvent => ({ type: 'OrderPlaced', data })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...customers)
      .map((customer): OrderEvent => ({ type: 'OrderClosed', data: { customer } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...customers)
      .map((customer): OrderEvent => ({ type: 'ReminderWanted', data: { customer, at: dueAt } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...customers)
      .map((customer): OrderEvent => ({ type: 'ReminderDropped', data: { customer } })),
  },
);

/** What happens to the runners between events. `forgotten`: the checkpoint is lost with the runner. */
const incidents = fc.constantFrom('nothing', 'another', 'crash', 'forgotten');
const mishaps = fc.array(fc.constantFrom('lost' as const, 'dropped' as const, 'away' as const), { maxLength: 8 });

interface Foreseen {
  readonly amounts: readonly number[];
  readonly placed: number;
  readonly closed: boolean;
  /** How many orders there were when the reminder was set that still stands. */
  readonly reminder: number | undefined;
}

const next = (foreseen: Foreseen, event: OrderEvent): Foreseen => {
  const { amounts, closed } = foreseen;
  if (event.type === 'OrderClosed') return { ...foreseen, closed: true };
  if (event.type === 'ReminderWanted') return { ...foreseen, reminder: foreseen.placed };
  if (event.type === 'ReminderDropped') return { ...foreseen, reminder: undefined };
  if (event.type !== 'OrderPlaced') return foreseen;
  const placed = foreseen.placed + 1;
  return { ...foreseen, placed, amounts: closed ? amounts : [...amounts, event.data.amount * 1_000 + placed] };
};

/** What one runner that never fails would have added; with what is due later, or without. */
const expectedOf = (events: readonly OrderEvent[], customer: string, later: boolean): readonly number[] => {
  const start: Foreseen = { amounts: [], placed: 0, closed: false, reminder: undefined };
  const { amounts, closed, reminder } = events.filter(({ data }) => data.customer === customer).reduce(next, start);
  return later && !closed && reminder !== undefined ? [...amounts, 9_000_000 + reminder] : amounts;
};
const agrees = async (store: EventStore, events: readonly OrderEvent[], later: boolean): Promise<void> => {
  for (const customer of customers)
    assert.deepEqual(await amountsIn(store, customer), expectedOf(events, customer, later));
};

/** A runner whose process is killed: nothing that it would still do reaches the stores, until the test is over. */
const killable = ({ append }: EventStore, { save }: ProcessCheckpoints) => {
  const state = { dead: false };
  const over = deferred();
  const away = left(fault('event-store-unavailable', 'Killed.'));
  const unlessDead =
    <Arguments extends readonly unknown[], Answer>(call: (...args: Arguments) => Promise<Answer>) =>
    async (...args: Arguments): Promise<Answer> => {
      if (!state.dead) return call(...args);
      await over.promise;
      return away as Answer;
    };
  return { state, over, append: unlessDead(append), save: unlessDead(save) };
};

/** One log, and runners on it that all believe to be alone. */
const openScene = (lost: readonly ('lost' | 'dropped' | 'away')[]) => {
  const { store, deps, checkpoints, clock } = openProcessFixture();
  const unreliable = openUnreliableStore(store);
  unreliable.mishaps.push(...lost);
  const leases = memoryLeases(true);
  const start = () => {
    const { append, save, ...rest } = killable(unreliable, checkpoints);
    const own = { store: { ...unreliable, append }, checkpoints: { ...checkpoints, save }, leases };
    return { ...rest, runner: runProcess(boundProcesses.count, deps({ ...own, leaseMilliseconds: 500 })) };
  };
  const alive = [start()];
  const dead: typeof alive = [];
  const kill = (): void => {
    const victim = alive.shift();
    if (victim === undefined) return;
    victim.state.dead = true;
    dead.push(victim);
  };
  const suffer = (incident: string): void => {
    if (incident === 'crash' || incident === 'forgotten') kill();
    if (incident === 'forgotten') checkpoints.stored.clear();
    if (incident !== 'nothing') alive.push(start());
  };
  const close = async (): Promise<void> => {
    const closing = [...alive, ...dead].map(({ runner }) => runner.close());
    for (const { over } of dead) over.resolve();
    await Promise.all(closing);
  };
  const allAnswered = (position: bigint) =>
    eventually(async () => assert.ok((checkpoints.stored.get('count-on-order')?.position ?? -1n) >= position));
  return { store, suffer, close, allAnswered, clock };
};

describe('a process, whatever happens to its runners', () => {
  const steps = fc.array(fc.tuple(order, incidents), { minLength: 1, maxLength: 25 });
  it('sends the same commands in the same order, each once, and what is due later when it is due', () =>
    fc.assert(
      fc.asyncProperty(steps, mishaps, fc.infiniteStream(fc.nat(3)), async (stepped, lost, pauses) => {
        const { store, suffer, close, allAnswered, clock } = openScene(lost);
        let position = 0n;
        for (const [event, incident] of stepped) {
          ({ position } = await record(store, event));
          for (let turns = pauses.next().value ?? 0; turns > 0; turns -= 1) await new Promise(setImmediate);
          suffer(incident);
        }
        const events = stepped.map(([event]) => event);
        await eventually(() => agrees(store, events, false));
        await allAnswered(position);
        clock.now += 2_000;
        await eventually(() => agrees(store, events, true));
        await close();
        await agrees(store, events, true);
      }),
      { numRuns: 25 },
    )).timeout(60_000);
});
