import assert from 'node:assert/strict';
import { CallError } from '../../../../packages/eventstore-node/src/protocol/errors';
import { createConcurrencyLimit } from '../../../../packages/eventstore-node/src/users/concurrency-limit';
import { deferred } from '../../../support/waiting/deferred';

describe('a limit', () => {
  it('runs so many at once, has so many wait in order, and refuses more', async () => {
    const limit = createConcurrencyLimit({ running: 2, waiting: 2 });
    const started: number[] = [];
    const gates = Array.from({ length: 4 }, () => deferred());
    const runs = gates.map((gate, index) =>
      limit(async () => {
        started.push(index);
        await gate.promise;
        return index;
      }),
    );
    await assert.rejects(
      limit(() => Promise.resolve(9)),
      (error) => error instanceof CallError && error.message === 'Server Is Too Busy',
    );
    assert.deepEqual(started, [0, 1]);
    gates[1]?.resolve();
    assert.equal(await runs[1], 1);
    gates[2]?.resolve();
    assert.equal(await runs[2], 2);
    assert.deepEqual(started, [0, 1, 2, 3]);
    gates[0]?.resolve();
    gates[3]?.resolve();
    assert.deepEqual(await Promise.all(runs), [0, 1, 2, 3]);
    assert.equal(await limit(() => Promise.resolve('room again')), 'room again');
  });

  it('gives the place of what failed to the next', async () => {
    const limit = createConcurrencyLimit({ running: 1, waiting: 1 });
    const failing = limit(() => Promise.reject(new Error('no')));
    const next = limit(() => Promise.resolve('next'));
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'next');
  });
});
