import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type AttemptOutcome, createKeyedQueue } from '../../../commands/kernel/processes/keyed-queue';
import { deferred } from '../../support/waiting/deferred';
import { eventually } from '../../support/waiting/eventually';

const since = 0;
const step = () => new Promise<void>((resolve) => setImmediate(resolve));

const job = fc.record({ lane: fc.constantFrom('a', 'b', 'c', 'd'), turns: fc.nat(4), failures: fc.nat(1) });

describe('lanes', () => {
  it('keep the order of each, go beside each other within the width, and never mark what is not done', () =>
    fc.assert(
      fc.asyncProperty(fc.array(job, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), async (jobs, width) => {
        const over = new AbortController();
        const lanes = createKeyedQueue({ start: null, signal: over.signal, concurrency: width, capacity: 6 });
        const done: number[] = [];
        let now = 0;
        for (const [index, { lane, turns, failures }] of jobs.entries()) {
          let left = failures;
          const attempt = async (): Promise<AttemptOutcome> => {
            now += 1;
            assert.ok(now <= width, 'too many at once');
            for (let turn = 0; turn < turns; turn += 1) await step();
            now -= 1;
            left -= 1;
            if (left >= 0) return 'again';
            const before = jobs.findIndex((other, at) => other.lane === lane && !done.includes(at));
            assert.equal(before, index, 'another one of its lane comes first');
            done.push(index);
            return 'done';
          };
          await lanes.add({ position: BigInt(index), key: lane, since }, attempt);
          const mark = lanes.lowWatermark();
          for (let at = 0n; mark !== null && at <= mark; at += 1n)
            assert.ok(done.includes(Number(at)), 'marked too early');
        }
        await eventually(async () => assert.equal(done.length, jobs.length));
        await eventually(async () =>
          assert.equal(lanes.lowWatermark(), jobs.length === 0 ? null : BigInt(jobs.length - 1)),
        );
        assert.equal(lanes.oldestPendingSince(), undefined);
        over.abort();
      }),
      { numRuns: 60 },
    )).timeout(60_000);

  it('mark what needs no doing, once what is before it is done', async () => {
    const over = new AbortController();
    const lanes = createKeyedQueue({ start: 5n, signal: over.signal });
    lanes.skipTo(7n);
    assert.equal(lanes.lowWatermark(), 7n);
    lanes.skipTo(6n);
    assert.equal(lanes.lowWatermark(), 7n);
    const finish = deferred();
    await lanes.add({ position: 8n, key: 'a', since: 42 }, () => finish.promise.then((): AttemptOutcome => 'done'));
    lanes.skipTo(9n);
    lanes.skipTo(12n);
    assert.deepEqual([lanes.lowWatermark(), lanes.oldestPendingSince()], [7n, 42]);
    finish.resolve();
    await eventually(async () =>
      assert.deepEqual([lanes.lowWatermark(), lanes.oldestPendingSince()], [12n, undefined]),
    );
    over.abort();
  });

  it('take no more than there is room for, and let go of all when the process drains', async () => {
    const over = new AbortController();
    const lanes = createKeyedQueue({ start: null, signal: over.signal, capacity: 2 });
    const never: () => Promise<AttemptOutcome> = async () => 'again';
    await lanes.add({ position: 1n, key: 'a', since }, never);
    let isIn = false;
    const second = lanes.add({ position: 2n, key: 'b', since }, never).then(() => {
      isIn = true;
    });
    for (let turn = 0; turn < 20; turn += 1) await step();
    assert.equal(isIn, false);
    over.abort();
    await second;
    await lanes.settled();
    assert.equal(lanes.lowWatermark(), null);
  });

  it('leave a lane where it stopped', async () => {
    const over = new AbortController();
    const lanes = createKeyedQueue({ start: null, signal: over.signal });
    const later: string[] = [];
    await lanes.add({ position: 1n, key: 'a', since }, async () => 'stop');
    await lanes.add({ position: 2n, key: 'a', since }, async () => {
      later.push('a');
      return 'done';
    });
    await lanes.add({ position: 3n, key: 'b', since }, async () => {
      later.push('b');
      return 'done';
    });
    await eventually(async () => assert.deepEqual(later, ['b']));
    await lanes.settled();
    assert.deepEqual([lanes.lowWatermark(), later], [null, ['b']]);
    over.abort();
  });
});
