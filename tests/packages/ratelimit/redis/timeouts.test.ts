import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { createTimeouts, ResponseTimeout } from '../../../../packages/ratelimit/src/redis/timeouts';

/** Posts its answer, and counts it where even a busy process can see it. */
const answering = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.on('message', () => {
  parentPort.postMessage('answer');
  Atomics.store(workerData, 0, 1);
});`;

describe('deadlines', () => {
  it('gives what comes in time, and the failure of what fails', async () => {
    const { within } = createTimeouts(1_000);
    assert.equal(await within(Promise.resolve('answer')), 'answer');
    await assert.rejects(within(Promise.reject(new Error('no'))), { message: 'no' });
  });

  it('gives up on what does not come, each after its own time', async () => {
    const { within } = createTimeouts(10);
    const never = new Promise<string>(() => undefined);
    await assert.rejects(within(never), ResponseTimeout);
    const several = await Promise.allSettled([within(never), within(Promise.resolve('answer')), within(never)]);
    assert.deepEqual(
      several.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected'],
    );
  });

  it('tells what came too late, and takes no harm from what failed too late', async () => {
    const { within } = createTimeouts(10);
    let answer: (text: string) => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    const notifications: string[] = [];
    const work = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const failing = new Promise<string>((_, reject) => {
      fail = reject;
    });
    await assert.rejects(
      within(work, (late) => notifications.push(late)),
      ResponseTimeout,
    );
    await assert.rejects(
      within(failing, (late) => notifications.push(late)),
      ResponseTimeout,
    );
    answer('late');
    fail(new Error('late'));
    await work;
    assert.deepEqual(notifications, ['late']);
  });

  it('does not take it for slowness of the other that this process was busy', async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(answering, { eval: true, workerData: flag });
    try {
      await new Promise((resolve) => worker.once('online', resolve));
      const answer = createTimeouts(10).within(new Promise((resolve) => worker.once('message', resolve)));
      worker.postMessage('question');
      const busyUntil = performance.now() + 50;
      while (Atomics.load(flag, 0) === 0 || performance.now() < busyUntil);
      assert.equal(await answer, 'answer');
    } finally {
      await worker.terminate();
    }
  });
});
