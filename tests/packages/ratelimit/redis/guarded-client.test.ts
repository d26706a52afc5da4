import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { guardClient } from '../../../../packages/ratelimit/src/redis/guarded-client';

/** Posts its answer, and counts it where even a busy process can see it. */
const answering = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.on('message', () => {
  parentPort.postMessage('answer');
  Atomics.add(workerData, 0, 1);
});`;

const connection = { isReady: () => true, onReady: () => undefined, onAway: () => undefined };
const guardOf = () =>
  guardClient(connection, {
    answerMilliseconds: 50,
    startMilliseconds: 0,
    breaker: { slowOf: 4, openMilliseconds: 20, longestOpenMilliseconds: 20, goodProbes: 2 },
  });

describe('the guard before a store', () => {
  it('does not take it for slowness of the store that this process was busy', async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(answering, { eval: true, workerData: flag });
    const guard = guardOf();
    try {
      await new Promise((resolve) => worker.once('online', resolve));
      for (let count = 1; count <= 20; count += 1) {
        const answer = guard.call(() => new Promise((resolve) => worker.once('message', resolve)));
        worker.postMessage('question');
        const busyUntil = performance.now() + 60;
        while (Atomics.load(flag, 0) < count || performance.now() < busyUntil);
        assert.equal(await answer, 'answer');
      }
      assert.deepEqual(guard.breakerMetrics(), { state: 'closed', opened: 0, reasons: [] });
    } finally {
      await worker.terminate();
    }
  });

  it('gives up a store that is slow, and asks again once it has been measured to be well', async () => {
    const guard = guardOf();
    for (let count = 0; count < 4; count += 1) await guard.call(() => sleep(200, 'answer'));
    assert.deepEqual(guard.breakerMetrics(), { state: 'open', opened: 1, reasons: ['slow'] });
    await sleep(25);
    await guard.call(() => sleep(200, 'answer'));
    assert.deepEqual(guard.breakerMetrics(), { state: 'open', opened: 2, reasons: ['slow', 'slow'] });
    await sleep(25);
    for (let count = 0; count < 2; count += 1) await guard.call(async () => 'answer');
    assert.equal(guard.breakerMetrics().state, 'closed');
  });

  it('gives up a store that does not answer', async () => {
    const guard = guardOf();
    const never = new Promise<string>(() => undefined);
    const answers = await Promise.all(Array.from({ length: 5 }, () => guard.callWithTimeout(() => never)));
    assert.deepEqual(new Set(answers), new Set([undefined]));
    assert.deepEqual(guard.breakerMetrics(), { state: 'open', opened: 1, reasons: ['too-slow'] });
  });
});
