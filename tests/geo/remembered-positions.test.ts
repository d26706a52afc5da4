/** Positions of views that searches remember for a moment: never newer than the view, and never long after its store failed. */
import assert from 'node:assert/strict';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { ViewFault } from '../../infra/ports/views/view-store';
import { placeIndexView } from '../../projections/geo/place-index/view';
import { rememberPositions } from '../../read-api/geo/search/remembered-positions';
import { createViewPositions } from '../../read-api/kernel/read-your-writes';

const unavailable: Either<ViewFault, never> = left(fault('view-store-unavailable', 'It is away.'));

const open = () => {
  const state = { now: 0, position: 1n as bigint | undefined, isAway: false, reads: 0 };
  const positions = createViewPositions({
    checkpoint: async () => {
      state.reads += 1;
      return state.isAway ? unavailable : right(state.position);
    },
  });
  const later: (() => void)[] = [];
  const { current } = rememberPositions(
    positions,
    () => state.now,
    (work) => later.push(work),
  );
  return { state, later, current: () => current(placeIndexView) };
};

describe('remembered positions', () => {
  it('are read once for searches of the same moment', async () => {
    const { state, current } = open();
    for (let search = 0; search < 5; search += 1) assert.deepEqual(await current(), right(1n));
    assert.equal(state.reads, 1);
  });

  it('answer while they are read again, and then are newer', async () => {
    const { state, later, current } = open();
    await current();
    Object.assign(state, { now: 300, position: 2n });
    assert.deepEqual(await current(), right(1n));
    assert.deepEqual(await current(), right(1n));
    assert.deepEqual([later.length, state.reads], [1, 1], 'the read is due once, and not beside the search');
    later[0]?.();
    await new Promise(setImmediate);
    assert.deepEqual(await current(), right(2n));
    state.now = 600;
    await current();
    assert.equal(later.length, 2);
  });

  it('are waited for when they are old', async () => {
    const { state, current } = open();
    await current();
    Object.assign(state, { now: 2_001, position: 2n });
    assert.deepEqual(await current(), right(2n));
  });

  it('end with a fault of the store, which is not remembered', async () => {
    const { state, current } = open();
    await current();
    Object.assign(state, { now: 2_001, isAway: true });
    assert.deepEqual(await current(), unavailable);
    state.isAway = false;
    assert.deepEqual(await current(), right(1n));
  });

  it('are not remembered of a view that is not built', async () => {
    const { state, current } = open();
    state.position = undefined;
    assert.deepEqual(await current(), right(undefined));
    state.position = 1n;
    assert.deepEqual(await current(), right(1n));
  });
});
