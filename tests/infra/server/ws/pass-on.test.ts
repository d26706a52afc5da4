import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { freePort } from '../../../../infra/operate/launch/free-port';
import { identityHeader, signCaller } from '../../../../infra/server/http/identity/identity-header';
import { listen } from '../../../../infra/server/http/server/listener';
import type { Upgrade } from '../../../../infra/server/http/server/upgrade';
import { type SocketCaller, webSocketEndpoint } from '../../../../infra/server/ws/endpoint';
import { proxySocket } from '../../../../infra/server/ws/socket-proxy';
import { capturedLog } from '../../../support/http/http-service';
import { callerKeys, signer } from '../../../support/http/internal-keys';

const protocol = 'septet.test.v1';
const identity = { tenantId: 'acme', principalId: 'p-1', principalType: 'user', scopes: [], tokenId: 't-1' };

/** Sends back each message, and records the callers. */
const echoing = (callers: SocketCaller[], draining: AbortController): Upgrade =>
  webSocketEndpoint({
    routes: [
      {
        path: '/v1/things/:thingId/socket',
        protocol,
        scopes: [],
        admit: (caller) => {
          callers.push(caller);
          return (socket) => (content) => void socket.send(Buffer.from(JSON.stringify(content)));
        },
      },
    ],
    callerKeys,
    log: capturedLog(),
    signal: draining.signal,
    largestMessage: 300_000,
  });

const received = (socket: WebSocket): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.once('message', (bytes: Buffer) => resolve(bytes.toString()));
    socket.once('close', (code: number) => reject(new Error(`closed with ${code}`)));
    socket.once('error', reject);
  });

describe('a WebSocket that is passed on', () => {
  const callers: SocketCaller[] = [];
  const draining = new AbortController();
  const nothing = () => undefined;
  let owner: Awaited<ReturnType<typeof listen>>;
  let other: Awaited<ReturnType<typeof listen>>;
  let address = '';
  before(async () => {
    owner = await listen(nothing, { host: '127.0.0.1', port: 0, upgrade: echoing(callers, draining) });
    address = `http://127.0.0.1:${owner.port}`;
    other = await listen(nothing, {
      host: '127.0.0.1',
      port: 0,
      upgrade: (upgrading) => proxySocket(upgrading, address),
    });
  });
  after(async () => {
    draining.abort();
    await Promise.all([owner.close(), other.close()]);
  });

  const open = (path: string): WebSocket => {
    const line = { method: 'GET', target: path };
    const header = signCaller({ identity, requestId: 'r-1' }, { signer, line, now: Date.now() });
    return new WebSocket(`ws://127.0.0.1:${other.port}${path}`, protocol, { headers: { [identityHeader]: header } });
  };

  it('reaches its owner with who asks, what for, and every byte', async () => {
    const socket = open('/v1/things/th_1/socket?a=b');
    await new Promise((resolve) => socket.once('open', resolve));
    assert.equal(socket.protocol, protocol);
    for (const size of [1, 200, 70_000, 250_000]) {
      const answer = received(socket);
      socket.send(JSON.stringify('x'.repeat(size)));
      assert.equal((await answer).length, size + 2);
    }
    const [caller] = callers as [SocketCaller];
    assert.deepEqual(caller.parameters, { thingId: 'th_1' });
    assert.deepEqual([caller.identity.principalId, caller.query], ['p-1', 'a=b']);
    const closed = new Promise((resolve) => socket.once('close', (code: number) => resolve(code)));
    socket.send(JSON.stringify('x'.repeat(300_000)));
    assert.equal(await closed, 1009);
  });

  it('is refused where the owner refuses, and when the owner is gone', async () => {
    await assert.rejects(received(open('/v1/things/a.b/socket')), /404/);
    await assert.rejects(received(open('/v1/things/th_1/socket/more')), /404/);
    const before = address;
    address = `http://127.0.0.1:${await freePort()}`;
    await assert.rejects(received(open('/v1/things/th_1/socket')), /503/);
    address = before;
  });
});
