import assert from 'node:assert/strict';
import type { SubjectKey } from '../../../infra/ports/vault';
import { createKeyCache, type KeyCache } from '../../../infra/vault/key-cache';
import { createReadAhead } from '../../../infra/vault/read-ahead';

const hour = 3_600_000;
const key = (id: string): SubjectKey => ({ id, bytes: Buffer.alloc(32, 1) });

describe('keys at hand', () => {
  let held: KeyCache;
  beforeEach(() => {
    held = createKeyCache(hour);
  });
  afterEach(() => held.close());

  it('are there for their time, counted from when they were asked for, whatever the wall clock says', () => {
    held.put(key('k-1'), performance.now(), 's-1');
    held.put(key('k-2'), performance.now() - hour, 's-2');
    const { now } = Date;
    Date.now = () => now() + 10 * hour;
    try {
      assert.deepEqual([held.peek('k-1')?.id, held.findBySubject('s-1')?.id], ['k-1', 'k-1']);
      assert.deepEqual([held.peek('k-2'), held.findBySubject('s-2')], [undefined, undefined]);
    } finally {
      Date.now = now;
    }
  });

  it('are never more than ten thousand; those that came first go first', () => {
    for (let index = 0; index < 10_050; index += 1) held.put(key(`k-${index}`), performance.now(), `s-${index}`);
    assert.equal(held.peek('k-49'), undefined);
    assert.equal(held.findBySubject('s-0'), undefined);
    assert.equal(held.peek('k-50')?.id, 'k-50');
  });

  it('do not come back once they were dropped, also when they are late', () => {
    held.put(key('k-1'), performance.now(), 's-1');
    held.drop(['k-1', 'k-2']);
    assert.equal(held.findBySubject('s-1'), undefined);
    for (const id of ['k-1', 'k-2']) assert.equal(held.put(key(id), performance.now(), 's-1').bytes, null);
    assert.equal(held.findBySubject('s-1'), undefined);
  });

  it('make room for the next key of a subject', () => {
    held.put(key('k-1'), performance.now(), 's-1');
    held.put(key('k-2'), performance.now(), 's-1');
    held.drop(['k-1']);
    assert.equal(held.findBySubject('s-1')?.id, 'k-2');
  });
});

describe('keys fetched ahead', () => {
  it('are more and more while they are used, and soon none when they are not', () => {
    const reach = createReadAhead();
    const sizes = (used: boolean, rounds: number): readonly number[] =>
      Array.from({ length: rounds }, () => {
        const size = reach.next(() => used);
        reach.fetched(Array.from({ length: size }, (_, index) => `k-${index}`));
        return size;
      });
    assert.deepEqual(sizes(true, 6), [16, 32, 64, 128, 256, 256]);
    assert.ok(Math.max(...sizes(false, 12).slice(-3)) <= 1);
  });
});
