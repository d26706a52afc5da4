import assert from 'node:assert/strict';
import { listen } from '../../../../infra/server/http/server/listener';
import { operationalApp } from '../../../../infra/server/http/server/operational-endpoints';
import { openMetrics } from '../../../../infra/server/runtime/metrics';
import { type Call, sampleIdentity, startHttpService } from '../../../support/http/http-service';
import { things } from '../../../support/http/sample-routes';

describe('http app', () => {
  let service: Awaited<ReturnType<typeof startHttpService>>;
  before(async () => {
    service = await startHttpService(things);
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

  describe('input', () => {
    it('answers with what the handler was given, decoded', async () => {
      const response = await service.call('/v1/things/a%20b?page=2');
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
        { pointer: '/body/name', expected: 'text of at most 20 characters' },
        { pointer: '/body/parts/1/size', expected: 'a whole number from 0 to 9' },
        { pointer: '/body/password', expected: 'text of at most 20 characters' },
      ]);
      assert.doesNotMatch(JSON.stringify(problem), /hunter2/);
    });
    it('asks for a body that is missing', async () => {
      const { problem } = await refused('/v1/things', { method: 'POST' }, 400, 'invalid-input');
      assert.deepEqual(problem.errors, [{ pointer: '/body', expected: 'an object' }]);
    });
    it('never takes a prototype from a body', async () => {
      for (const key of ['__proto__', '\\u005f_proto__']) {
        const body = `{"name":"a","parts":[],"${key}":{"prototype":{"admin":true},"admin":true}}`;
        const response = await service.call('/v1/things', json(body));
        assert.deepEqual(await response.json(), { name: 'a', parts: [] });
      }
    });
    it('refuses every unknown field at its pointer, beside the other faults', async () => {
      const body = '{"name":"a","parts":[{"size":1},{"size":10,"wide/r":"hunter2"}],"constructor":{},"extra":1}';
      const { problem } = await refused('/v1/things', json(body), 400, 'invalid-input');
      assert.deepEqual(problem.errors, [
        { pointer: '/body/parts/1/size', expected: 'a whole number from 0 to 9' },
        { pointer: '/body/parts/1/wide~1r', expected: 'no field of this name' },
        { pointer: '/body/constructor', expected: 'no field of this name' },
        { pointer: '/body/extra', expected: 'no field of this name' },
      ]);
      assert.doesNotMatch(JSON.stringify(problem), /hunter2/);
    });
    it('refuses every unknown parameter of a query, whatever the method', async () => {
      const { problem } = await refused('/v1/things/a?page=1&pag=2&%5F_x=hunter2', {}, 400, 'invalid-input');
      const expected = 'no parameter of this name; the known ones are page';
      assert.deepEqual(problem.errors, [
        { pointer: '/query/pag', expected },
        { pointer: '/query/__x', expected },
      ]);
      const posted = await refused('/v1/things?a=1', json('{"name":"a","parts":[]}'), 400, 'invalid-input');
      assert.deepEqual(posted.problem.errors, [{ pointer: '/query/a', expected: 'no parameters' }]);
    });
    it('ignores unknown parameters of forms, as RFC 6749 has it', async () => {
      const sent = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      const response = await service.call('/form', { ...sent, body: 'grant=x&extra=1' });
      assert.equal(response.status, 200);
    });
    it('refuses a key that is there twice', async () => {
      await refused('/v1/things', json('{"name":"a","name":"b","parts":[]}'), 400, 'malformed-body');
    });
    it('refuses a parameter that is given twice', async () => {
      const { problem } = await refused('/v1/things/a?page=1&page=2', {}, 400, 'invalid-input');
      assert.deepEqual(problem.errors, [{ pointer: '/query/page', expected: 'text of at most 20 characters' }]);
    });
    it('reads forms', async () => {
      const call = json('grant=a%2Bb+c', 'application/x-www-form-urlencoded');
      const response = await service.call('/form', { ...call, identity: 'anonymous' });
      assert.deepEqual(await response.json(), { grant: 'a+b c', known: false });
    });
  });

  describe('paths and methods', () => {
    it('answers 404 to an unknown path', async () => void (await refused('/v2/things', {}, 404, 'not-found')));
    it('takes no other spelling of a path', async () => {
      for (const path of ['/v1/things/', '/V1/things', '//v1/things', '/v1//things', '/v1/%74hings', '/v1/things%2F'])
        await refused(path, json('{"name":"a","parts":[]}'), 404, 'not-found');
    });
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
      const identity = { ...sampleIdentity, scopes: ['other:read'] };
      const { response } = await refused('/v1/things/a', { identity }, 403, 'forbidden');
      assert.match(response.headers.get('www-authenticate') ?? '', /insufficient_scope.*things:read/);
    });
    it('asks for a token where the route is not public', async () =>
      void (await refused('/v1/things/a', { identity: 'anonymous' }, 401, 'unauthenticated')));
    it('checks access before it reads input', async () => {
      const identity = { ...sampleIdentity, scopes: [] };
      await refused('/v1/things', { ...json('not json'), identity }, 403, 'forbidden');
    });
  });

  it('answers a defect without its detail, and logs it once', async () => {
    const { problem } = await refused('/broken', {}, 500, 'internal-error');
    assert.doesNotMatch(JSON.stringify(problem), /hunter2/);
    assert.equal(service.log.lines.filter(({ level }) => level === 'error').length, 1);
  });

  it('answers its health in time with what it found last, while a check waits for a store', async () => {
    let isSilent = false;
    const stores = { ready: true, parts: { postgres: { ok: true } } };
    const health = () => (isSilent ? new Promise<never>(() => undefined) : Promise.resolve(stores));
    const { signal } = new AbortController();
    const app = operationalApp({ name: 'test', metrics: openMetrics('test'), health, signal });
    const waiting = await listen(app, { host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${waiting.port}/healthz`;
    const healthz = async () => (await (await fetch(url)).json()) as Readonly<Record<string, unknown>>;
    assert.deepEqual([(await healthz()).status, (await healthz()).parts], ['ready', stores.parts]);
    isSilent = true;
    const { status, parts } = await healthz();
    assert.equal(status, 'ready');
    const { health: late, ...others } = parts as Readonly<
      Record<string, { readonly ok: boolean; readonly detail: string }>
    >;
    assert.deepEqual(others, stores.parts);
    assert.match(late?.detail ?? '', /does not answer\.$/);
    await waiting.close();
  });

  it('shows health, readiness and figures without an identity', async () => {
    const health = await fetch(`${service.url}/healthz`);
    assert.equal(health.status, 200);
    const { parts } = (await health.json()) as { parts: { store: object } };
    assert.deepEqual({ ...parts.store, since: undefined }, { ok: false, detail: 'It is off.', since: undefined });
    assert.equal((await fetch(`${service.url}/readyz`)).status, 503);
    assert.equal((await fetch(`${service.url}/livez`)).status, 200);
    const metrics = await fetch(`${service.url}/metrics`);
    assert.match(await metrics.text(), /http_server_request_seconds_bucket/);
  });
});
