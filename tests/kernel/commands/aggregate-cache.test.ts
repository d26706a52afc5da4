import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import type { LoadedAggregate } from '../../../infra/server/aggregates/loaded-aggregate';
import { tally } from './tally';

const loaded = (events: number): LoadedAggregate<typeof tally.initial> => ({
  state: { total: events, closed: false },
  revision: events - 1,
  position: BigInt(events),
  commands: new Map(),
});

describe('warm state', () => {
  it('keeps the streams used last', () => {
    const warm = createExclusiveAggregates({ streams: 2 });
    warm.set(tally, 'a', loaded(1));
    warm.set(tally, 'b', loaded(1));
    warm.find(tally, 'a');
    warm.set(tally, 'c', loaded(1));
    assert.deepEqual(
      ['a', 'b', 'c'].map((stream) => warm.find(tally, stream) !== undefined),
      [true, false, true],
    );
  });

  it('never holds more streams or events than its limits', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(12))), (streams) => {
        const warm = createExclusiveAggregates({ streams: 4, events: 20, longest: 10 });
        const names = Array.from({ length: 10 }, (_, index) => `s-${index}`);
        for (const [name, events] of streams) warm.set(tally, `s-${name}`, loaded(events));
        const found = names.flatMap((name) => warm.find(tally, name) ?? []);
        const events = found.reduce((sum, { revision }) => sum + revision + 1, 0);
        assert.ok(found.length <= 4 && events <= 20, `${found.length} streams, ${events} events`);
        const [last, size] = streams.at(-1) ?? [0, 0];
        assert.equal(warm.find(tally, `s-${last}`) !== undefined, size > 0 && size <= 10);
      }),
    ));

  it('belongs to the decider that folded it', () => {
    const warm = createExclusiveAggregates();
    warm.set(tally, 'a', loaded(1));
    assert.equal(warm.find({ ...tally }, 'a'), undefined);
  });

  it('runs tasks of one stream in turn, those of others at once, and goes on after a failure', async () => {
    const { runExclusive: inTurn } = createExclusiveAggregates();
    const order: string[] = [];
    let release = (): void => undefined;
    const first = inTurn('a', async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      order.push('a1');
      throw new Error('refused');
    });
    const second = inTurn('a', async () => order.push('a2'));
    await inTurn('b', async () => order.push('b1'));
    release();
    await assert.rejects(first, /refused/);
    await second;
    assert.deepEqual(order, ['b1', 'a1', 'a2']);
  });
});
