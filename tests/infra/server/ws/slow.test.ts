import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { signedHeader } from '../../../support/http/http-service';
import { openSocketClient, type SocketClient } from '../../../support/http/socket-client';
import { startStreamService } from '../../../support/http/stream-fixture';

/** So much for each that the buffers of the system between both ends cannot hold it. */
const readers = 12;
const events = 1_600;
const body = { text: 'x'.repeat(16_000) };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is in use once garbage is gone, in MiB. */
const collected = (): number => {
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return (heapUsed + external + arrayBuffers) / 1_048_576;
};

/** A client of server-sent events that reads only on demand. */
const slowEvents = async (port: number) => {
  const path = '/v1/things/stream';
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nSeptet-Identity: ${signedHeader('GET', path)}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
};

const numbersFrom = async (socket: AsyncIterable<Buffer>): Promise<readonly number[]> => {
  const seen: number[] = [];
  let rest = '';
  for await (const chunk of socket) {
    const blocks = `${rest}${chunk.toString()}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks)
      seen.push(...[...block.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number)));
    if (seen.length >= events) break;
  }
  return seen;
};

const everything = Array.from({ length: events }, (_, index) => index + 1);

describe('slow readers', function () {
  this.timeout(60_000);
  let service: Awaited<ReturnType<typeof startStreamService>>;
  before(async () => {
    service = await startStreamService({ capacity: 64 });
  });
  after(() => service.close());

  const slowSocket = async (): Promise<SocketClient> => {
    const headers = { 'septet-identity': signedHeader('GET', '/v1/streams') };
    const client = await openSocketClient(`ws://127.0.0.1:${service.port}/v1/streams`, { headers });
    client.sendJson({ type: 'subscribe', id: 's', stream: 'things' });
    for (const type of ['welcome', 'subscribed', 'ready']) assert.equal((await client.next()).type, type);
    client.socket.pause();
    return client;
  };
  const record = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      await service.append('acme', body);
      if (index % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const fallbacks = async (): Promise<number> =>
    Number(/^stream_fallbacks_total\{.*\} (\d+)/m.exec(await service.metrics.text())?.[1] ?? 0);

  it('cost no memory, delay no others, and eventually get everything', async () => {
    const sockets: SocketClient[] = [];
    const streams = [];
    for (let count = 0; count < readers; count += 2) {
      sockets.push(await slowSocket());
      streams.push(await slowEvents(service.port));
    }
    // Until the buffers on the way are full.
    await record(events / 2);
    const before = collected();
    await record(events / 2);
    const grown = collected() - before;
    // The log in memory takes 13 of them; queues for every reader would take 150 more.
    assert.ok(grown < 60, `${grown.toFixed(1)} MiB more`);

    const reading = sockets.map(async ({ socket, next }) => {
      socket.resume();
      const seen: unknown[] = [];
      while (seen.length < events) seen.push((await next()).data?.number ?? 'other');
      return seen.filter((one) => one !== 'other');
    });
    for (const seen of await Promise.all(reading))
      assert.deepEqual(seen.slice(0, events), everything.slice(0, seen.length));
    for (const socket of streams) assert.deepEqual(await numbersFrom(socket), everything);
    assert.ok((await fallbacks()) >= readers);
    for (const { socket } of sockets) socket.terminate();
  });
});
