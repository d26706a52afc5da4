import assert from 'node:assert/strict';
import { limitHeaderNames } from '../../../infra/ratelimit/headers';
import { type Door, startAll, streamEnd } from '../../support/gateway-services';

describe('gateway, on the way out', () => {
  let gateway: Door;
  before(async () => {
    gateway = await startAll({ allowedOrigins: ['https://app.example'] });
  });
  after(() => gateway.close());

  it('sets what browsers are to do, on every answer', async () => {
    for (const path of ['/v1/things', '/v1/unknown', '/healthz', '/docs']) {
      const { headers } = await gateway.call(path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
      assert.equal(headers.get('strict-transport-security'), null);
      assert.equal(headers.get('x-powered-by'), null);
    }
  });
  it('answers 304 from the service', async () => {
    const response = await gateway.call('/v1/things', { headers: { 'if-none-match': 'W/"3"' } });
    assert.deepEqual([response.status, await response.text()], [304, '']);
  });
  it('lets allowed origins ask, read what they need, and nobody else', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const ask = (origin: string) =>
      fetch(`${gateway.url}/v1/things`, { method: 'OPTIONS', headers: { origin, ...asked } });
    const allowed = await ask('https://app.example');
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example');
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /Authorization.*Idempotency-Key/);
    const others = await ask('https://app.example.evil');
    assert.equal(others.headers.get('access-control-allow-origin'), null);
    assert.equal(others.headers.get('access-control-allow-methods'), null);
    const read = await gateway.call('/v1/things', { headers: { origin: 'https://app.example' } });
    const exposed = read.headers.get('access-control-expose-headers') ?? '';
    assert.match(exposed, /ETag.*Position/);
    assert.deepEqual(
      limitHeaderNames.filter((name) => !exposed.split(', ').includes(name)),
      [],
    );
    assert.equal(read.headers.get('access-control-allow-credentials'), null);
    assert.equal(read.headers.get('vary'), 'Origin');
  });
  it('passes events on as they come, and the end of the client back', async () => {
    const client = new AbortController();
    const response = await gateway.call('/v1/stream', { signal: client.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('data: one') || !seen.includes(': heartbeat')) seen += (await reader?.read())?.value;
    client.abort();
    await streamEnd.promise;
  });

  it('ends streams cleanly when it drains', async () => {
    const response = await gateway.call('/v1/stream');
    gateway.drain();
    assert.match(await response.text(), /^retry: /);
  });
});
