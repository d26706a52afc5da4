/** Whole transfers pass, and ordinary requests are answered, while others on the same gateway stall, die, send too much and do not read. */
import assert from 'node:assert/strict';
import type { ClientRequest } from 'node:http';
import { sized } from '../../../support/runner/size';
import { answerTo, download, openRequest, receive, upload, writeBytes } from './client';
import { smallMaxBytes } from './context';
import { startTransferSystem, type TransferSystem } from './system';

const mebibyte = 2 ** 20;
const size = sized({ short: 256 * mebibyte, long: 2_048 * mebibyte });
/** Each bad neighbour holds what the sockets and the streams of both sides hold. */
const maxGrowth = 96;
const neighboursOfKind = 3;

describe('transfers beside others that misbehave', function () {
  this.timeout(sized({ short: 60_000, long: 300_000 }));
  let system: TransferSystem;
  before(async () => {
    system = await startTransferSystem();
    await upload(system, { method: 'PUT', path: '/films/count' }, 32 * mebibyte);
    await download(system, `/films/bytes?size=${32 * mebibyte}`);
  });
  after(() => system.close());

  const put = (path: string): ClientRequest => openRequest(system, { method: 'PUT', path });
  const get = (path: string): ClientRequest => {
    const sent = openRequest(system, { method: 'GET', path });
    sent.end();
    return sent;
  };

  const unread: ClientRequest[] = [];
  /** Each does wrong once; the request and what it was answered with, if at all. */
  const kinds: readonly (() => Promise<unknown>)[] = [
    async () => {
      const sent = put('/transfers/brief/stall');
      void writeBytes(sent, 64 * mebibyte);
      const { status } = await receive(await answerTo(sent));
      sent.destroy();
      return status;
    },
    async () => (await upload(system, { method: 'PUT', path: '/transfers/die' }, 64 * mebibyte)).status,
    async () => (await upload(system, { method: 'PUT', path: '/transfers/small/count' }, 4 * smallMaxBytes)).status,
    async () => {
      const sent = put('/transfers/brief/count');
      await writeBytes(sent, mebibyte);
      const { status } = await receive(await answerTo(sent));
      sent.destroy();
      return status;
    },
    async () => {
      const sent = get(`/transfers/bytes?size=${64 * mebibyte}`);
      unread.push(sent);
      await answerTo(sent);
      return 'unread';
    },
    async () => download(system, '/transfers/die').catch(() => 'cut'),
    async () => {
      const sent = get(`/transfers/bytes?size=${64 * mebibyte}`);
      (await answerTo(sent)).once('data', () => sent.destroy());
      return 'left';
    },
  ];
  const expected = [504, 503, 413, 408, 'unread', 'cut', 'left'];

  const misbehave = (): Promise<readonly unknown[]> =>
    Promise.all(kinds.flatMap((kind) => Array.from({ length: neighboursOfKind }, kind)));

  it('are whole, in a memory that does not grow, and requests beside them are answered', async () => {
    const idle = system.memory();
    const headers = { authorization: `Bearer ${system.token()}` };
    let isOver = false;
    const requestsBeside = async (): Promise<number> => {
      let answered = 0;
      for (; !isOver; answered += 1) {
        const response = await fetch(`${system.url}/shelves/r-1/actions/runs`, { headers });
        await response.arrayBuffer();
        assert.equal(response.status, 200);
      }
      return answered;
    };
    let outcomes: readonly unknown[] = [];
    let beside = 0;
    const peak = await system.peakDuring(async () => {
      const requests = requestsBeside();
      const [bad, sent, got] = await Promise.all([
        misbehave(),
        upload(system, { method: 'PUT', path: '/films/count' }, size),
        download(system, `/films/bytes?size=${size}`),
      ]).finally(() => {
        isOver = true;
        for (const request of unread) request.destroy();
      });
      assert.deepEqual([sent.status, sent.body.bytes, got], [200, size, size]);
      outcomes = bad;
      beside = await requests;
    });
    assert.deepEqual(
      outcomes,
      expected.flatMap((one) => Array.from({ length: neighboursOfKind }, () => one)),
    );
    assert.ok(beside > 20, `${beside} requests were answered`);
    assert.ok(peak - idle < maxGrowth, `The gateway grew by ${Math.round(peak - idle)} MiB.`);
  });
});
