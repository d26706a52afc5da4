/** A view that can wait lets others read the past first, and yet gets there itself. */
import assert from 'node:assert/strict';
import { isRight, right } from 'fp-ts/Either';
import type { ViewWriter } from '../../../infra/ports/views/view-store';
import { withBackgroundPriority } from '../../../projections/kernel/projector/background-priority';
import type { Phase } from '../../../projections/kernel/projector/view-status';

const batch = { generation: 1, after: null, position: 1n, live: true, changes: [] };

const written = (phase: () => Phase, signal = new AbortController().signal) => {
  const writer = { apply: async () => right(undefined) } as unknown as ViewWriter;
  const trackers = [{ status: () => ({ phase: phase() }) as never }];
  return withBackgroundPriority(writer, { trackers, signal }).apply({} as never, batch);
};

describe('a view that can wait', () => {
  it('waits for others that read the past, and goes on once they have', async () => {
    const queries: number[] = [];
    const phase = (): Phase => (queries.push(queries.length) < 4 ? 'catching-up' : 'live');
    assert.ok(isRight(await written(phase)));
    assert.equal(queries.length, 4);
  });

  it('waits for a bounded time, and not while draining', async () => {
    assert.ok(isRight(await written(() => 'rebuilding')));
    let queries = 0;
    const phase = (): Phase => {
      queries += 1;
      return 'catching-up';
    };
    assert.ok(isRight(await written(phase, AbortSignal.abort())));
    assert.equal(queries, 1);
  });

  it('does not wait for one that stands still', async () => {
    for (const still of ['live', 'stopped', 'waiting', 'superseded'] as const) {
      let queries = 0;
      const phase = (): Phase => {
        queries += 1;
        return still;
      };
      assert.ok(isRight(await written(phase)));
      assert.equal(queries, 1, still);
    }
  });
});
