import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { parseApplicationClientId } from '../../../commands/identity/clients/client-id';
import { loadClient } from '../../../commands/identity/clients/load-client';
import type { RegistrationMode } from '../../../commands/identity/oauth/client-registration/initial-access-token';
import type { TenantId } from '../../../domain/kernel/ids';
import { derivedNonces } from '../../../packages/resource-server/src/dpop/nonce';
import { accessTokenHash } from '../../../packages/resource-server/src/dpop/verify-proof';
import { proofClaimsAt, proofKey, proofWith } from '../../packages/resource-server/proofs';
import { admin, bootstrapCode, jsonOf, startCommandApi } from '../command-api';

type Api = Awaited<ReturnType<typeof startCommandApi>>;
const tenantId = 'acme' as TenantId;
const registration = {
  redirect_uris: ['https://app.example/callback'],
  client_name: 'Billing',
  scope: 'openid profile',
};

const started = (mode?: RegistrationMode['mode']): Promise<Api> =>
  startCommandApi(undefined, undefined, mode === undefined ? undefined : { mode, tenantId });

const register = (api: Api, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  api.call('/oauth/register', {
    method: 'POST',
    identity: 'anonymous',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Of the first admin, with every scope. */
const adminToken = async (api: Api): Promise<string> => {
  const first = await jsonOf(api.post('/v1/bootstrap', { code: bootstrapCode }, { identity: admin }));
  return String((await jsonOf(api.takeToken(first.clientId, first.clientSecret))).access_token);
};

const refusedAs = async (answer: Promise<Response>, status: number, error: string): Promise<Response> => {
  const refused = await answer;
  assert.deepEqual([refused.status, ((await refused.clone().json()) as { error: string }).error], [status, error]);
  return refused;
};

describe('open dynamic registration', () => {
  let api: Api;
  before(async () => {
    api = await started('open');
  });
  after(() => api.close());

  it('answers what was registered, as RFC 7591 names it', async () => {
    const answer = await register(api, { ...registration, software_id: 'ignored' });
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [201, 'no-store']);
    const { client_id: clientId, client_secret: secret, client_id_issued_at: at, ...rest } = await jsonOf(answer);
    assert.match(String(clientId), /^acme~[0-9a-f-]{36}$/);
    assert.equal(Buffer.from(String(secret), 'base64url').length, 32);
    assert.ok(Number.isInteger(at));
    assert.deepEqual(rest, {
      client_secret_expires_at: 0,
      client_name: 'Billing',
      redirect_uris: registration.redirect_uris,
      post_logout_redirect_uris: [],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'openid profile',
      dpop_bound_access_tokens: false,
      tls_client_certificate_bound_access_tokens: false,
      require_pushed_authorization_requests: false,
      id_token_signed_response_alg: 'RS256',
      person_claims_in_id_token: false,
      fapi: false,
      exact_token_endpoint_auth_method: false,
      require_pkce: true,
    });
    const events = await api.store.read(`identity.client-acme.${String(clientId).split('~')[1]}`);
    assert.ok(isRight(events));
    assert.deepEqual(
      events.right.map(({ type }) => type),
      ['identity.ClientRegistered.v1', 'identity.ClientRegisteredItself.v1', 'identity.ClientSecretIssued.v1'],
    );
    assert.ok(!JSON.stringify(events.right.map(({ data }) => data)).includes(String(secret)));
  });

  it('takes the algorithm of ID tokens, and refuses one that signs none', async () => {
    const registered = await jsonOf(register(api, { ...registration, id_token_signed_response_alg: 'ES256' }));
    assert.equal(registered.id_token_signed_response_alg, 'ES256');
    for (const algorithm of ['EdDSA', 'PS256', 'none', 'HS256']) {
      const refused = await register(api, { ...registration, id_token_signed_response_alg: algorithm });
      const body = await jsonOf(refused);
      assert.deepEqual([refused.status, body.error], [400, 'invalid_client_metadata'], algorithm);
      assert.match(String(body.error_description), /RS256|idTokenAlgorithm|id_token_signed_response_alg/);
    }
  });

  it('ignores scopes that nobody knows, and says what is left', async () => {
    const registered = await jsonOf(register(api, { ...registration, scope: 'openid profile groups api.read' }));
    assert.equal(registered.scope, 'openid profile');
    assert.equal((await register(api, { ...registration, scope: 'groups' })).status, 400);
  });

  it('gives the scopes of an API that the policy opens, which are no part of the registration', async () => {
    const own = await started('open');
    const writer = { identity: { ...admin, scopes: ['apis:write', 'security:write'] } };
    const tickets = 'https://tickets.example';
    const send = (method: string, path: string, body: object, as = writer): Promise<Response> =>
      own.call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...as });
    const scopes = [{ name: 'tickets:read', description: 'See tickets' }];
    assert.equal((await send('POST', '/v1/apis', { name: 'Desk', audience: tickets, scopes })).status, 201);
    const wanted = { ...registration, scope: 'profile tickets:read' };
    await refusedAs(register(own, wanted), 400, 'invalid_client_metadata');
    const policy = { audiences: [tickets], metadataHosts: [] };
    const weak = { identity: { ...admin, scopes: ['security:write'] } };
    const refused = await send('PUT', '/v1/registration-policy', policy, weak);
    assert.deepEqual([refused.status, (await jsonOf(refused)).code], [403, 'scope-not-held']);
    assert.equal((await send('PUT', '/v1/registration-policy', policy)).status, 200);
    const { client_id: clientId, scope: answered } = await jsonOf(register(own, wanted));
    assert.equal(answered, 'profile tickets:read');
    const name = parseApplicationClientId(String(clientId));
    assert.ok(name !== undefined);
    const load = async () => {
      const found = await loadClient(
        { store: own.store, issuer: 'https://septet.example', audiences: ['septet'] },
        name,
      );
      assert.ok(isRight(found));
      return found.right;
    };
    assert.deepEqual((await load())?.scopes, ['profile', 'tickets:read']);
    assert.ok((await load())?.audiences.includes(tickets));
    assert.equal((await send('PUT', '/v1/registration-policy', { audiences: [], metadataHosts: [] })).status, 200);
    assert.deepEqual((await load())?.scopes, ['profile']);
    assert.equal((await load())?.audiences.includes(tickets), false);
    await own.close();
  });

  it('takes the way of authenticating as a preference, unless the client is held to it', async () => {
    const held = {
      ...registration,
      token_endpoint_auth_method: 'client_secret_post',
      exact_token_endpoint_auth_method: true,
    };
    for (const [metadata, isHeld] of [
      [registration, false],
      [held, true],
    ] as const) {
      const { client_id: id, client_secret: secret, ...rest } = await jsonOf(register(api, metadata));
      assert.equal(rest.exact_token_endpoint_auth_method, isHeld);
      const authorization = `Basic ${btoa(`${id}:${secret}`)}`;
      const post = (headers: Record<string, string>, form: Record<string, string>): Promise<Response> =>
        api.call('/oauth/revoke', {
          method: 'POST',
          identity: 'anonymous',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: String(new URLSearchParams({ token: 'x', ...form })),
        });
      assert.equal((await post({}, { client_id: String(id), client_secret: String(secret) })).status, 200);
      assert.equal((await post({ authorization }, {})).status, isHeld ? 401 : 200);
    }
  });

  it('lets a confidential client do without PKCE, and no public one', async () => {
    assert.equal((await jsonOf(register(api, { ...registration, require_pkce: false }))).require_pkce, false);
    const open = { ...registration, require_pkce: false, token_endpoint_auth_method: 'none' };
    await refusedAs(register(api, open), 400, 'invalid_client_metadata');
  });

  it('takes and answers the address that is told of sign-outs', async () => {
    const logout = {
      backchannel_logout_uri: 'https://app.example/backchannel-logout',
      backchannel_logout_session_required: true,
    };
    const answer = await jsonOf(register(api, { ...registration, ...logout }));
    assert.deepEqual(
      [answer.backchannel_logout_uri, answer.backchannel_logout_session_required],
      Object.values(logout),
    );
    await refusedAs(
      register(api, { ...registration, backchannel_logout_uri: 'http://app.example/' }),
      400,
      'invalid_client_metadata',
    );
  });

  it('gives no secret to who has no use for it', async () => {
    const answer = await jsonOf(register(api, { ...registration, token_endpoint_auth_method: 'none' }));
    assert.equal('client_secret' in answer, false);
  });

  const refusals: readonly (readonly [string, string, unknown])[] = [
    ['plain http', 'invalid_redirect_uri', { ...registration, redirect_uris: ['http://app.example/'] }],
    ['an address that is none', 'invalid_redirect_uri', { ...registration, redirect_uris: [1] }],
    ['authority over anything', 'invalid_client_metadata', { ...registration, scope: 'openid principals:read' }],
    ['no scope', 'invalid_client_metadata', { ...registration, scope: 'constructor' }],
    ['a service of its own', 'invalid_client_metadata', { ...registration, grant_types: ['client_credentials'] }],
    ['the implicit flow', 'invalid_client_metadata', { ...registration, response_types: ['token'] }],
    [
      'keys here and there',
      'invalid_client_metadata',
      { ...registration, jwks: { keys: [] }, jwks_uri: 'https://app.example/' },
    ],
    ['a software statement', 'invalid_software_statement', { ...registration, software_statement: 'x.y.z' }],
    ['no metadata at all', 'invalid_client_metadata', 'x'],
  ];
  for (const [what, error, body] of refusals) it(`refuses ${what}`, () => refusedAs(register(api, body), 400, error));

  it('registers no first-party clients', async () => {
    const { client_id: clientId } = await jsonOf(
      register(api, { ...registration, firstParty: true, first_party: true }),
    );
    const events = await api.store.read(`identity.client-acme.${String(clientId).split('~')[1]}`);
    assert.ok(isRight(events));
    const [registered] = events.right.map(({ data }) => data as { readonly firstParty: boolean });
    assert.equal(registered?.firstParty, false);
  });

  it('takes a token that is not valid for no token', () =>
    refusedAs(register(api, registration, { authorization: 'Bearer x.y.z' }), 401, 'invalid_token'));
});

describe('dynamic registration, with a token', () => {
  let api: Api;
  let token: string;
  before(async () => {
    api = await started('token');
    token = await adminToken(api);
  });
  after(() => api.close());

  it('registers what the caller may hand out', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await register(api, { ...registration, scope: 'openid principals:read' }, headers);
    assert.deepEqual([answer.status, (await jsonOf(answer)).scope], [201, 'openid principals:read']);
  });

  it('refuses who has none', async () => {
    const refused = await refusedAs(register(api, registration), 401, 'invalid_token');
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/);
  });

  it('refuses a token by another scheme than its own', () =>
    refusedAs(register(api, registration, { authorization: `DPoP ${token}` }), 401, 'invalid_token'));

  it('refuses a token that is not for this', async () => {
    const { principalId } = await jsonOf(api.post('/v1/principals', { principalType: 'PIPELINE' }));
    const body = { scopes: ['principals:read'] };
    const credential = await jsonOf(api.post(`/v1/principals/${principalId}/credentials`, body));
    const answer = await jsonOf(api.takeToken(credential.clientId, credential.clientSecret));
    const headers = { authorization: `Bearer ${answer.access_token}` };
    await refusedAs(register(api, registration, headers), 403, 'insufficient_scope');
    await api.post(`/v1/principals/${principalId}/suspend`, { reason: 'Lost.' });
    await refusedAs(register(api, registration, headers), 401, 'invalid_token');
  });
});

describe('dynamic registration, with a token that is bound to a key', () => {
  it('takes it from who holds the key, and gives the nonce that their proof lacks', async () => {
    const nonces = derivedNonces(createSecretKey(Buffer.from('n'.repeat(32))));
    const api = await startCommandApi(undefined, undefined, { mode: 'token', tenantId }, { nonces });
    const key = proofKey();
    const proof = (path: string, more: object = {}) =>
      proofWith(key, proofClaimsAt(Date.now(), { htu: `https://septet.example${path}`, ...more }));
    const first = await jsonOf(api.post('/v1/bootstrap', { code: bootstrapCode }, { identity: admin }));
    const nonce = nonces.current(Date.now());
    const dpop = proof('/oauth/token', { nonce });
    const token = String((await jsonOf(api.takeToken(first.clientId, first.clientSecret, { dpop }))).access_token);
    const more = { ath: accessTokenHash(token) };
    const registerWith = (changes: object) =>
      register(api, registration, {
        authorization: `DPoP ${token}`,
        dpop: proof('/oauth/register', { ...more, ...changes }),
      });
    const refused = await refusedAs(registerWith({}), 401, 'invalid_token');
    assert.match(refused.headers.get('www-authenticate') ?? '', /use_dpop_nonce/);
    assert.equal((await registerWith({ nonce: refused.headers.get('dpop-nonce') })).status, 201);
    await refusedAs(register(api, registration, { authorization: `Bearer ${token}` }), 401, 'invalid_token');
    await api.close();
  });
});

describe('dynamic registration, where it is off', () => {
  it('is nowhere, and the server says so', async () => {
    const api = await started();
    assert.equal((await register(api, registration)).status, 404);
    const metadata = await jsonOf(api.call('/.well-known/oauth-authorization-server', { identity: 'anonymous' }));
    assert.equal('registration_endpoint' in metadata, false);
    await api.close();
  });
});
