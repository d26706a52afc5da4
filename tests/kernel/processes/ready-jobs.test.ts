/** Jobs that a worker claimed ahead of a free slot. */
import assert from 'node:assert/strict';
import type { ClaimedJob } from '../../../commands/kernel/work-queue/claim-renewal';
import { createReadyJobs } from '../../../commands/kernel/work-queue/ready-jobs';

const openReadyJobs = () => {
  const givenBack: ClaimedJob[] = [];
  const ready = createReadyJobs({ capacity: 5, release: (claimed) => givenBack.push(claimed) });
  return { ready, givenBack };
};

const claim = () => {
  const stopped = new AbortController();
  const claimed = { signal: stopped.signal } as ClaimedJob;
  return { claimed, stop: () => stopped.abort() };
};

describe('jobs that are claimed ahead', () => {
  it('are none until jobs prove to be short, and none when they become long', () => {
    const { ready } = openReadyJobs();
    assert.equal(ready.capacity(), 0);
    ready.performed(1);
    assert.equal(ready.capacity(), 5);
    for (let nth = 0; nth < 5; nth += 1) ready.performed(1_000);
    assert.equal(ready.capacity(), 0);
  });

  it('begin in their order, without those whose claim has ended: these are given back', () => {
    const { ready, givenBack } = openReadyJobs();
    const [first, second, third] = [claim(), claim(), claim()];
    for (const { claimed } of [first, second, third]) ready.add(claimed);
    assert.equal(ready.size(), 3);
    assert.equal(ready.take(), first.claimed);
    second.stop();
    assert.equal(ready.take(), third.claimed);
    assert.deepEqual(givenBack, [second.claimed]);
    assert.equal(ready.take(), undefined);
    assert.equal(ready.size(), 0);
  });

  it('are given back when the worker stops, also those that arrive later', () => {
    const { ready, givenBack } = openReadyJobs();
    const [held, late] = [claim(), claim()];
    ready.add(held.claimed);
    ready.close();
    ready.add(late.claimed);
    assert.deepEqual(givenBack, [held.claimed, late.claimed]);
    assert.equal(ready.take(), undefined);
  });
});
