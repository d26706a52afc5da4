import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward } from '../../../../infra/gateway/proxy/forward';
import { openUpstream } from '../../../../infra/gateway/proxy/upstreams';
import { streamEnds } from '../../../../infra/server/http/streaming/stream-end';
import { limitHeaderNames } from '../../../../packages/ratelimit/src/http/rate-limit-headers';
import {
  startGatewayWithServices,
  streamSourceEnded,
  type TestedGateway,
} from '../../../support/gateway/gateway-services';
import { epochBump } from '../../../support/gateway/revocations';
import { deferred } from '../../../support/waiting/deferred';

describe('gateway, on the way out', () => {
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices({ allowedOrigins: ['https://app.example'] });
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
  it('lets only allowed origins send requests and read the exposed headers', async () => {
    const preflightHeaders = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const preflight = (origin: string) =>
      fetch(`${gateway.url}/v1/things`, { method: 'OPTIONS', headers: { origin, ...preflightHeaders } });
    const allowed = await preflight('https://app.example');
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example');
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /Authorization.*Idempotency-Key/);
    const others = await preflight('https://app.example.evil');
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
    await streamSourceEnded.promise;
  });

  it('ends the streams of a revoked token itself, with the reason, if the service does not', async () => {
    const response = await gateway.call('/v1/stream', {
      headers: { authorization: `Bearer ${gateway.token({ sub: 'p-9' })}` },
    });
    gateway.revocations.apply(epochBump('p-9', 2));
    assert.match(
      await response.text(),
      /data: one\n\n(?:: heartbeat\n\n)*retry: \d+\nevent: end\ndata: {"code":"token_revoked"[^\n]*\n\n$/,
    );
  });

  it('ends streams when it drains, and says so', async () => {
    const response = await gateway.call('/v1/stream');
    gateway.drain();
    assert.match(await response.text(), /^retry: .*\nevent: end\ndata: {"code":"draining"[^\n]*\n\n$/s);
  });

  for (const [sent, expected] of [
    ['data: one\n\n', 'whole'],
    ['data: one\n', 'cut off'],
    ['data: on', 'cut off'],
  ] as const)
    it(`leaves a stream that it ends after ${JSON.stringify(sent)} ${expected}`, async () => {
      const begun = deferred();
      const behind = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const character of sent) response.write(character);
      });
      const proxy = createServer((_request, response) => {
        void forward(response, {
          upstream,
          headers: {},
          bodyLimit: 1,
          ownPolicy: false,
          setsCookies: false,
          admit: async () => true,
          opened: (end) => {
            void begun.promise.then(() => end(streamEnds.revoked));
            return () => undefined;
          },
        });
      });
      await Promise.all([behind, proxy].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
      const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const upstream = openUpstream({ title: 'service', url: urlOf(behind) });
      const reader = (await fetch(urlOf(proxy))).body?.pipeThrough(new TextDecoderStream()).getReader();
      let seen = '';
      while (seen.length < sent.length) seen += (await reader?.read())?.value;
      begun.resolve();
      const rest = async (): Promise<string> => {
        for (let text = ''; ; ) {
          const read = await reader?.read();
          if (read === undefined || read.done) return text;
          text += read.value;
        }
      };
      if (expected === 'whole') assert.match(await rest(), /event: end\ndata: {"code":"token_revoked"/);
      else await assert.rejects(rest());
      await upstream.close();
      for (const server of [behind, proxy]) server.close().closeAllConnections();
    });
});
