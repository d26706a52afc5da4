import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import * as t from 'io-ts';
import { record } from '../../../domain/kernel/codec';
import type { BoundRoute } from '../../../infra/http/route';
import { jwksRoute, startGateway } from '../../support/gateway';
import { overSocket, startHttpService } from '../../support/http-service';

const plain = { summary: 'A test route.', answers: { 200: { description: 'Done.' } } };

const echo = (method: 'get' | 'post', path: string, access: BoundRoute['access']): BoundRoute => ({
  ...plain,
  method,
  path,
  operation: `${method}Echo`,
  access,
  ...(method === 'post' ? { body: record('Anything', { text: t.string }) as never } : {}),
  handle: async ({ headers, body, identity, requestId }) => ({
    status: 200,
    body: { headers, body, identity, requestId },
    headers: { ETag: 'W/"3"', Position: '9' },
  }),
});

const stream: BoundRoute = {
  ...plain,
  method: 'get',
  path: '/v1/stream',
  operation: 'follow',
  access: { scopes: ['things:read'] },
  handle: async ({ signal }) => ({
    stream: (async function* () {
      yield { id: '1', data: 'one' };
      await once(signal, 'abort');
      ended.resolve();
    })(),
  }),
};

const deferred = () => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((yes) => {
    resolve = yes;
  });
  return { promise, resolve };
};
let ended = deferred();

type Json = Record<string, unknown>;
const jsonOf = async (response: Response): Promise<Json> => (await response.json()) as Json;
const post = (text: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ text }),
});

describe('gateway', () => {
  let commands: Awaited<ReturnType<typeof startHttpService>>;
  let readApi: Awaited<ReturnType<typeof startHttpService>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  before(async () => {
    const write = { scopes: ['things:write'] };
    commands = await startHttpService([
      jwksRoute,
      echo('post', '/v1/things', write),
      echo('post', '/v1/bootstrap', 'public'),
      echo('post', '/v1/admin', { scopes: ['admin:all'] }),
    ]);
    readApi = await startHttpService([echo('get', '/v1/things', { scopes: ['things:read'] }), stream]);
    gateway = await startGateway({
      commandsPort: commands.port,
      readApiPort: readApi.port,
      limits: { headersMilliseconds: 300, requestMilliseconds: 600 },
      bodyLimit: 65_536,
      allowedOrigins: ['https://app.example'],
    });
  });
  after(async () => {
    await gateway.close();
    await commands.close();
    await readApi.close();
  });

  const refused = async (response: Response, status: number, code: string): Promise<Response> => {
    const problem = await jsonOf(response);
    assert.deepEqual([response.status, problem.code], [status, code]);
    return response;
  };

  describe('on the way in', () => {
    it('sends reads to the query API and writes to the command API, as who was verified', async () => {
      const read = await jsonOf(await gateway.call('/v1/things?x=%20'));
      const written = await jsonOf(await gateway.call('/v1/things', post('hello')));
      for (const { identity } of [read, written])
        assert.deepEqual(
          [(identity as Json).tenantId, (identity as Json).principalId, (identity as Json).tokenId],
          ['acme', 'p-1', 'jti-1'],
        );
      assert.deepEqual(written.body, { text: 'hello' });
    });
    it('keeps the token, cookies and every claim about origin or identity to itself', async () => {
      const claims = {
        'septet-identity': 'v1.forged.forged',
        'Septet-Anything': 'x',
        'X-Forwarded-For': '10.0.0.1',
        'X-Forwarded-User': 'admin',
        Forwarded: 'for=10.0.0.1',
        'X-Real-IP': '10.0.0.1',
        Cookie: 'session=1',
        'X-Kept': 'yes',
      };
      const { headers } = await jsonOf(await gateway.call('/v1/things', { headers: claims }));
      const { 'septet-identity': signed, ...rest } = headers as Record<string, string>;
      assert.match(signed ?? '', /^v1\./);
      assert.notEqual(signed, 'v1.forged.forged');
      assert.equal(rest['x-forwarded-for'], '127.0.0.1');
      assert.equal(rest['x-kept'], 'yes');
      for (const name of ['authorization', 'cookie', 'septet-anything', 'x-forwarded-user', 'forwarded', 'x-real-ip'])
        assert.equal(rest[name], undefined, name);
    });
    it('drops headers that the client names as meant for one connection', async () => {
      const bytes = `GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token()}\r\n`;
      const answer = await overSocket(gateway.port, `${bytes}X-Secret: 1\r\nConnection: close, x-secret\r\n\r\n`);
      assert.match(answer, /^HTTP\/1.1 200 /);
      assert.doesNotMatch(answer, /x-secret/);
    });
    it('lets public routes through without a token, and leaves client credentials to them', async () => {
      const { identity, headers } = await jsonOf(
        await gateway.call('/v1/bootstrap', {
          ...post('x'),
          headers: { ...post('x').headers, authorization: 'Basic eA==' },
        }),
      );
      assert.equal(identity, undefined);
      assert.equal((headers as Json).authorization, 'Basic eA==');
    });
    it('takes a well-formed request id, and makes one otherwise', async () => {
      const taken = await gateway.call('/v1/things', { headers: { 'x-request-id': 'my-request.1' } });
      assert.equal(taken.headers.get('x-request-id'), 'my-request.1');
      assert.equal((await jsonOf(taken)).requestId, 'my-request.1');
      const made = await gateway.call('/v1/things', { headers: { 'x-request-id': 'no spaces' } });
      assert.match(made.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    });
    it('refuses without a token, before anything is forwarded', async () => {
      const response = await refused(await fetch(`${gateway.url}/v1/things`), 401, 'unauthenticated');
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
    });
    it('leaves scopes to the service', async () =>
      void (await refused(await gateway.call('/v1/admin', post('x')), 403, 'forbidden')));
    it('refuses a token as soon as its epoch is over', async () => {
      const authorization = `Bearer ${gateway.token({ sub: 'p-9' })}`;
      assert.equal((await gateway.call('/v1/things', { headers: { authorization } })).status, 200);
      gateway.epochs.apply({ kind: 'bump', tenantId: 'acme', principalId: 'p-9', securityEpoch: 2, at: Date.now() });
      const response = await gateway.call('/v1/things', { headers: { authorization } });
      await refused(response, 401, 'token_revoked');
      assert.match(response.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    });
    it('knows no other paths', async () => {
      for (const path of [
        '/v2/things',
        '/metrics',
        '/v1',
        '/docs/../v1',
        '//v1/things',
        '/constructor',
        '/docs/__proto__',
      ])
        assert.equal((await gateway.call(path)).status, 404, path);
    });
    it('hands on no path that reaches what is not for the public', async () => {
      for (const path of [
        '/v1/../metrics',
        '/v1/%2e%2e/metrics',
        '/v1/..;/metrics',
        '/v1//metrics',
        '/oauth/../readyz',
      ]) {
        const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${gateway.token()}\r\n\r\n`;
        assert.match(await overSocket(gateway.port, request), /^HTTP\/1.1 404 /, path);
      }
    });
  });

  describe('hostile requests', () => {
    const raw = (head: string, body = ''): Promise<string> =>
      overSocket(gateway.port, `${head}\r\nAuthorization: Bearer ${gateway.token()}\r\n\r\n${body}`);
    const post11 = 'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json';
    for (const [what, head, body] of [
      [
        'length and transfer coding together',
        `${post11}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked`,
        '0\r\n\r\n',
      ],
      ['two lengths', `${post11}\r\nContent-Length: 5\r\nContent-Length: 6`, 'hello'],
      ['a length that is no number', `${post11}\r\nContent-Length: +5`, 'hello'],
      ['a transfer coding that hides another', `${post11}\r\nTransfer-Encoding: chunked, identity`, '0\r\n\r\n'],
      ['a space before a colon', `${post11}\r\nTransfer-Encoding : chunked`, '0\r\n\r\n'],
      ['a folded header', `${post11}\r\nX-Long: a\r\n b`, ''],
      ['a bare line feed in a header', `${post11}\r\nX-Long: a\nX-Other: b`, ''],
      ['no host', 'GET /v1/things HTTP/1.1', ''],
      ['two hosts', 'GET /v1/things HTTP/1.1\r\nHost: x\r\nHost: y', ''],
      ['two tokens', 'GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x', ''],
      ['two keys of idempotency', `${post11}\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 0`, ''],
      ['an absolute target', 'GET http://127.0.0.1/v1/things HTTP/1.1\r\nHost: x', ''],
      ['a body on GET', 'GET /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 5', 'hello'],
      ['no HTTP at all', 'hello', ''],
    ] as const)
      it(`refuses ${what}`, async () => {
        const answer = await raw(head, body);
        assert.match(answer, /^HTTP\/1.1 400 /);
        assert.equal(answer.split('HTTP/1.1 ').length, 2, 'One answer, to one request.');
      });
    it('refuses other methods, by name', async () => {
      const answer = await raw('TRACE /v1/things HTTP/1.1\r\nHost: x');
      assert.match(answer, /^HTTP\/1.1 405 /);
      assert.match(answer, /Allow: GET, HEAD, POST/);
    });
    it('refuses too many headers, too long a target, too large headers', async () => {
      const many = Array.from({ length: 101 }, (_, at) => `X-${at}: 1`).join('\r\n');
      assert.match(await raw(`GET /v1/things HTTP/1.1\r\nHost: x\r\n${many}`), /^HTTP\/1.1 431 /);
      assert.match(await raw(`GET /v1/things?${'x'.repeat(9_000)} HTTP/1.1\r\nHost: x`), /^HTTP\/1.1 414 /);
      assert.match(await raw(`GET /v1/things HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(30_000)}`), /^HTTP\/1.1 431 /);
    });
    it('refuses a body over the limit, announced or not', async () => {
      await refused(await gateway.call('/v1/things', post('x'.repeat(70_000))), 413, 'body-too-large');
      const chunk = `4000\r\n${'x'.repeat(16_384)}\r\n`;
      const answer = await raw(`${post11}\r\nTransfer-Encoding: chunked`, chunk.repeat(5));
      assert.match(answer, /^HTTP\/1.1 413 /);
    });
    it('cuts off headers and bodies that never end', async () => {
      assert.match(await overSocket(gateway.port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '), /^HTTP\/1.1 408 /);
      const answer = await raw(`${post11}\r\nContent-Length: 9`, '{');
      assert.ok(answer === '' || /^HTTP\/1.1 408 /.test(answer), answer);
    });
  });

  describe('on the way out', () => {
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
      assert.match(read.headers.get('access-control-expose-headers') ?? '', /ETag.*Position/);
      assert.equal(read.headers.get('access-control-allow-credentials'), null);
      assert.equal(read.headers.get('vary'), 'Origin');
    });
    it('passes events on as they come, and the end of the client back', async () => {
      ended = deferred();
      const client = new AbortController();
      const response = await gateway.call('/v1/stream', { signal: client.signal });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let seen = '';
      while (!seen.includes('data: one') || !seen.includes(': heartbeat')) seen += (await reader?.read())?.value;
      client.abort();
      await ended.promise;
    });
  });

  describe('its own pages', () => {
    it('shows the documentation of all services in one document', async () => {
      const document = await jsonOf(await fetch(`${gateway.url}/openapi.json`));
      assert.deepEqual(Object.keys(document.paths ?? {}).sort(), [
        '/oauth/jwks',
        '/v1/admin',
        '/v1/bootstrap',
        '/v1/stream',
        '/v1/things',
      ]);
      assert.deepEqual(Object.keys((document.paths as Json)['/v1/things'] ?? {}).sort(), ['get', 'post']);
    });
    it('serves the documentation page from its own files, without anything inline', async () => {
      const start = await fetch(`${gateway.url}/`);
      assert.equal(start.url, `${gateway.url}/docs`);
      const html = await start.text();
      assert.doesNotMatch(html, /<script>|<style|style=|https?:\/\//);
      assert.doesNotMatch(start.headers.get('content-security-policy') ?? '', /unsafe/);
      for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g))
        assert.equal((await fetch(`${gateway.url}${path}`)).status, 200, path);
    });
    it('says how it is, and what stands behind it', async () => {
      await gateway.call('/v1/things');
      const health = await fetch(`${gateway.url}/healthz`);
      const { parts } = await jsonOf(health);
      assert.deepEqual((parts as Json)['signing-keys'], { ok: true });
      assert.equal((await fetch(`${gateway.url}/readyz`)).status, 200);
    });
  });
});

describe('gateway before services that fail', () => {
  const servers: Server[] = [];
  const closing: (() => Promise<void>)[] = [];
  after(async () => {
    for (const close of closing.toReversed()) await close();
    for (const server of servers) server.closeAllConnections();
  });
  const badService = async (answer: (request: IncomingMessage, server: Server) => void): Promise<Server> => {
    const server: Server = createServer((request) => answer(request, server));
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => void server.close(() => resolve())));
    return server;
  };
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const between = async (readApiPort: number, upstream: object = {}) => {
    const commands = await startHttpService([jwksRoute]);
    const gateway = await startGateway({ commandsPort: commands.port, readApiPort, upstream });
    closing.push(commands.close, gateway.close);
    return gateway;
  };

  it('says which part is down, and recovers by itself', async () => {
    const first = await startHttpService([echo('get', '/v1/things', { scopes: [] })]);
    const gateway = await between(first.port);
    assert.equal((await gateway.call('/v1/things')).status, 200);
    await first.close();
    const down = await gateway.call('/v1/things');
    assert.equal(down.status, 503);
    assert.equal(down.headers.get('retry-after'), '1');
    const { code, detail } = await jsonOf(down);
    assert.deepEqual([code, detail], ['service-unavailable', 'The query API is not running, or starting; try again.']);
    const again = await startHttpService([echo('get', '/v1/things', { scopes: [] })], { port: first.port });
    closing.push(again.close);
    assert.equal((await gateway.call('/v1/things')).status, 200);
  });
  it('answers 504 when a service takes too long', async () => {
    const gateway = await between(portOf(await badService(() => undefined)), { headersMilliseconds: 200 });
    const response = await gateway.call('/v1/things');
    assert.deepEqual([response.status, (await jsonOf(response)).code], [504, 'timeout']);
  });
  it('answers 503 when a service breaks off before its answer', async () => {
    const gateway = await between(portOf(await badService((request) => request.socket.destroy())));
    const response = await gateway.call('/v1/things');
    assert.deepEqual([response.status, (await jsonOf(response)).code], [503, 'service-unavailable']);
  });
  it('does not make half an answer look whole', async () => {
    const half = await badService((request) => {
      request.socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
    });
    const gateway = await between(portOf(half));
    const response = await gateway.call('/v1/things');
    await assert.rejects(response.text());
  });
  it('ends the request behind when the client goes away', async () => {
    const gone = deferred();
    const arrived = deferred();
    const slow = await badService((request) => {
      request.socket.once('close', gone.resolve);
      arrived.resolve();
    });
    const gateway = await between(portOf(slow));
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token()}\r\n\r\n`);
    await arrived.promise;
    socket.destroy();
    await gone.promise;
  });
});
