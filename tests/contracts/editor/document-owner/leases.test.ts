import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { openRedis, openRedisCluster } from '../../../../infra/adapters/redis/connection';
import { openRedisDocumentLeases } from '../../../../infra/adapters/redis/editor/document-leases';
import {
  openMemoryDocumentLeases,
  type SharedLeases,
} from '../../../../infra/adapters/redis/editor/memory-document-leases';
import type { DocumentLeases } from '../../../../infra/ports/editor/document-leases';
import { type DedicatedCluster, startDedicatedCluster } from '../../../support/servers/dedicated-valkey-cluster';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';

interface Stores {
  readonly begin?: () => Promise<void>;
  readonly end?: () => Promise<void>;
  readonly open: (address: string) => Promise<DocumentLeases>;
  readonly forget: (document: string) => Promise<void>;
}

const inRedis: Stores = {
  open: async (address) => openRedisDocumentLeases({ url: (await valkeyForTests()).url, address }),
  forget: async (document) => {
    const redis = openRedis((await valkeyForTests()).url);
    await redis.del(`document-owner:${document}`);
    redis.disconnect();
  },
};

let cluster: DedicatedCluster;
/** Whose documents lie with whichever master. */
const inCluster: Stores = {
  begin: async () => {
    cluster = await startDedicatedCluster();
  },
  end: () => cluster.stop(),
  open: async (address) => openRedisDocumentLeases({ cluster: cluster.urls.slice(0, 1), address }),
  forget: async (document) => {
    const redis = openRedisCluster(cluster.urls);
    await redis.del(`document-owner:${document}`);
    redis.disconnect();
  },
};
const shared: SharedLeases = new Map();
const inMemory: Stores = {
  open: async (address) => openMemoryDocumentLeases(shared, address),
  forget: async (document) => void shared.delete(document),
};

for (const [kind, { begin, end, open, forget }] of Object.entries({
  redis: inRedis,
  'a cluster': inCluster,
  memory: inMemory,
}))
  describe(`owners of documents in ${kind}`, () => {
    let one: DocumentLeases;
    let other: DocumentLeases;
    let name: string;
    before(async () => {
      await begin?.();
      one = await open('one:1');
      other = await open('other:2');
    });
    beforeEach(() => {
      name = randomUUID();
    });
    after(async () => {
      await one.close();
      await other.close();
      await end?.();
    });
    const right = (value: unknown) => ({ _tag: 'Right', right: value });

    it('give a document to one process, and answer its address to others', async () => {
      assert.deepEqual(await one.holderAddress(name), right(undefined));
      const answers = await Promise.all([one.acquire(name, 60_000), other.acquire(name, 60_000)]);
      assert.deepEqual(answers, [
        right({ isHeld: true, address: 'one:1' }),
        right({ isHeld: false, address: 'one:1' }),
      ]);
      assert.deepEqual(await other.holderAddress(name), right('one:1'));
      assert.deepEqual(await one.acquire(name, 60_000), right({ isHeld: true, address: 'one:1' }));
    });

    it('release their own lease, and no other', async () => {
      await one.acquire(name, 60_000);
      await other.release([name]);
      assert.deepEqual(await other.holderAddress(name), right('one:1'));
      await one.release([name]);
      assert.deepEqual(await other.acquire(name, 60_000), right({ isHeld: true, address: 'other:2' }));
    });

    it('release it by themselves', async () => {
      await one.acquire(name, 20);
      await eventually(async () => {
        const acquired = await other.acquire(name, 60_000);
        assert.ok(isRight(acquired) && acquired.right.isHeld);
      });
      assert.deepEqual(await one.renew([name], 60_000), right([name]));
    });

    it('renew many at once, have again what was forgotten, and name those that are another’s', async () => {
      const names = [name, randomUUID(), randomUUID()];
      for (const each of names) await one.acquire(each, 60_000);
      for (const each of names.slice(1)) await forget(each);
      await other.acquire(names[2] ?? '', 60_000);
      assert.deepEqual(await one.renew(names, 60_000), right([names[2]]));
      assert.deepEqual(await other.holderAddress(names[1] ?? ''), right('one:1'));
    });

    it('are taken over from an unreachable address, and from no other', async () => {
      await one.acquire(name, 60_000);
      assert.deepEqual(await other.acquire(name, 60_000, 'three:3'), right({ isHeld: false, address: 'one:1' }));
      assert.deepEqual(await other.acquire(name, 60_000, 'one:1'), right({ isHeld: true, address: 'other:2' }));
      assert.deepEqual(await one.renew([name], 60_000), right([name]));
    });

    it('take over the leases of an earlier process with their address', async () => {
      await one.acquire(name, 60_000);
      const successor = await open('one:1');
      assert.deepEqual(await successor.acquire(name, 60_000), right({ isHeld: true, address: 'one:1' }));
      assert.deepEqual(await one.renew([name], 60_000), right([name]));
      await successor.close();
    });
  });

describe('owners of documents while Redis is unavailable', () => {
  it('answer a fault', async () => {
    const owners = openRedisDocumentLeases({ url: 'redis://127.0.0.1:1', address: 'one:1' });
    const acquired = await owners.acquire('x', 1_000);
    assert.ok(isLeft(acquired));
    assert.equal(acquired.left.code, 'owners-unavailable');
    await owners.close();
  });
});
