/** What becomes of limits in a store that is full, that may forget them, or that is a copy which is behind. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { StoreWarning } from '../../../../packages/ratelimit/src/redis/eviction-health';
import { type DedicatedValkey, startDedicatedValkey } from '../../../support/servers/dedicated-valkey';
import { eventually } from '../../../support/waiting/eventually';
import { bucketOf, chargeOf, chargeStore, countAdmitted, remainingOf, slowLimits, untilStoreRecovers } from './charges';
import { useStoresOn } from './stores-on-valkey';

describe('limits in Redis, when it has no room or is not up to date', () => {
  let valkey: DedicatedValkey;
  const { opened, closeAll } = useStoresOn(() => valkey);
  const key = (): string => `{${randomUUID()}}`;

  before(async () => {
    valkey = await startDedicatedValkey();
  });
  afterEach(async () => {
    await closeAll();
    await valkey.admin.config('SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction');
  });
  after(() => valkey.stop());

  it('full: answers no charge, and writes none of the limits of a request', async () => {
    const store = opened();
    await untilStoreRecovers(store);
    const tag = key();
    const all = slowLimits(5).map((limit, index) => chargeOf(`${tag}:${index}`, limit));
    assert.equal((await chargeStore(store, ...all))?.outcome, 'admitted');
    await valkey.admin.config('SET', 'maxmemory', '1');
    for (const one of [...all.map((charge) => [charge]), all])
      assert.equal(await chargeStore(store, ...one), undefined);
    assert.ok(store.breakerMetrics().reasons.includes('OOM'));
    await valkey.admin.config('SET', 'maxmemory', '0');
    await untilStoreRecovers(store);
    for (const charge of all) assert.equal(await remainingOf(store, charge), 4, charge.limit.source.algorithm);
  });

  it('allowed to forget: warns of it at the start, and of what was forgotten', async () => {
    const { used_memory: used = '0' } = Object.fromEntries(
      (await valkey.admin.info('memory')).split('\r\n').map((line) => line.split(':')),
    );
    await valkey.admin.config('SET', 'maxmemory', String(Number(used) + 100_000), 'maxmemory-policy', 'allkeys-lru');
    const warnings: StoreWarning[] = [];
    const store = opened({ onWarning: (warning: StoreWarning) => warnings.push(warning) });
    await eventually(async () => assert.deepEqual(warnings, ['may-evict']));
    for (let flood = 0; flood < 10; flood += 1)
      await Promise.all(
        Array.from({ length: 500 }, (_, index) => chargeStore(store, chargeOf(`{${flood}-${index}}`, bucketOf(1)))),
      );
    const health = await store.health();
    assert.deepEqual(health.warnings, ['may-evict', 'has-evicted']);
    assert.ok(health.evictedKeys > 0);
    await valkey.admin.flushall();
    await valkey.admin.config('RESETSTAT');
  });

  it('a lagging replica: admits again what it had not replicated, and not more', async () => {
    await valkey.admin.config('SET', 'repl-diskless-sync-delay', '0');
    const copy = await startDedicatedValkey('--replicaof', '127.0.0.1', String(valkey.port));
    try {
      const store = opened();
      const charge = chargeOf(key(), bucketOf(100));
      assert.equal(await countAdmitted(40, store, charge), 40);
      await eventually(async () => assert.equal(await copy.admin.exists(charge.key), 1));
      await valkey.admin.wait(1, 0);
      const after = opened({ url: copy.url });
      assert.equal(await chargeStore(after, charge), undefined, 'a copy takes nothing');
      await eventually(async () => assert.deepEqual((await after.health()).warnings, ['replica']));
      await copy.admin.replicaof('NO', 'ONE');
      const unheard = await countAdmitted(30, store, charge);
      await untilStoreRecovers(after);
      const admitted = await countAdmitted(200, after, charge);
      assert.equal(40 + unheard + admitted, 100 + unheard);
    } finally {
      await copy.stop();
    }
  });
});
