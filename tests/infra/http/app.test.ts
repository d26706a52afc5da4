import assert from 'node:assert/strict';
import * as t from 'io-ts';
import { integer, record, text } from '../../../domain/kernel/codec';
import { type BoundRoute, bind, route } from '../../../infra/http/route';
import { type Call, overSocket, signedHeader, someone, startHttpService } from '../../support/http-service';

const Name = text('Name', { maxLength: 20 });
const scopes = { scopes: ['things:read'] };
const describedOnly = { summary: 'A test route.', answers: { 200: { description: 'Done.' } } };

const things: readonly BoundRoute[] = [
  bind(
    {},
    route<object>()({
      ...describedOnly,
      method: 'get',
      path: '/v1/things/:name',
      operation: 'getThing',
      access: scopes,
      params: record('Params', { name: Name }),
      query: record('Query', {}, { page: Name }),
      handle: async (_deps, { params, query, identity }) => ({
        status: 200,
        body: { ...params, ...query, tenantId: identity.tenantId },
        headers: { ETag: 'W/"7"', Position: '12' },
      }),
    }),
  ),
  bind(
    {},
    route<object>()({
      ...describedOnly,
      method: 'post',
      path: '/v1/things',
      operation: 'makeThing',
      access: { scopes: ['things:write'] },
      body: record(
        'Thing',
        { name: Name, parts: t.array(record('Part', { size: integer(0, 9) })) },
        { password: Name },
      ),
      handle: async (_deps, { body }) => ({ status: 201, body }),
    }),
  ),
  bind(
    {},
    route<object>()({
      ...describedOnly,
      method: 'post',
      path: '/form',
      operation: 'sendForm',
      access: 'public',
      body: record('Form', { grant: Name }),
      bodyType: 'form',
      handle: async (_deps, { body, identity }) => ({ status: 200, body: { ...body, known: Boolean(identity) } }),
    }),
  ),
  bind(
    {},
    route<object>()({
      ...describedOnly,
      method: 'get',
      path: '/broken',
      operation: 'break',
      access: scopes,
      handle: () => Promise.reject(new Error('password is hunter2')),
    }),
  ),
];

describe('http app', () => {
  let service: Awaited<ReturnType<typeof startHttpService>>;
  before(async () => {
    service = await startHttpService(things, { headersMilliseconds: 300, requestMilliseconds: 500 });
  });
  after(() => service.close());

  const refused = async (target: string, call: Call, status: number, code: string) => {
    const response = await service.call(target, call);
    const problem = (await response.json()) as { code: string; errors?: unknown };
    assert.deepEqual([response.status, problem.code], [status, code]);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    return { response, problem };
  };
  const json = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): Call => ({
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });
  const thing = JSON.stringify({ name: 'a', parts: [{ size: 1 }] });

  describe('input', () => {
    it('answers with what the handler was given, decoded', async () => {
      const response = await service.call('/v1/things/a%20b?page=2&other=x');
      assert.deepEqual(await response.json(), { name: 'a b', page: '2', tenantId: 'acme' });
      assert.equal(response.headers.get('x-request-id'), 'request-1');
    });
    it('lists every fault where it stands, and never the value', async () => {
      const body = JSON.stringify({
        name: '',
        parts: [{ size: 1 }, { size: 'hunter2' }],
        password: 'hunter2'.repeat(9),
      });
      const { problem } = await refused('/v1/things', json(body), 400, 'invalid-input');
      assert.deepEqual(problem.errors, [
        { pointer: '/body/name', expected: 'Name' },
        { pointer: '/body/parts/1/size', expected: 'integer' },
        { pointer: '/body/password', expected: 'Name' },
      ]);
      assert.doesNotMatch(JSON.stringify(problem), /hunter2/);
    });
    it('asks for a body that is missing', async () => {
      const { problem } = await refused('/v1/things', { method: 'POST' }, 400, 'invalid-input');
      assert.deepEqual(problem.errors, [{ pointer: '/body', expected: 'Thing' }]);
    });
    it('drops unknown keys and never takes a prototype from a body', async () => {
      const body = '{"name":"a","parts":[],"__proto__":{"admin":true},"\\u005f_proto__":{"admin":true},"extra":1}';
      const response = await service.call('/v1/things', json(body));
      assert.deepEqual(await response.json(), { name: 'a', parts: [] });
    });
    it('lets the last of equal keys count', async () => {
      const response = await service.call('/v1/things', json('{"name":"a","name":"b","parts":[]}'));
      assert.deepEqual(await response.json(), { name: 'b', parts: [] });
    });
    it('refuses a parameter that is given twice', async () => {
      const { problem } = await refused('/v1/things/a?page=1&page=2', {}, 400, 'invalid-input');
      assert.deepEqual(problem.errors, [{ pointer: '/query/page', expected: 'Name' }]);
    });
    it('reads forms', async () => {
      const call = json('grant=a%2Bb+c', 'application/x-www-form-urlencoded');
      const response = await service.call('/form', { ...call, identity: 'anonymous' });
      assert.deepEqual(await response.json(), { grant: 'a+b c', known: false });
    });
  });

  describe('hostile input', () => {
    for (const [what, body] of [
      ['text that is no JSON', '{"name":'],
      ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
      ['deep nesting', '['.repeat(100_000)],
      ['deep nesting behind a text with brackets', `{"a":"]]]\\"",${'"b":{'.repeat(65)}`],
    ] as const)
      it(`refuses ${what}`, async () => void (await refused('/v1/things', json(body), 400, 'malformed-body')));
    for (const [what, type] of [
      ['another type', 'text/plain'],
      ['a form where JSON is expected', 'application/x-www-form-urlencoded'],
      ['another character set', 'application/json; charset=utf-16'],
    ] as const)
      it(`refuses ${what}`, async () =>
        void (await refused('/v1/things', json(thing, type), 415, 'unsupported-media-type')));
    it('refuses a compressed body', async () => {
      const call = json(thing);
      const headers = { ...call.headers, 'content-encoding': 'gzip' };
      await refused('/v1/things', { ...call, headers }, 415, 'unsupported-media-type');
    });
    it('refuses a body over a mebibyte, announced or not', async () => {
      await refused('/v1/things', json(`"${'x'.repeat(1_048_577)}"`), 413, 'body-too-large');
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
      const signed = `Septet-Identity: ${signedHeader('POST', '/v1/things')}\r\n\r\n`;
      assert.match(await overSocket(service.port, `${head}${signed}${chunk.repeat(17)}`), /^HTTP\/1.1 413 /);
    });
    for (const target of ['/v1/things/%ff', '/v1/things/%E0%A4%A', '/v1/things/a?page=%ff'])
      it(`refuses the percent-encoding of ${target}`, async () =>
        void (await refused(target, {}, 400, 'invalid-input')));
    it('cuts off headers that never end', async () => {
      assert.match(await overSocket(service.port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '), /^HTTP\/1.1 408 /);
    });
    it('cuts off a body that never ends', async () => {
      const signed = `Septet-Identity: ${signedHeader('POST', '/v1/things')}`;
      const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n${signed}`;
      assert.match(await overSocket(service.port, `${head}\r\n\r\n{`), /^HTTP\/1.1 (408|400) /);
    });
    it('refuses headers beyond their limit', async () => {
      const bytes = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(30_000)}\r\n\r\n`;
      assert.match(await overSocket(service.port, bytes), /^HTTP\/1.1 431 /);
    });
  });

  describe('paths and methods', () => {
    it('answers 404 to an unknown path', async () => void (await refused('/v2/things', {}, 404, 'not-found')));
    it('answers 405 with Allow to another method', async () => {
      const { response } = await refused('/v1/things/a', { method: 'DELETE' }, 405, 'method-not-allowed');
      assert.equal(response.headers.get('allow'), 'GET, HEAD');
    });
    it('answers HEAD as GET, without a body', async () => {
      const response = await service.call('/v1/things/a', { method: 'HEAD' });
      assert.deepEqual([response.status, await response.text()], [200, '']);
      assert.equal(response.headers.get('content-length'), '30');
    });
  });

  describe('conditional GET', () => {
    for (const tag of ['W/"7"', '"7"', '"6", W/"7"', '*'])
      it(`answers 304 when the caller has ${tag}`, async () => {
        const response = await service.call('/v1/things/a', { headers: { 'if-none-match': tag } });
        assert.deepEqual([response.status, await response.text()], [304, '']);
        assert.equal(response.headers.get('etag'), 'W/"7"');
      });
    it('answers in full when the caller has another', async () => {
      const response = await service.call('/v1/things/a', { headers: { 'if-none-match': '"8"' } });
      assert.equal(response.status, 200);
    });
  });

  describe('access', () => {
    it('names the scope that is missing', async () => {
      const identity = { ...someone, scopes: ['other:read'] };
      const { response } = await refused('/v1/things/a', { identity }, 403, 'forbidden');
      assert.match(response.headers.get('www-authenticate') ?? '', /insufficient_scope.*things:read/);
    });
    it('asks for a token where the route is not public', async () =>
      void (await refused('/v1/things/a', { identity: 'anonymous' }, 401, 'unauthenticated')));
    it('checks access before it reads input', async () => {
      const identity = { ...someone, scopes: [] };
      await refused('/v1/things', { ...json('not json'), identity }, 403, 'forbidden');
    });
  });

  it('answers a defect without its detail, and logs it once', async () => {
    const { problem } = await refused('/broken', {}, 500, 'internal-error');
    assert.doesNotMatch(JSON.stringify(problem), /hunter2/);
    assert.equal(service.log.lines.filter(({ level }) => level === 'error').length, 1);
  });

  it('shows health, readiness and figures without an identity', async () => {
    const health = await fetch(`${service.url}/healthz`);
    assert.equal(health.status, 200);
    const { parts } = (await health.json()) as { parts: unknown };
    assert.deepEqual(parts, { store: { ok: false, detail: 'It is off.' } });
    assert.equal((await fetch(`${service.url}/readyz`)).status, 503);
    const metrics = await fetch(`${service.url}/metrics`);
    assert.match(await metrics.text(), /http_server_request_seconds_bucket/);
  });
});
