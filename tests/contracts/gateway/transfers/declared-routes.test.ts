/** Routes that a manifest declares: who authenticates, what passes to the service, and that no caller reaches another tenant's. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { handshake } from '../../../support/http/raw-socket';
import { eventually } from '../../../support/waiting/eventually';
import { answerTo, download, openRequest, type Received, receive, upload, writeBytes } from './client';
import { startTransferSystem, type TransferSystem } from './system';

const mebibyte = 2 ** 20;
const put = { method: 'PUT', path: '/transfers/count' } as const;

describe('routes that a manifest declares', function () {
  this.timeout(60_000);
  let system: TransferSystem;
  before(async () => {
    system = await startTransferSystem({ GATEWAY_RATELIMIT_OFF: 'refused-place,refused-caller' });
  });
  after(() => system.close());

  const call = async (path: string, init: RequestInit = {}): Promise<Received> => {
    const response = await fetch(`${system.url}${path}`, init);
    const text = await response.text();
    const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
    return { status: response.status, headers: {}, code: body.code as string | undefined, body };
  };
  const authorized = (changes: object = {}) => ({ authorization: `Bearer ${system.token(changes)}` });
  const withBody = (init: RequestInit): RequestInit => ({
    method: 'POST',
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
    body: '{"text":"x"}',
  });

  it('need a token with their scopes, and the method that they have', async () => {
    assert.equal((await call('/transfers/count', { method: 'PUT', body: 'x' })).status, 401);
    const narrow = { headers: authorized({ scopes: ['things:read'] }) };
    assert.equal((await call('/transfers/count', { method: 'PUT', body: 'x', ...narrow })).status, 403);
    const done = await call('/transfers/count', { method: 'PUT', body: 'x', headers: authorized() });
    assert.deepEqual([done.status, done.body.authorization], [200, null]);
    assert.equal((done.body.identity as { tenantId: string }).tenantId, 'acme');
    const other = await fetch(`${system.url}/transfers/count`, { method: 'DELETE', headers: authorized() });
    assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD, POST, PUT']);
    assert.equal((await call('/transfers/a/b', { headers: authorized() })).status, 404);
  });

  it('lie outside /v1 and are answered by the query API and the command API', async () => {
    assert.equal((await call('/shelves/r-1/actions/runs?branch=main', { headers: authorized() })).status, 200);
    assert.equal((await call('/shelves/r-1/events', withBody({ headers: authorized() }))).status, 200);
    assert.equal((await call('/shelves/r-1/events', withBody({}))).status, 401);
    const narrow = { headers: authorized({ scopes: [] }) };
    assert.equal((await call('/shelves/r-1/actions/runs', narrow)).status, 403);
    assert.equal((await call('/shelves', { headers: authorized() })).status, 404);
  });

  it('ask the query API by POST, where a route is a question', async () => {
    assert.equal((await call('/v1/questions', withBody({ headers: authorized() }))).status, 200);
    assert.equal((await call('/v1/questions', withBody({}))).status, 401);
    assert.equal((await call('/v1/questions', withBody({ method: 'PUT', headers: authorized() }))).status, 405);
    assert.equal((await call('/v1/questions/other', withBody({ headers: authorized() }))).status, 404);
  });

  it('pass without a token where the service authenticates, with the proof and through limits', async () => {
    const signed = await call('/signed/deep/count?signature=s', { method: 'PUT', body: 'x' });
    assert.deepEqual([signed.status, signed.body.identity], [200, undefined]);
    const basic = { authorization: 'Basic cnVubmVyOnNlY3JldA==' };
    const proven = await call('/signed/count', { method: 'PUT', body: 'x', headers: basic });
    assert.equal(proven.body.authorization, basic.authorization);
    const response = await fetch(`${system.url}/signed/bytes?size=1`);
    assert.equal(
      response.headers.get('x-ratelimit-limit-service-authenticated-place') ??
        response.headers.get('x-ratelimit-limit'),
      '10000',
    );
    await response.arrayBuffer();
  });

  it('open WebSockets by a token, and none elsewhere', async () => {
    const open = async (path: string, headers: Record<string, string>): Promise<string> => {
      const socket = connect(system.port, '127.0.0.1');
      socket.on('error', () => undefined);
      let text = '';
      socket.on('data', (bytes) => {
        text += String(bytes);
      });
      socket.write(handshake(path, headers));
      await eventually(async () => assert.match(text, /^HTTP\/1\.1 (?:101[\s\S]*\r\n\r\n.{2}\w|[45])/));
      socket.destroy();
      return text;
    };
    assert.match(await open('/runs/r-1/logs?fromOffset=3', authorized()), /^HTTP\/1\.1 101[\s\S]*acme$/);
    assert.match(await open('/runs/r-1/logs', {}), /^HTTP\/1\.1 401 /);
    assert.match(await open('/runs/r-1/logs', authorized({ scopes: [] })), /^HTTP\/1\.1 403 /);
    assert.match(await open('/transfers/count', authorized()), /^HTTP\/1\.1 404 /);
    assert.match(await open('/signed/count', {}), /^HTTP\/1\.1 404 /);
    assert.match(
      await open('/runs/r-1/logs', { ...authorized(), Origin: 'https://elsewhere.test' }),
      /^HTTP\/1\.1 403 /,
    );
  });

  it('stand in the API document', async () => {
    const { body } = await call('/openapi.json');
    const paths = body.paths as Record<string, Record<string, Record<string, unknown>>>;
    assert.deepEqual(paths['/transfers/{name}']?.put?.security, [{ bearer: ['things:write'] }]);
    assert.deepEqual(paths['/signed/{rest}']?.get?.security, []);
    assert.equal(paths['/runs/{runId}/logs']?.get?.['x-web-socket'], true);
    assert.equal(paths['/transfers/small/{name}']?.put?.['x-limit-group'], 'command');
  });

  describe('keep tenants apart', () => {
    it('passes the token’s tenant to the service, whatever tenant the request names', async () => {
      const forged = {
        'septet-identity': 'v2.x.y.z',
        'septet-tenant': 'acme',
        'x-forwarded-for': '10.0.0.1',
        cookie: 'a=b',
        forwarded: 'for=10.0.0.1',
        'x-septet-tenant': 'acme',
        connection: 'x-forwarded-host',
      };
      const answer = await upload(
        system,
        { ...put, headers: { ...authorized({ tenant_id: 'globex', sub: 'p-b' }), ...forged } },
        10,
      );
      const { tenantId, principalId } = answer.body.identity as Record<string, unknown>;
      assert.deepEqual([tenantId, principalId], ['globex', 'p-b']);
      const { headers } = system.service.last();
      assert.notEqual(headers['septet-identity'], forged['septet-identity']);
      for (const name of ['septet-tenant', 'cookie', 'forwarded', 'authorization'])
        assert.equal(headers[name], undefined, name);
      assert.notEqual(headers['x-forwarded-for'], '10.0.0.1');
    });

    it('gives no identity to a route that the service authenticates, also beside a token', async () => {
      const answer = await upload(
        system,
        { method: 'PUT', path: '/signed/count', headers: authorized({ tenant_id: 'globex' }) },
        10,
      );
      assert.deepEqual([answer.status, answer.body.identity], [200, undefined]);
    });

    it('never mixes bodies of tenants that stream at once', async () => {
      const sizes = [3, 5, 7, 2].map((each) => each * mebibyte + each);
      const tenants = ['acme', 'globex', 'initech', 'umbrella'];
      const answers = await Promise.all(
        tenants.map((tenant, index) =>
          upload(system, { ...put, headers: authorized({ tenant_id: tenant }) }, sizes[index] as number),
        ),
      );
      assert.deepEqual(
        answers.map(({ body }) => [(body.identity as { tenantId: string }).tenantId, body.bytes]),
        tenants.map((tenant, index) => [tenant, sizes[index]]),
      );
    });
  });
});

describe('transfers while the gateway drains', function () {
  this.timeout(60_000);
  let system: TransferSystem;
  beforeEach(async () => {
    system = await startTransferSystem();
  });
  afterEach(() => system.close());

  it('finish while the gateway drains, and new ones are not taken', async () => {
    const sent = openRequest(system, put);
    await writeBytes(sent, mebibyte);
    await eventually(async () => assert.ok(system.service.last().bytes > 0));
    const got = openRequest(system, { method: 'GET', path: `/transfers/bytes?size=${16 * mebibyte}` });
    got.end();
    const answer = await answerTo(got);
    system.terminate();
    await eventually(() =>
      assert.rejects(download(system, '/transfers/bytes?size=1'), /without an answer|ECONNREFUSED/),
    );
    await writeBytes(sent, mebibyte);
    sent.end();
    assert.deepEqual((await receive(await answerTo(sent))).body.bytes, 2 * mebibyte);
    let size = 0;
    for await (const part of answer as AsyncIterable<Buffer>) size += part.length;
    assert.equal(size, 16 * mebibyte);
    await system.ended;
  });

  it('are cut on both sides when they do not end, and do not look complete', async () => {
    const sent = openRequest(system, put);
    await writeBytes(sent, mebibyte);
    await eventually(async () => assert.ok(system.service.last().bytes > 0));
    const broken = new Promise((resolve) => sent.once('close', resolve));
    system.terminate();
    await Promise.all([system.ended, broken]);
    await eventually(async () => assert.equal(system.service.last().outcome, 'aborted'));
  });
});
