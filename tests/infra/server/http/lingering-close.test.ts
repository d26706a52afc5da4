/** Answers to clients that are still sending: they get the whole answer, and the connection ends at last. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { endUnread } from '../../../../infra/server/http/server/lingering-close';
import { type Listener, listen } from '../../../../infra/server/http/server/listener';
import { eventually } from '../../../support/waiting/eventually';

const mebibyte = 2 ** 20;
const chunk = Buffer.from(`10000\r\n${'b'.repeat(65_536)}\r\n`);

describe('an answer to a request that is not read to its end', () => {
  let listener: Listener;
  let accepted: Socket;
  let client: Socket;
  let maxMilliseconds: number;
  let received: string;
  before(async () => {
    const answer = (response: ServerResponse): void => {
      accepted = response.req.socket;
      response.writeHead(409, { Connection: 'close' });
      response.write('no');
      endUnread(response, undefined, { maxBytes: 8 * mebibyte, maxMilliseconds });
    };
    listener = await listen((_request, response) => answer(response), { host: '127.0.0.1', port: 0 });
  });
  after(() => listener.close());
  beforeEach(() => {
    received = '';
    maxMilliseconds = 60_000;
    client = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    client
      .on('error', () => undefined)
      .on('data', (bytes) => {
        received += String(bytes);
      });
    client.write('PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  });
  afterEach(() => void client.destroy());

  const isWhole = (): void => assert.match(received, /^HTTP\/1\.1 409 [\s\S]*\r\nno\r\n0\r\n\r\n$/);

  it('is there as a whole, with its end, while the rest is still taken', async () => {
    await once(client, 'end');
    isWhole();
    assert.equal(accepted.destroyed, false);
    const before = accepted.bytesRead;
    client.write(chunk);
    await eventually(async () => assert.ok(accepted.bytesRead > before));
    client.destroy();
    await once(accepted, 'close');
  });

  it('ends the connection once the request has ended', async () => {
    await once(client, 'end');
    client.end('0\r\n\r\n');
    await Promise.all([once(accepted, 'close'), once(client, 'close')]);
    isWhole();
  });

  it('ends the connection at last when the client neither ends nor leaves', async () => {
    maxMilliseconds = 50;
    await once(client, 'end');
    isWhole();
    if (!accepted.destroyed) await once(accepted, 'close');
  });

  it('reaches a client that looks late and sends without end, and of which a bounded part is taken', async () => {
    await once(client, 'connect');
    client.pause();
    const send = (): void => {
      while (!client.destroyed && client.write(chunk));
    };
    client.on('drain', send);
    send();
    await eventually(async () => assert.ok(accepted.bytesRead >= 8 * mebibyte));
    client.resume();
    await once(client, 'end');
    isWhole();
    assert.ok(accepted.bytesRead < 9 * mebibyte);
    // A connection that is not read does not show its end.
    accepted.destroy();
  });
});
