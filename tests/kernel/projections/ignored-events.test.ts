import assert from 'node:assert/strict';
import { isLeft, right } from 'fp-ts/Either';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { type ProjectionSource, removeRow, streamsOf } from '../../../projections/kernel/projection';
import type { Change } from '../../../projections/kernel/view';
import { type CounterRow, counterStream, counters, newCounterEvent } from '../../support/domain/counter-context';

const data = { counterId: 'c' };
const made: StoredEvent = {
  ...newCounterEvent({ type: 'CounterMade', data }),
  stream: counterStream('c'),
  revision: 0,
  position: 0n,
};

const removed = () => removeRow<CounterRow>(data);

const source: ProjectionSource<Change<CounterRow>> = streamsOf(counters, {
  ignored: ['CounterMade', 'CounterTicked'],
  CounterRemoved: removed,
});

describe('ignored events', () => {
  it('change nothing', () => {
    assert.deepEqual(source.changes(made), right([]));
    const stored = { ...made, type: 'ticks.CounterRemoved.v1' };
    assert.deepEqual(source.changes(stored), right(removed()));
  });

  it('are read all the same: a view stops at one that is defective', () => {
    assert.ok(isLeft(source.changes({ ...made, data: {} })));
  });

  it('do not compile where one is forgotten, answered too, or unknown', () => {
    // @ts-expect-error CounterTicked is neither answered nor ignored.
    streamsOf(counters, { ignored: ['CounterMade'], CounterRemoved: removed });
    streamsOf(counters, {
      ignored: ['CounterMade', 'CounterTicked', 'CounterRemoved'],
      // @ts-expect-error CounterRemoved is both.
      CounterRemoved: removed,
    });
    streamsOf(counters, {
      // @ts-expect-error There is no CounterPainted.
      ignored: ['CounterMade', 'CounterTicked', 'CounterPainted'],
      CounterRemoved: removed,
    });
  });
});
