import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createErasedIds } from '../../../../infra/adapters/vault/erased-ids';
import { createKeyCache, type KeyCache } from '../../../../infra/adapters/vault/key-cache';
import { createReadAhead } from '../../../../infra/adapters/vault/read-ahead';
import type { SubjectKey } from '../../../../infra/ports/vault';

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

  it('do not come back with a lookup that began before the vault had erased them', async () => {
    let answer: (bytes: SubjectKey) => void = () => undefined;
    const row = new Promise<SubjectKey>((resolve) => {
      answer = resolve;
    });
    const late = held.lookUp(async (requestedAt) => held.put(await row, requestedAt, 's-1'));
    held.drop(['k-1']);
    held.confirmErased(['k-1']);
    answer(key('k-1'));
    assert.equal((await late).bytes, null);
    assert.equal(held.findBySubject('s-1'), undefined);
  });

  it('make room for the next key of a subject', () => {
    held.put(key('k-1'), performance.now(), 's-1');
    held.put(key('k-2'), performance.now(), 's-1');
    held.drop(['k-1']);
    assert.equal(held.findBySubject('s-1')?.id, 'k-2');
  });
});

describe('ids of erased keys', () => {
  const lookup = () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { ended, end };
  };

  it('are remembered until the vault has erased the keys', () => {
    const erased = createErasedIds();
    for (let index = 0; index < 3; index += 1) erased.drop(`k-${index}`);
    assert.equal(erased.size(), 3);
    erased.confirm(['k-0', 'k-1']);
    assert.deepEqual([erased.has('k-0'), erased.has('k-2'), erased.size()], [false, true, 1]);
  });

  it('are remembered until every lookup that began before has ended, however many begin later', async () => {
    const erased = createErasedIds();
    const [first, second, third] = [lookup(), lookup(), lookup()];
    const before = [first, second].map(({ ended }) => erased.lookUp(() => ended));
    erased.confirm(['k-1']);
    const after = erased.lookUp(() => third.ended);
    first.end();
    await before[0];
    assert.ok(erased.has('k-1'));
    second.end();
    await before[1];
    assert.equal(erased.size(), 0);
    third.end();
    await after;
  });

  it('are as few as the lookups under way need, whatever the order of events', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constant('begin'), fc.constant('end'), fc.nat(5)), { maxLength: 60 }),
        async (steps) => {
          const erased = createErasedIds();
          const open: { readonly end: () => void; readonly done: Promise<void>; readonly erasedSince: Set<string> }[] =
            [];
          for (const step of steps)
            if (step === 'begin') {
              const { ended, end } = lookup();
              open.push({ end, done: erased.lookUp(() => ended), erasedSince: new Set() });
            } else if (typeof step === 'string') {
              const [one] = open.splice(Math.floor(open.length / 2), 1);
              one?.end();
              await one?.done;
            } else {
              erased.drop(`k-${step}`);
              erased.confirm([`k-${step}`]);
              for (const { erasedSince } of open) erasedSince.add(`k-${step}`);
            }
          const needed = new Set(open.flatMap(({ erasedSince }) => [...erasedSince]));
          for (const id of needed) assert.ok(erased.has(id), id);
          assert.equal(erased.size(), needed.size);
          for (const { end, done } of open) {
            end();
            await done;
          }
          assert.equal(erased.size(), 0);
        },
      ),
    ));
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
