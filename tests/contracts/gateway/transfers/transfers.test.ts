/** Bodies of any size pass through the gateway in both directions, and its memory stays as it is. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sized } from '../../../support/runner/size';
import { eventually } from '../../../support/waiting/eventually';
import { answerTo, download, openRequest, receive, upload, writeBytes } from './client';
import { startTransferSystem, type TransferSystem } from './system';

const mebibyte = 2 ** 20;
const size = sized({ short: 256 * mebibyte, long: 2_048 * mebibyte });
/** Of both directions together: buffers of sockets that wait to be collected. */
const maxGrowth = 64;

describe('transfers through the gateway', function () {
  this.timeout(sized({ short: 60_000, long: 300_000 }));
  let system: TransferSystem;
  let idleMemory: number;
  before(async () => {
    system = await startTransferSystem();
    // What the first requests load is no growth.
    await upload(system, { method: 'PUT', path: '/transfers/count' }, 32 * mebibyte);
    await download(system, `/transfers/bytes?size=${32 * mebibyte}`);
    idleMemory = system.memory();
  });
  after(() => system.close());

  const assertFlat = (peak: number): void =>
    assert.ok(peak - idleMemory < maxGrowth, `The gateway grew by ${Math.round(peak - idleMemory)} MiB.`);

  it('take an upload with a length, and without one', async () => {
    for (const headers of [{ 'content-length': size }, { 'transfer-encoding': 'chunked' }] as Record<
      string,
      string | number
    >[]) {
      const peak = await system.peakDuring(async () => {
        const answer = await upload(system, { method: 'PUT', path: '/transfers/count', headers }, size);
        assert.deepEqual([answer.status, answer.body.bytes], [200, size]);
      });
      assertFlat(peak);
    }
  });

  it('take a download with a length, and without one', async () => {
    for (const name of ['bytes', 'chunked']) {
      const peak = await system.peakDuring(async () => {
        assert.equal(await download(system, `/transfers/${name}?size=${size}`), size);
      });
      assertFlat(peak);
    }
  });

  it('answer while they are still sent', async () => {
    const sent = openRequest(system, { method: 'POST', path: '/transfers/echo' });
    sent.write('one');
    const answer = await answerTo(sent);
    const parts: string[] = [];
    for await (const part of answer) {
      parts.push(String(part));
      if (parts.length === 1) sent.end('two');
    }
    assert.deepEqual(parts, ['one', 'two']);
  });

  it('wait for a service that reads slowly and a client that reads slowly, without collecting', async () => {
    const peak = await system.peakDuring(async () => {
      const sent = openRequest(system, { method: 'PUT', path: '/transfers/brief/stall' });
      void writeBytes(sent, 64 * mebibyte);
      const got = openRequest(system, { method: 'GET', path: `/transfers/bytes?size=${64 * mebibyte}` });
      got.end();
      const answer: IncomingMessage = await answerTo(got);
      await sleep(500);
      assert.ok(answer.readableLength < mebibyte);
      const refused = await receive(await answerTo(sent));
      assert.deepEqual([refused.status, refused.code], [504, 'timeout']);
      sent.destroy();
      got.destroy();
    });
    assertFlat(peak);
    await eventually(async () => assert.equal(system.service.last().outcome, 'aborted'));
  });
});
