import assert from 'node:assert/strict';
import {
  assertRefused,
  type Json,
  jsonOf,
  postBody,
  startGatewayWithServices,
  type TestedGateway,
} from '../../../support/gateway/gateway-services';
import { epochBump } from '../../../support/gateway/revocations';
import { sendRawRequest } from '../../../support/http/http-service';

describe('gateway, on the way in', () => {
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices();
  });
  after(() => gateway.close());

  it('sends reads to the query API and writes to the command API, as who was verified', async () => {
    const read = await jsonOf(await gateway.call('/v1/things?x=%20'));
    const written = await jsonOf(await gateway.call('/v1/things', postBody('hello')));
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
    assert.match(signed ?? '', /^v2\./);
    assert.notEqual(signed, 'v1.forged.forged');
    assert.equal(rest['x-forwarded-for'], '127.0.0.1');
    assert.equal(rest['x-kept'], 'yes');
    for (const name of ['authorization', 'cookie', 'septet-anything', 'x-forwarded-user', 'forwarded', 'x-real-ip'])
      assert.equal(rest[name], undefined, name);
  });
  it('drops headers that the client names as meant for one connection', async () => {
    const bytes = `GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token()}\r\n`;
    const answer = await sendRawRequest(gateway.port, `${bytes}X-Secret: 1\r\nConnection: close, x-secret\r\n\r\n`);
    assert.match(answer, /^HTTP\/1.1 200 /);
    assert.doesNotMatch(answer, /x-secret/);
  });
  it('lets public routes through without a token, and leaves client credentials to them', async () => {
    const { identity, headers } = await jsonOf(
      await gateway.call('/v1/bootstrap', {
        ...postBody('x'),
        headers: { ...postBody('x').headers, authorization: 'Basic eA==' },
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
    const response = await assertRefused(await fetch(`${gateway.url}/v1/things`), 401, 'unauthenticated');
    const metadata = 'resource_metadata="http://septet.test/.well-known/oauth-protected-resource"';
    const challenges = `Bearer ${metadata}, DPoP algs="ES256 EdDSA Ed25519", ${metadata}`;
    assert.equal(response.headers.get('www-authenticate'), challenges);
  });
  it('leaves scopes to the service', async () =>
    void (await assertRefused(await gateway.call('/v1/admin', postBody('x')), 403, 'forbidden')));
  it('refuses a token as soon as its epoch is over', async () => {
    const authorization = `Bearer ${gateway.token({ sub: 'p-9' })}`;
    assert.equal((await gateway.call('/v1/things', { headers: { authorization } })).status, 200);
    gateway.revocations.apply(epochBump('p-9', 2));
    const response = await gateway.call('/v1/things', { headers: { authorization } });
    await assertRefused(response, 401, 'token_revoked');
    assert.match(response.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  });
  it('knows no other paths', async () => {
    for (const path of [
      '/v2/things',
      '/metrics',
      '/v1',
      '/docs/../v1',
      '/constructor',
      '/docs/__proto__',
      '/V1/things',
      '/v1/things/',
      '/v1/things;x',
      '/v1%2Fthings',
      '/v1/things%20',
      '/v1/things.',
    ])
      assert.equal((await gateway.call(path)).status, 404, path);
    for (const path of [
      ...['//v1/things', '/v1//things', '/v1/%74hings', '/v1/things%2', '/v1/things/%41'],
      ...['/v1/things%00', '/v1/things%0a', '/v1/things%7F', '/v1%5Cthings'],
    ])
      assert.equal((await gateway.call(path)).status, 400, path);
  });
  it('hands on no path that reaches what is not for the public', async () => {
    for (const [path, status] of [
      ['/v1/../metrics', 400],
      ['/v1/%2e%2e/metrics', 400],
      ['/v1/..;/metrics', 404],
      ['/v1//metrics', 400],
      ['/oauth/../readyz', 400],
      ['/oauth/metrics', 404],
    ] as const) {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${gateway.token()}\r\n\r\n`;
      assert.match(await sendRawRequest(gateway.port, request), new RegExp(`^HTTP/1.1 ${status} `), path);
    }
  });
});
