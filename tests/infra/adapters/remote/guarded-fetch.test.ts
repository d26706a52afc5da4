import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createGuardedFetch } from '../../../../infra/adapters/remote/guarded-fetch';

describe('a guarded fetch', () => {
  let server: Server;
  let origin: string;
  let requestedPaths: string[];
  before(async () => {
    server = createServer((request, response) => {
      requestedPaths.push(request.url ?? '');
      if (request.url === '/moved') return void response.writeHead(302, { location: '/here' }).end();
      if (request.url === '/empty') return void response.writeHead(204).end();
      const content = request.url === '/bomb' ? 'x'.repeat(5_000_000) : 'text';
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requestedPaths = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const get = { method: 'GET', headers: {} };
  const open = createGuardedFetch({ allowPrivate: true });

  it('answers as fetch does', async () => {
    const answer = await open(`${origin}/here`, get);
    assert.ok(answer instanceof Response);
    assert.deepEqual([answer.status, await answer.text()], [200, 'text']);
    assert.equal((await open(`${origin}/empty`, get)).status, 204);
  });

  it('follows no redirect', async () => {
    const { status, headers } = await open(`${origin}/moved`, get);
    assert.deepEqual([status, headers.get('location'), requestedPaths], [302, '/here', ['/moved']]);
  });

  it('unpacks no more than its bound', () => assert.rejects(open(`${origin}/bomb`, get), /too large/));

  for (const address of ['data:text/plain,x', 'file:///etc/passwd', 'blob:x'])
    it(`reads nothing from ${address}`, () => assert.rejects(open(address, get), /not public/));

  it('refuses plain HTTP, and private addresses if only public ones are allowed', async () => {
    const guarded = createGuardedFetch({ allowPrivate: false });
    for (const address of [origin, origin.replace('http:', 'https:'), 'http://example.com/'])
      await assert.rejects(guarded(address, get), /not public/, address);
    await assert.rejects(guarded(origin.replace('http://127.0.0.1', 'https://localhost'), get));
    assert.deepEqual(requestedPaths, []);
  });
});
