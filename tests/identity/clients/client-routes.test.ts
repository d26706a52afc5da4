import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { decodeJwt } from 'jose';
import { admin, jsonOf, startCommandApi } from '../command-api';

const caller = { ...admin, scopes: [...admin.scopes, 'clients:write'] };
const web = { name: 'Billing', scopes: ['openid', 'principals:read'], grantTypes: ['authorization_code'] };
const redirectUris = ['https://app.example/callback'];

describe('clients over HTTP', () => {
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  before(async () => {
    api = await startCommandApi();
  });
  after(() => api.close());

  const post = (path: string, body: object, more: { key?: string; identity?: typeof caller } = {}) =>
    api.post(path, body, { identity: caller, ...more });
  const put = (path: string, body: object, identity = caller) =>
    api.call(path, {
      method: 'PUT',
      identity,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const register = async (changes: object = {}): Promise<string> =>
    String((await jsonOf(post('/v1/clients', { ...web, redirectUris, ...changes }))).applicationId);
  const service = async (): Promise<string> => {
    const principal = await jsonOf(post('/v1/principals', { principalType: 'PIPELINE' }));
    const fields = { scopes: ['principals:read'], grantTypes: ['client_credentials'], redirectUris: [] };
    return register({ ...fields, servicePrincipalId: principal.principalId });
  };
  const lastOf = async (applicationId: string): Promise<Record<string, unknown>> => {
    const events = await api.store.read(`identity.client-acme.${applicationId}`);
    assert.ok(isRight(events));
    return events.right.at(-1)?.data as Record<string, unknown>;
  };

  it('are registered, with defaults for absent fields', async () => {
    const answer = await post('/v1/clients', { ...web, redirectUris });
    const { applicationId, clientId } = await jsonOf(answer);
    assert.deepEqual([answer.status, clientId], [201, `acme~${applicationId}`]);
    assert.equal(answer.headers.get('location'), `/v1/clients/${applicationId}`);
    const { authentication, audiences, firstParty, dpopBound, tenantId } = await lastOf(String(applicationId));
    assert.deepEqual(
      [authentication, audiences, firstParty, dpopBound, tenantId],
      ['client_secret_basic', ['septet'], false, false, 'acme'],
    );
  });

  it('are held to one way of sending a secret, and let off PKCE, by choice', async () => {
    const { exactAuthentication, pkce } = await lastOf(await register());
    assert.deepEqual([exactAuthentication, pkce], [false, 'required']);
    const id = await register({ exactAuthentication: true, pkce: 'optional' });
    const chosen = await lastOf(id);
    assert.deepEqual([chosen.exactAuthentication, chosen.pkce], [true, 'optional']);
    const open = await put(`/v1/clients/${id}`, { ...web, redirectUris, authentication: 'none', pkce: 'optional' });
    const { code, detail } = await jsonOf(open);
    assert.deepEqual([open.status, code], [422, 'client-metadata-invalid']);
    assert.match(String(detail), /pkce is optional for confidential clients only/);
  });

  it('say of a scheme without a dot that it needs one', async () => {
    const app = { ...web, authentication: 'none', redirectUris: ['myapp://callback'] };
    const refused = await jsonOf(post('/v1/clients', app));
    assert.equal(refused.code, 'redirect-uri-invalid');
    assert.match(String(refused.detail), /redirectUris\/0 .*needs a dot.*RFC 8252/);
  });

  it('are registered once under one key', async () => {
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => jsonOf(post('/v1/clients', { ...web, redirectUris }, { key: 'same' }))),
    );
    assert.equal(new Set(tries.map(({ applicationId }) => applicationId)).size, 1);
  });

  it('are changed, all at once', async () => {
    const id = await register({ dpopBound: true });
    const changed = await put(`/v1/clients/${id}`, { ...web, redirectUris, name: 'Invoices' });
    assert.deepEqual([changed.status, changed.headers.get('etag')], [200, 'W/"2"']);
    const { name, dpopBound } = await lastOf(id);
    assert.deepEqual([name, dpopBound], ['Invoices', false]);
  });

  it('get secrets that are shown once, and tokens for them, until they are revoked or disabled', async () => {
    const id = await service();
    const issue = () => jsonOf(post(`/v1/clients/${id}/secrets`, {}, { key: `secret-${id}` }));
    const first = await issue();
    assert.deepEqual(await issue(), first);
    assert.ok(!JSON.stringify(await lastOf(id)).includes(String(first.clientSecret)));
    assert.ok(!JSON.stringify(api.log.lines).includes(String(first.clientSecret)));
    const token = async () =>
      (await api.takeToken(encodeURIComponent(String(first.clientId)), first.clientSecret)).status;
    assert.equal(await token(), 200);
    for (const [verb, status] of [
      ['disable', 401],
      ['enable', 200],
    ] as const) {
      assert.equal((await post(`/v1/clients/${id}/${verb}`, { reason: 'Looked into.' })).status, 200);
      assert.equal(await token(), status);
    }
    const revoked = await post(`/v1/clients/${id}/secrets/${first.credentialId}/revoke`, { reason: 'Leaked.' });
    assert.equal(revoked.status, 200);
    assert.equal(await token(), 401);
  });

  it('are not registered or changed with unknown fields, which would be dropped silently', async () => {
    const keys = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43), use: 'sig', custom: 1 }] };
    const body = { ...web, redirectUris, jwks: { ...keys, more: 1 }, logoUri: 'https://app.example/logo.png' };
    const id = await register();
    for (const answer of [await post('/v1/clients', body), await put(`/v1/clients/${id}`, body)]) {
      assert.equal(answer.status, 400);
      const { code, errors } = (await answer.json()) as { code: string; errors: { pointer: string }[] };
      assert.equal(code, 'invalid-input');
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        ['/body/jwks/more', '/body/logoUri'],
      );
    }
  });

  it('stand for their principal in tokens', async () => {
    const id = await service();
    const { clientId, clientSecret } = await jsonOf(post(`/v1/clients/${id}/secrets`, { expiresInSeconds: 600 }));
    const answer = await jsonOf(api.takeToken(encodeURIComponent(String(clientId)), clientSecret));
    assert.equal(decodeJwt(String(answer.access_token)).client_id, `acme~${id}`);
  });

  it('have ID tokens by RS256 unless they say otherwise, and by FAPI 2.0 never', async () => {
    const algorithmOf = async (changes: object = {}) =>
      (await lastOf(await register({ ...web, redirectUris, ...changes }))).idTokenAlgorithm;
    assert.equal(await algorithmOf(), 'RS256');
    assert.equal(await algorithmOf({ idTokenAlgorithm: 'ES256' }), 'ES256');
    assert.equal(await algorithmOf({ idTokenAlgorithm: null }), null);
    const key = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) };
    const bound = { authentication: 'private_key_jwt', jwks: { keys: [key] }, dpopBound: true, requirePushed: true };
    assert.equal(await algorithmOf({ ...bound, fapi: true }), 'ES256');
    const id = await register({ ...web, redirectUris, idTokenAlgorithm: 'ES256' });
    assert.equal((await put(`/v1/clients/${id}`, { ...web, redirectUris })).status, 200);
    assert.equal((await lastOf(id)).idTokenAlgorithm, 'RS256', 'what is left out is reset');
  });

  it('keep public keys only', async () => {
    const key = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) };
    const fields = { ...web, redirectUris, authentication: 'private_key_jwt' };
    const refused = await post('/v1/clients', { ...fields, jwks: { keys: [{ ...key, d: 'secret' }] } });
    assert.deepEqual([refused.status, (await jsonOf(refused)).code], [422, 'client-metadata-invalid']);
    const id = await register({ ...fields, jwks: { keys: [{ ...key, ext: true }] } });
    assert.deepEqual((await lastOf(id)).jwks, { keys: [key] });
  });

  const refusals: readonly (readonly [string, number, string, object])[] = [
    ['a field of another form', 400, 'invalid-input', { grantTypes: ['password'] }],
    ['a redirect to plain http', 422, 'redirect-uri-invalid', { redirectUris: ['http://app.example/'] }],
    ['a scope that the caller lacks', 403, 'scope-not-held', { scopes: ['security:read'] }],
    ['being ours', 403, 'first-party-not-held', { firstParty: true }],
    ['an algorithm that signs no ID tokens', 422, 'client-metadata-invalid', { idTokenAlgorithm: 'EdDSA' }],
    ['FAPI with a secret', 422, 'client-metadata-invalid', { fapi: true }],
    ['an unknown audience', 422, 'client-metadata-invalid', { audiences: ['https://evil.example'] }],
    [
      'a person as the service',
      422,
      'client-metadata-invalid',
      { grantTypes: ['client_credentials'], redirectUris: [], servicePrincipalId: 'nobody' },
    ],
  ];
  for (const [what, status, code, changes] of refusals)
    it(`refuse ${what}`, async () => {
      const answer = await post('/v1/clients', { ...web, redirectUris, ...changes });
      assert.deepEqual([answer.status, (await jsonOf(answer)).code], [status, code]);
    });
});
