/** Times of a consumer, summed up. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { measureLatencies } from '../../../../packages/eventstore-node/src/persistent-subscriptions/group-statistics';

const valuesOf = (latencies: readonly number[]) =>
  Object.fromEntries(measureLatencies(latencies).map(({ key, value }) => [key, value]));

describe('measurements of a consumer', () => {
  it('are none before the first', () => {
    assert.deepEqual(measureLatencies([]), []);
  });

  it('are what they are called', () => {
    const values = valuesOf([5, 1, 4, 2, 3, 10, 6, 9, 7, 8]);
    assert.deepEqual([values.Mean, values.Median, values.Fastest, values.Highest], [5, 6, 1, 10]);
    assert.deepEqual([values['Quintile 1'], values['Quintile 3'], values['90%'], values['99.9%']], [1, 5, 10, 10]);
  });

  it('lie between the fastest and the slowest', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (latencies) => {
        const { Fastest, Highest, ...others } = valuesOf(latencies);
        assert.deepEqual([Fastest, Highest], [Math.min(...latencies), Math.max(...latencies)]);
        for (const value of Object.values(others)) assert.ok(value >= (Fastest ?? 0) && value <= (Highest ?? 0));
      }),
    );
  });
});
