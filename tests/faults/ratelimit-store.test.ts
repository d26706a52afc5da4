/** What becomes of limits when their store is killed, hangs, is slow or is emptied. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { freePort } from '../../infra/operate/launch/free-port';
import { openRedisStore } from '../../packages/ratelimit/src/redis/redis-store';
import {
  bucketOf,
  chargeOf,
  chargeStore,
  concurrencyOf,
  countAdmitted,
  remainingOf,
  reservationOf,
  untilBreakerOpens,
  untilStoreRecovers,
} from '../contracts/ratelimit/store/charges';
import { options, useStoresOn } from '../contracts/ratelimit/store/stores-on-valkey';
import { type DedicatedValkey, startDedicatedValkey } from '../support/servers/dedicated-valkey';
import { openProxy } from '../support/servers/proxy';
import { eventually } from '../support/waiting/eventually';

/** So that what hangs is found out soon. */
const impatient = { ...options, answerMilliseconds: 50 };

describe('limits in Redis, when it fails', () => {
  let valkey: DedicatedValkey;
  const { opened, closeAll } = useStoresOn(() => valkey);
  const key = (): string => `{${randomUUID()}}`;

  before(async () => {
    valkey = await startDedicatedValkey();
  });
  afterEach(async () => {
    await closeAll();
    valkey.resume();
  });
  after(() => valkey.stop());

  it('killed: is reported as unavailable, and starts fresh when it is back empty', async () => {
    const store = opened();
    const charge = chargeOf(key(), bucketOf(5));
    assert.equal(await countAdmitted(9, store, charge), 5);
    await valkey.kill();
    await untilBreakerOpens(store);
    assert.deepEqual(
      new Set(await Promise.all(Array.from({ length: 50 }, () => chargeStore(store, charge)))),
      new Set([undefined]),
    );
    assert.ok(store.breakerMetrics().opened >= 1);
    await valkey.restart();
    await untilStoreRecovers(store);
    assert.equal(await countAdmitted(9, store, charge), 5);
  });

  it('not there from the beginning: the first question is answered as soon as that is known', async () => {
    const port = await freePort();
    const store = opened({ url: `redis://127.0.0.1:${port}`, startMilliseconds: 60_000 });
    const began = performance.now();
    assert.equal(await chargeStore(store, chargeOf(key(), bucketOf(1))), undefined);
    assert.ok(performance.now() - began < 10_000);
  });

  it('killed under load: every request is answered, and none is counted twice for it', async () => {
    const store = opened();
    const charge = chargeOf(key(), bucketOf(1_000));
    await chargeStore(store, charge);
    const all = Promise.all(Array.from({ length: 500 }, () => chargeStore(store, charge)));
    await valkey.kill();
    const answers = await all;
    assert.ok(answers.every((decided) => decided === undefined || decided.outcome === 'admitted'));
    await valkey.restart();
    await untilStoreRecovers(store);
    assert.equal(await remainingOf(store, charge), 1_000, 'what was under way is not sent again');
  });

  it('hanging: answers nevertheless, stops calling the store, and calls it again when it goes on', async () => {
    const store = opened(impatient);
    const charge = chargeOf(key(), bucketOf(1_000));
    await untilStoreRecovers(store);
    valkey.pause();
    await untilBreakerOpens(store);
    assert.ok(store.breakerMetrics().reasons.includes('too-slow'));
    valkey.resume();
    await untilStoreRecovers(store);
    assert.ok((await chargeStore(store, charge)) !== undefined);
  });

  it('hanging: late reservations hold nothing', async () => {
    const store = opened(impatient);
    await untilStoreRecovers(store);
    const charge = chargeOf(key(), concurrencyOf(3));
    valkey.pause();
    const late = await Promise.all(
      [1, 2, 3].map((which) => store.decide(reservationOf(`${charge.key}:${which}`), randomUUID(), [charge])),
    );
    assert.deepEqual(late, [undefined, undefined, undefined]);
    valkey.resume();
    await eventually(async () => assert.equal(await remainingOf(store, charge), 3));
    assert.equal(
      (await store.settle({ reservation: `${charge.key}:1`, actual: [0], final: true }))?.outcome,
      'settled-before',
    );
  });

  it('slow: is not called while it is slow, and called again once its probes are fast', async () => {
    const proxy = await openProxy(valkey.url);
    // Open for longer than the test pauses between its calls: the next one would be a probe, which is answered.
    const breaker = { openMilliseconds: 1_000, longestOpenMilliseconds: 1_000, slowMilliseconds: 100, slowOf: 4 };
    const store = opened({ url: proxy.url, answerMilliseconds: 2_000, breaker });
    try {
      await untilStoreRecovers(store);
      proxy.slow(300);
      await untilBreakerOpens(store);
      assert.deepEqual(new Set(store.breakerMetrics().reasons), new Set(['slow']));
      proxy.slow(0);
      await untilStoreRecovers(store);
    } finally {
      await proxy.close();
    }
  });

  it('many requests at once on a busy machine: the store is not given up for delays of this process', async () => {
    const store = openRedisStore({ url: valkey.url, answerMilliseconds: 500 });
    const charge = chargeOf(key(), bucketOf(1_000_000));
    const burners = Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
    const unanswered: (string | undefined)[] = [];
    const sendChecks = async (): Promise<void> => {
      for (let check = 0; check < 10; check += 1) {
        const decided = await chargeStore(store, charge);
        if (decided === undefined) unanswered.push(store.breakerMetrics().reasons.at(-1));
        // What serving such a request takes.
        const until = performance.now() + 5;
        while (performance.now() < until);
      }
    };
    try {
      await untilStoreRecovers(store);
      await Promise.all(Array.from({ length: 80 }, sendChecks));
      assert.deepEqual(unanswered, []);
      assert.deepEqual(store.breakerMetrics(), { state: 'closed', opened: 0, reasons: [] });
    } finally {
      await Promise.all([store.close(), ...burners.map((burner) => burner.terminate())]);
    }
  });

  it('emptied: starts fresh, without a fault', async () => {
    const store = opened();
    const charge = chargeOf(key(), bucketOf(5));
    assert.equal(await countAdmitted(9, store, charge), 5);
    await valkey.admin.flushall();
    assert.equal(await countAdmitted(9, store, charge), 5);
    assert.equal(store.breakerMetrics().opened, 0);
  });

  it('without its scripts: counts on where it was', async () => {
    const store = opened();
    const charge = chargeOf(key(), bucketOf(60));
    assert.equal(await countAdmitted(40, store, charge), 40);
    await valkey.admin.script('FLUSH');
    assert.equal(await countAdmitted(40, store, charge), 20);
    assert.equal(store.breakerMetrics().opened, 0);
  });
});
