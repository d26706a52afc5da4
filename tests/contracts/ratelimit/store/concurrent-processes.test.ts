/** Many at once, from several processes, and with more keys than any deployment has. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { localLimits } from '../../../../packages/ratelimit/src/local/local-limits';
import { openRedisStore, type RedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import { killAndWait, reportOf } from '../../../support/processes/child-report';
import { typescript } from '../../../support/runner/compiled';
import { type DedicatedValkey, startDedicatedValkey } from '../../../support/servers/dedicated-valkey';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { bucketOf, chargeOf, chargeStore, remainingOf } from './charges';

type Admitted = { readonly [name: string]: number };

const startTaker = () => {
  const child = fork(join(__dirname, 'charge-worker.main.ts'), [], { execArgv: typescript() });
  return async (order: object): Promise<Admitted> => {
    child.send(order);
    const admitted = await reportOf<Admitted>(child);
    await killAndWait(child);
    return admitted;
  };
};

describe('limits that several processes share', () => {
  it('admit exactly as many as they allow, of 2,000 requests at once from four processes', async () => {
    const { url } = await valkeyForTests();
    const tag = `{${randomUUID()}}`;
    const takers = Array.from({ length: 4 }, startTaker);
    const all = await Promise.all(takers.map((taker) => taker({ url, tag, limit: 100, count: 500 })));
    const sums = new Map<string, number>();
    for (const [name, admitted] of all.flatMap((one) => Object.entries(one)))
      sums.set(name, (sums.get(name) ?? 0) + admitted);
    assert.deepEqual(
      [...sums].filter(([, admitted]) => admitted !== 100),
      [],
    );
    assert.equal(sums.size, 7);
    const store = openRedisStore({ url, answerMilliseconds: 20_000 });
    const left = await Promise.all(
      [120, 200].map((most, index) => remainingOf(store, chargeOf(`${tag}:three:${index}`, bucketOf(most)))),
    );
    await store.close();
    assert.deepEqual(left, [20, 100], 'those that were refused took nothing of the limits that had room');
  });
});

/** More than that are for a machine of one's own. */
const keys = Number(process.env.RATELIMIT_KEYS ?? 20_000);
const atOnce = 1_000;
const mostBytesPerKey = 200;

const usedBytes = async ({ admin }: DedicatedValkey): Promise<number> =>
  Number(/^used_memory_dataset:(\d+)/m.exec(await admin.info('memory'))?.[1]);

describe('a flood of keys', () => {
  let valkey: DedicatedValkey;
  let store: RedisStore;
  before(async () => {
    valkey = await startDedicatedValkey();
    store = openRedisStore({ url: valkey.url, answerMilliseconds: 20_000 });
  });
  after(async () => {
    await store.close();
    await valkey.stop();
  });

  it(`takes so much of the server's memory per key and no more, for as long as it matters, and of this process a bounded part`, async () => {
    const before = await usedBytes(valkey);
    const local = localLimits({ keys: 5_000 });
    const { limit } = chargeOf('', bucketOf(1_000));
    for (let from = 0; from < keys; from += atOnce)
      await Promise.all(
        Array.from({ length: atOnce }, async (_, index) => {
          const charge = { key: `limit:{v${String(from + index).padStart(27, '0')}}:${randomUUID()}`, limit, cost: 1 };
          const decided = await chargeStore(store, charge);
          assert.equal(decided?.outcome, 'admitted');
          local.observe([charge], decided);
        }),
      );
    const [, held, expiring] = /db0:keys=(\d+),expires=(\d+)/.exec(await valkey.admin.info('keyspace')) ?? [];
    assert.equal(Number(held), keys);
    assert.equal(expiring, held, 'every key goes by itself');
    const bytes = ((await usedBytes(valkey)) - before) / keys;
    if (process.env.RATELIMIT_KEYS !== undefined) console.log(`${bytes.toFixed(1)} bytes per key of ${keys}`);
    assert.ok(bytes < mostBytesPerKey, `${bytes} bytes per key`);
    assert.ok(local.sizes().observed <= 5_001);
  });
});
