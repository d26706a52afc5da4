/** Webhooks posted to addresses of third parties. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRight, left, right } from 'fp-ts/Either';
import { openPostWebhook } from '../../../../infra/adapters/remote/post-webhook';

describe('posting a webhook to addresses of third parties', () => {
  let server: Server;
  let url: string;
  let received: string[];
  const { signal } = new AbortController();
  const request = { headers: { 'content-type': 'application/json', 'webhook-id': 'm-1' }, body: '{"a":1}', signal };
  const post = openPostWebhook({ allowPrivate: true, milliseconds: 2_000 });
  before(async () => {
    server = createServer((incoming, response) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => {
        body += chunk.toString('utf8');
      });
      incoming.once('end', () => {
        received.push(`${incoming.method} ${incoming.url} ${incoming.headers['webhook-id']} ${body}`);
        if (incoming.url === '/silent') return;
        if (incoming.url === '/moved') return void response.writeHead(307, { location: '/hook' }).end();
        if (incoming.url === '/large') return void response.writeHead(200).end('x'.repeat(50_000_000));
        if (incoming.url === '/binary') return void response.writeHead(500).end(Buffer.from([0, 0xff, 0x0a, 0x41]));
        response.writeHead(204).end();
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

  it('sends the body as it is, and answers the status', async () => {
    assert.deepEqual(await post(`${url}/hook`, request), right({ statusCode: 204, excerpt: '' }));
    assert.deepEqual(received, ['POST /hook m-1 {"a":1}']);
  });

  it('follows no redirect', async () => {
    assert.deepEqual(await post(`${url}/moved`, request), right({ statusCode: 307, excerpt: '' }));
    assert.equal(received.length, 1);
  });

  it('reads the beginning of an answer of any length', async () => {
    const answer = await post(`${url}/large`, request);
    assert.ok(isRight(answer));
    assert.deepEqual(answer.right, { statusCode: 200, excerpt: 'x'.repeat(200) });
  });

  it('makes text of what is none', async () =>
    assert.deepEqual(await post(`${url}/binary`, request), right({ statusCode: 500, excerpt: '\ufffd A' })));

  it('does not wait for ever, nor for what was ended', async () => {
    const hasty = openPostWebhook({ allowPrivate: true, milliseconds: 50 });
    assert.deepEqual(await hasty(`${url}/silent`, request), left('timed-out'));
    assert.deepEqual(await post(`${url}/silent`, { ...request, signal: AbortSignal.abort() }), left('no-answer'));
  });

  it('says that nothing listens', async () =>
    assert.deepEqual(await post('http://127.0.0.1:1/', request), left('no-answer')));

  it('reaches nothing of ours, and nothing without TLS, where it may not', async () => {
    const guarded = openPostWebhook({ allowPrivate: false });
    const { port } = server.address() as AddressInfo;
    for (const address of [
      `${url}/hook`,
      `https://127.0.0.1:${port}/`,
      `https://localhost:${port}/`,
      'https://169.254.169.254/latest/meta-data',
      'https://[::ffff:10.0.0.1]/',
      'http://example.com/',
    ])
      assert.deepEqual(await guarded(address, request), left('address-refused'), address);
    assert.deepEqual(received, []);
  });
});
