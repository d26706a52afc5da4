/** Limits on a cluster: where all keys of a request lie together, where they do not, and while they move. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openRedisStore, type RedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import type { LimitCharge } from '../../../../packages/ratelimit/src/store/limit-charge';
import { type DedicatedCluster, startDedicatedCluster } from '../../../support/servers/dedicated-valkey-cluster';
import { eventually } from '../../../support/waiting/eventually';
import {
  bucketOf,
  chargeOf,
  chargeStore,
  concurrencyOf,
  countAdmitted,
  remainingOf,
  reservationOf,
  slowLimits,
} from './charges';

describe('limits on a cluster', () => {
  let cluster: DedicatedCluster;
  let store: RedisStore;
  before(async () => {
    cluster = await startDedicatedCluster();
    store = openRedisStore({ cluster: cluster.urls.slice(0, 1), answerMilliseconds: 5_000 });
  });
  after(async () => {
    await store.close();
    await cluster.stop();
  });

  /** One limit on each master. */
  const apart = async (...limits: readonly number[]): Promise<readonly LimitCharge[]> =>
    Promise.all(limits.map(async (limit, at) => chargeOf(`${await cluster.tagOn(at)}:l`, bucketOf(limit))));
  const remaining = (all: readonly LimitCharge[]) => Promise.all(all.map((charge) => remainingOf(store, charge)));

  it('counts exactly where all keys of a request lie together, with whichever master', async () => {
    for (const master of [0, 1, 2]) {
      const tag = await cluster.tagOn(master);
      const all = slowLimits(20).map((limit, index) => chargeOf(`${tag}:${index}`, limit));
      assert.equal(await countAdmitted(50, store, ...all), 20);
      const mode = { ...reservationOf(`${tag}:r`), context: 'what it takes' };
      assert.equal(
        (await store.decide(mode, randomUUID(), [chargeOf(`${tag}:r1`, concurrencyOf(1))]))?.outcome,
        'admitted',
      );
      assert.equal(await store.context(`${tag}:r`), 'what it takes');
      const settlement = { reservation: `${tag}:r`, actual: [0], final: true };
      assert.deepEqual(await store.settle(settlement), { outcome: 'settled', changes: [-1] });
    }
  });

  it('takes of limits that lie apart all or nothing, whichever of them refuses', async () => {
    for (const full of [0, 1, 2]) {
      const all = await apart(...[10, 10, 10].map((limit, at) => (at === full ? 3 : limit)));
      for (let passes = 0; passes < 3; passes += 1)
        assert.equal((await chargeStore(store, ...all))?.outcome, 'admitted');
      const decided = await chargeStore(store, ...all);
      assert.equal(decided?.outcome, 'refused');
      assert.deepEqual(
        decided.limits.map(({ over, remaining: left }) => [over, left]),
        [0, 1, 2].map((at) => (at === full ? [true, 0] : [false, 7])),
      );
      assert.deepEqual(
        await remaining(all),
        [0, 1, 2].map((at) => (at === full ? 0 : 7)),
      );
    }
  });

  it('admits exactly as many as the smallest of them allows when they come one after the other, and never more at once', async () => {
    const all = await apart(30, 20, 25);
    const together = await countAdmitted(60, store, ...all);
    assert.ok(together <= 20, `${together} of 20`);
    for (let rest = together; rest < 20; rest += 1)
      assert.equal((await chargeStore(store, ...all))?.outcome, 'admitted');
    assert.equal((await chargeStore(store, ...all))?.outcome, 'refused');
    assert.deepEqual(await remaining(all), [10, 0, 5]);
  });

  it('settles a reservation wherever it took something, once', async () => {
    const [tokens, requests] = await apart(100, 50);
    assert.ok(tokens !== undefined && requests !== undefined);
    const charges = [{ ...tokens, cost: 40 }, requests, { ...chargeOf(`${requests.key}:slots`, concurrencyOf(2)) }];
    const reservation = `${requests.key}:r`;
    const mode = { ...reservationOf(reservation), context: 'two\nlines' };
    assert.equal((await store.decide(mode, randomUUID(), charges))?.outcome, 'admitted');
    assert.deepEqual(await remaining(charges), [60, 49, 1]);
    assert.equal(await store.context(reservation), 'two\nlines');
    const soFar = await store.settle({ reservation, actual: [45, undefined, undefined], final: false });
    assert.deepEqual(soFar, { outcome: 'settled', changes: [5, 0, 0] });
    const settlement = { reservation, actual: [10, 1, 0], final: true };
    assert.deepEqual(await store.settle(settlement), { outcome: 'settled', changes: [-35, 0, -1] });
    assert.equal((await store.settle(settlement))?.outcome, 'settled-before');
    assert.deepEqual(await remaining(charges), [90, 49, 2]);
    assert.deepEqual(await store.settle({ ...settlement, reservation: `${requests.key}:other` }), {
      outcome: 'unknown',
      changes: [],
    });
  });

  it('goes on while a slot moves to another master, and when it has moved', async () => {
    const [from, to] = [cluster.masters[0], cluster.masters[1]];
    assert.ok(from !== undefined && to !== undefined);
    const tag = await cluster.tagOn(0);
    const [before, during] = [chargeOf(`${tag}:before`, bucketOf(10)), chargeOf(`${tag}:during`, bucketOf(10))];
    assert.equal(await countAdmitted(4, store, before), 4);
    const slot = String(await cluster.slotOf(tag));
    const [fromId, toId] = [await cluster.idOf(from), await cluster.idOf(to)];
    await to.admin.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
    await from.admin.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
    assert.equal(await countAdmitted(4, store, during), 4, 'a key that is not there yet is read where it will be');
    assert.equal(await countAdmitted(1, store, before), 1, 'a key that is there still is read there');
    await from.admin.call('MIGRATE', '127.0.0.1', String(to.port), before.key, '0', '1000');
    for (const { admin } of [to, from, ...cluster.masters.slice(2)])
      await admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
    assert.equal(await countAdmitted(20, store, before), 5);
    assert.equal(await countAdmitted(20, store, during), 6);
    assert.equal(store.breakerMetrics().opened, 0);
  });

  it('goes on with the copy of a master that was killed', async () => {
    const [killed] = cluster.masters;
    assert.ok(killed !== undefined);
    const charge = chargeOf(`${await cluster.tagOn(0)}:l`, bucketOf(10));
    assert.equal(await countAdmitted(4, store, charge), 4);
    await eventually(async () => assert.equal(await killed.admin.wait(1, 100), 1));
    const other = chargeOf(`${await cluster.tagOn(2)}:l`, bucketOf(100_000));
    await killed.kill();
    await eventually(() => cluster.copy.admin.cluster('FAILOVER', 'TAKEOVER'));
    await eventually(async () => assert.equal(await remainingOf(store, charge), 6));
    await eventually(async () => assert.equal((await chargeStore(store, other))?.outcome, 'admitted'));
    assert.equal(await countAdmitted(20, store, charge), 6);
  });

  it('gives back what it took with one master when the next one is gone', async () => {
    const gone = cluster.masters[2];
    assert.ok(gone !== undefined);
    const [there, away] = [await cluster.tagOn(1), await cluster.tagOn(2)].map((tag) =>
      chargeOf(`${tag}:l`, bucketOf(10)),
    );
    assert.ok(there !== undefined && away !== undefined);
    assert.equal((await chargeStore(store, there, away))?.outcome, 'admitted');
    await gone.kill();
    assert.equal(await chargeStore(store, there, away), undefined);
    await eventually(async () => assert.equal(await remainingOf(store, there), 9));
  });
});
