/** Forms posted to addresses of third parties. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLeft, right } from 'fp-ts/Either';
import { openRemoteForm } from '../../../../infra/adapters/remote/post-form';

describe('posting a form to addresses of third parties', () => {
  let server: Server;
  let url: string;
  let received: string[];
  const post = openRemoteForm({ allowPrivate: true, milliseconds: 2_000 });
  before(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString('utf8');
      });
      request.once('end', () => {
        received.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
        if (request.url === '/silent') return;
        if (request.url === '/moved') return void response.writeHead(307, { location: '/logout' }).end();
        if (request.url === '/large') return void response.end('x'.repeat(100_000));
        response.writeHead(request.url === '/fails' ? 500 : 204).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    received = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('answers the status', async () => {
    assert.deepEqual(await post(`${url}/logout`, { logout_token: 'a.b+c' }), right(204));
    assert.deepEqual(received, ['POST /logout application/x-www-form-urlencoded logout_token=a.b%2Bc']);
    assert.deepEqual(await post(`${url}/fails`, {}), right(500));
  });

  it('follows no redirect', async () => {
    assert.deepEqual(await post(`${url}/moved`, {}), right(307));
    assert.equal(received.length, 1);
  });

  it('reads no more than a little', async () => assert.ok(isLeft(await post(`${url}/large`, {}))));

  it('does not wait for ever', async () => {
    const hasty = openRemoteForm({ allowPrivate: true, milliseconds: 50 });
    assert.ok(isLeft(await hasty(`${url}/silent`, {})));
  });

  it('reaches nothing of ours, and nothing without TLS, where it may not', async () => {
    const guarded = openRemoteForm({ allowPrivate: false });
    const { port } = server.address() as AddressInfo;
    for (const address of [
      `${url}/logout`,
      `https://127.0.0.1:${port}/`,
      `https://localhost:${port}/`,
      'not an address',
    ])
      assert.ok(isLeft(await guarded(address, {})), address);
    assert.deepEqual(received, []);
  });

  it('says no reason', async () => {
    const answer = await post('https://127.0.0.1:1/', {});
    assert.ok(isLeft(answer));
    assert.equal(answer.left.detail, 'The address does not answer.');
  });
});
