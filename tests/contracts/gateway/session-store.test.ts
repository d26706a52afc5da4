import assert from 'node:assert/strict';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { isLeft, isRight, right } from 'fp-ts/Either';
import { openRedisExpiringStore } from '../../../infra/adapters/redis/identity/expiring-store';
import { memoryExpiringStore } from '../../../infra/adapters/redis/identity/memory-expiring-store';
import { type BffSessionStore, createBffSessionStore } from '../../../infra/gateway/bff/session-store';
import type { TokenClient } from '../../../infra/gateway/bff/token-client';
import type { ExpiringStore } from '../../../infra/ports/identity/expiring-store';
import { valkeyForTests } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

/** Two clients of the same store, as two gateways are. */
const kinds: { readonly [name: string]: () => Promise<readonly [ExpiringStore, ExpiringStore]> } = {
  memory: async () => {
    const store = memoryExpiringStore();
    return [store, store];
  },
  redis: async () => {
    const { url } = await valkeyForTests();
    return [openRedisExpiringStore(url, 'test-kept'), openRedisExpiringStore(url, 'test-kept')];
  },
};

const minute = 60_000;

for (const [name, open] of Object.entries(kinds))
  describe(`what is kept for a while, by ${name}`, () => {
    let [one, other]: readonly [ExpiringStore, ExpiringStore] = [memoryExpiringStore(), memoryExpiringStore()];
    before(async () => {
      [one, other] = await open();
    });
    after(() => Promise.all([one.close(), other.close()]));

    const found = async (store: ExpiringStore, id: string): Promise<string | undefined> => {
      const value = await store.find(id);
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

const grants: TokenClient = {
  token: async () => right({ accessToken: 'token', expiresInSeconds: 600 }),
};
const grant = { kind: 'client' as const, clientId: 'acme.p-1', clientSecret: 'a-secret' };
const asking = { requestId: 'r-1', address: '127.0.0.1' };

describe('sessions through two gateways', () => {
  it('are the same, and end for both', async () => {
    const { url } = await valkeyForTests();
    const stores = [
      openRedisExpiringStore(url, 'test-sessions'),
      openRedisExpiringStore(url, 'test-sessions'),
    ] as const;
    const secret = createSecretKey(randomBytes(32));
    const [one, other] = stores.map((sessionStore) =>
      createBffSessionStore({ sessionStore, grants, secret, now: Date.now }),
    ) as [BffSessionStore, BffSessionStore];
    const begun = await one.begin(grant, asking);
    assert.ok(isRight(begun));
    assert.deepEqual(await other.find(begun.right.id, asking), right(begun.right.session));
    await other.end(begun.right.id);
    const ended = await one.find(begun.right.id, asking);
    assert.ok(isLeft(ended));
    assert.equal(ended.left.problem.code, 'session-ended');
    await Promise.all(stores.map(({ close }) => close()));
  });
});

describe('what is kept in memory', () => {
  it('is bounded: the oldest goes', async () => {
    const store = memoryExpiringStore(Date.now, 2);
    for (const id of ['a', 'b', 'c']) await store.put(id, id, minute);
    const values = await Promise.all(['a', 'b', 'c'].map((id) => store.find(id)));
    assert.deepEqual(
      values.map((value) => isRight(value) && value.right),
      [undefined, 'b', 'c'],
    );
  });
});

describe('what is kept, without its store', () => {
  it('cannot be known', async () => {
    const store = openRedisExpiringStore('redis://127.0.0.1:1', 'test-kept');
    assert.ok(isLeft(await store.find('a')));
    assert.ok(isLeft(await store.put('a', 'b', 1_000)));
    assert.ok(isLeft(await store.remove('a')));
    await store.close();
  });
});
