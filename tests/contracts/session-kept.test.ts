import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { memoryKept } from '../../infra/gateway/session-kept';
import type { Kept } from '../../infra/ports/kept';
import { openRedisKept } from '../../infra/redis/kept';
import { eventually } from '../support/eventually';
import { valkeyForTests } from '../support/servers';

/** Two that ask the same store, as two gateways do. */
const kinds: { readonly [name: string]: () => Promise<readonly [Kept, Kept]> } = {
  memory: async () => {
    const kept = memoryKept();
    return [kept, kept];
  },
  redis: async () => {
    const { url } = await valkeyForTests();
    return [openRedisKept(url, 'test-kept'), openRedisKept(url, 'test-kept')];
  },
};

const minute = 60_000;

for (const [name, open] of Object.entries(kinds))
  describe(`what is kept for a while, by ${name}`, () => {
    let [one, other]: readonly [Kept, Kept] = [memoryKept(), memoryKept()];
    before(async () => {
      [one, other] = await open();
    });
    after(() => Promise.all([one.close(), other.close()]));

    const found = async (kept: Kept, id: string): Promise<string | undefined> => {
      const value = await kept.find(id);
      assert.ok(isRight(value));
      return value.right;
    };

    it('is found by all, replaced where it is, and gone for all once it is removed', async () => {
      const id = randomUUID();
      assert.equal(await found(one, id), undefined);
      await one.put(id, 'first', minute);
      assert.equal(await found(other, id), 'first');
      assert.deepEqual(await other.replace(id, 'second', minute), { _tag: 'Right', right: true });
      assert.equal(await found(one, id), 'second');
      await one.remove(id);
      assert.equal(await found(other, id), undefined);
    });

    it('does not come back by being replaced', async () => {
      const id = randomUUID();
      assert.deepEqual(await one.replace(id, 'late', minute), { _tag: 'Right', right: false });
      assert.equal(await found(other, id), undefined);
    });

    it('is forgotten after its time', async () => {
      const id = randomUUID();
      await one.put(id, 'brief', 20);
      await eventually(async () => assert.equal(await found(other, id), undefined));
      assert.deepEqual(await one.replace(id, 'late', minute), { _tag: 'Right', right: false });
    });
  });

describe('what is kept in memory', () => {
  it('is bounded: the oldest goes', async () => {
    const kept = memoryKept(Date.now, 2);
    for (const id of ['a', 'b', 'c']) await kept.put(id, id, minute);
    const values = await Promise.all(['a', 'b', 'c'].map((id) => kept.find(id)));
    assert.deepEqual(
      values.map((value) => isRight(value) && value.right),
      [undefined, 'b', 'c'],
    );
  });
});

describe('what is kept, without its store', () => {
  it('cannot be known', async () => {
    const kept = openRedisKept('redis://127.0.0.1:1', 'test-kept');
    assert.ok(isLeft(await kept.find('a')));
    assert.ok(isLeft(await kept.put('a', 'b', 1_000)));
    assert.ok(isLeft(await kept.remove('a')));
    await kept.close();
  });
});
