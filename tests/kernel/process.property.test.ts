import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { left } from 'fp-ts/Either';
import { runProcess } from '../../commands/kernel/react/run';
import { fault } from '../../domain/kernel/rejection';
import type { EventStore } from '../../infra/ports/event-store';
import type { ProcessCheckpoints } from '../../infra/ports/process-checkpoints';
import { deferred } from '../support/deferred';
import { eventually } from '../support/eventually';
import type { OrderEvent } from './process-sample';
import { amountsIn, bound, record, stageOf } from './process-stage';
import { memoryLeases } from './process-twins';
import { openUnreliable } from './unreliable';

const customers = ['ada', 'bob', 'cat'];

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
);

/** What happens to the runners between events. `forgotten`: the checkpoint is lost with the runner. */
const incidents = fc.constantFrom('nothing', 'another', 'crash', 'forgotten');
const mishaps = fc.array(fc.constantFrom('lost' as const, 'dropped' as const, 'away' as const), { maxLength: 8 });

/** What one runner that never fails would have added. */
const expectedOf = (events: readonly OrderEvent[], customer: string): readonly number[] => {
  const amounts: number[] = [];
  let placed = 0;
  for (const { type, data } of events.filter((event) => event.data.customer === customer)) {
    if (type === 'OrderClosed') break;
    if (type !== 'OrderPlaced') continue;
    placed += 1;
    amounts.push(data.amount * 1_000 + placed);
  }
  return amounts;
};

const agrees = async (store: EventStore, events: readonly OrderEvent[]): Promise<void> => {
  for (const customer of customers) assert.deepEqual(await amountsIn(store, customer), expectedOf(events, customer));
};

/** A runner whose process is killed: nothing that it would still do reaches the stores, until the test is over. */
const killable = ({ append }: EventStore, { save }: ProcessCheckpoints) => {
  const state = { dead: false };
  const over = deferred();
  const away = left(fault('event-store-unavailable', 'Killed.'));
  const unlessDead =
    <Asked extends readonly unknown[], Answer>(call: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      if (!state.dead) return call(...asked);
      await over.promise;
      return away as Answer;
    };
  return { state, over, append: unlessDead(append), save: unlessDead(save) };
};

/** One log, and runners on it that all believe to be alone. */
const openScene = (lost: readonly ('lost' | 'dropped' | 'away')[]) => {
  const { store, deps, checkpoints } = stageOf();
  const unreliable = openUnreliable(store);
  unreliable.mishaps.push(...lost);
  const leases = memoryLeases(true);
  const start = () => {
    const { append, save, ...rest } = killable(unreliable, checkpoints);
    const own = { store: { ...unreliable, append }, checkpoints: { ...checkpoints, save }, leases };
    return { ...rest, runner: runProcess(bound.count, deps({ ...own, leaseMilliseconds: 500 })) };
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
    if (incident === 'forgotten') checkpoints.kept.clear();
    if (incident !== 'nothing') alive.push(start());
  };
  const close = async (): Promise<void> => {
    const closing = [...alive, ...dead].map(({ runner }) => runner.close());
    for (const { over } of dead) over.resolve();
    await Promise.all(closing);
  };
  return { store, suffer, close };
};

describe('a process, whatever happens to its runners', () => {
  const steps = fc.array(fc.tuple(order, incidents), { minLength: 1, maxLength: 25 });
  it('sends the same commands in the same order, each once', () =>
    fc.assert(
      fc.asyncProperty(steps, mishaps, fc.infiniteStream(fc.nat(3)), async (stepped, lost, pauses) => {
        const { store, suffer, close } = openScene(lost);
        for (const [event, incident] of stepped) {
          await record(store, event);
          for (let turns = pauses.next().value ?? 0; turns > 0; turns -= 1) await new Promise(setImmediate);
          suffer(incident);
        }
        const events = stepped.map(([event]) => event);
        await eventually(() => agrees(store, events));
        await close();
        await agrees(store, events);
      }),
      { numRuns: 80 },
    )).timeout(60_000);
});
