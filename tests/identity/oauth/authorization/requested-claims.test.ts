/** Claims about a person that a client requests (OpenID Connect Core sections 5.4 and 5.5). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { parseRequestedClaims } from '../../../../commands/identity/oauth/authorization/requested-claims';
import { authenticators, authenticatorsStream } from '../../../../domain/identity/authenticators/events';
import type { ClientMetadata } from '../../../../domain/identity/client/events';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { scope, tenantId } from '../../examples';
import { authorizationRequest, codeOf, errorOf, jsonOf, redirectTarget, startWithSignedInPerson } from './fixture';
import { type Browser, register } from './recorded-facts';

type Stage = Awaited<ReturnType<typeof startWithSignedInPerson>>;

const profile = { login: 'ada', displayName: 'Ada L.', email: 'ada@acme.example' };
const names = ['name', 'preferred_username', 'email', 'email_verified'];

const start = async () => {
  const stage = await startWithSignedInPerson();
  const data = { principalId: 'p-1' as PrincipalId, ...profile };
  const event = { id: randomUUID(), ...authenticators.encode({ type: 'ProfileSet', data }), metadata: {} };
  assert.ok(isRight(await stage.store.append(authenticatorsStream(tenantId, 'p-1' as PrincipalId), 'any', [event])));
  return stage;
};

describe('claims of ID tokens', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await start();
  });
  afterEach(() => stage.close());

  const openScopes = ['openid', 'profile', 'email', 'offline_access'].map(scope);
  const client = async (id: string, changes: Partial<ClientMetadata> = {}): Promise<string> => {
    const clientId = `acme~${id}`;
    await register(stage, clientId, { firstParty: true, scopes: openScopes, ...changes });
    return clientId;
  };

  interface SignInRequest {
    readonly clientId: string;
    readonly scope?: string;
    readonly claims?: object;
  }

  const signIn = async ({ clientId, claims, scope: words = 'openid' }: SignInRequest) => {
    const changes = {
      client_id: clientId,
      scope: words,
      ...(claims === undefined ? {} : { claims: JSON.stringify(claims) }),
    };
    const code = await codeOf(stage.authorize(authorizationRequest(changes), stage.browser));
    return jsonOf(stage.redeem(code, { client_id: clientId }));
  };

  const personClaimsIn = (token: unknown): Record<string, unknown> =>
    Object.fromEntries(Object.entries(decodeJwt(String(token))).filter(([name]) => names.includes(name)));

  it('are none about the person, unless the client asks', async () => {
    const tokens = await signIn({ clientId: await client('plain'), scope: 'openid profile email' });
    assert.deepEqual(personClaimsIn(tokens.id_token), {});
    assert.equal(tokens.scope, 'email openid profile');
  });

  it('are those of its scopes for a client whose switch is on', async () => {
    const clientId = await client('switched', { personClaimsInIdToken: true });
    const all = await signIn({ clientId, scope: 'openid profile email' });
    const { login, displayName, email } = profile;
    const mail = { email, email_verified: false };
    assert.deepEqual(personClaimsIn(all.id_token), { name: displayName, preferred_username: login, ...mail });
    const some = await signIn({ clientId, scope: 'openid email' });
    assert.deepEqual(personClaimsIn(some.id_token), mail);
  });

  it('are those that the request names for the ID token, and no more of the same scope', async () => {
    const clientId = await client('naming');
    const tokens = await signIn({ clientId, claims: { id_token: { name: null, email: { essential: true } } } });
    assert.deepEqual(personClaimsIn(tokens.id_token), { name: 'Ada L.', email: 'ada@acme.example' });
    assert.equal(tokens.scope, 'email openid profile', 'a claim is allowed by its scope');
    const userinfo = await signIn({ clientId, claims: { userinfo: { email: null, groups: null } } });
    assert.deepEqual([personClaimsIn(userinfo.id_token), userinfo.scope], [{}, 'email openid']);
  });

  it('are the same at each refresh', async () => {
    const clientId = await client('refreshing', { dpopBound: false });
    const claims = { id_token: { name: null } };
    const first = await signIn({ clientId, claims, scope: 'openid offline_access' });
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: String(first.refresh_token) };
    const second = await jsonOf(stage.send('/oauth/token', form));
    assert.deepEqual(personClaimsIn(second.id_token), { name: 'Ada L.' }, JSON.stringify(second));
  });

  it('are not of a scope that the client is not registered for', async () => {
    const clientId = await client('narrow', { scopes: [scope('openid')] });
    const tokens = await signIn({ clientId, claims: { id_token: { email: { essential: true } } } });
    assert.deepEqual([personClaimsIn(tokens.id_token), tokens.scope], [{}, 'openid']);
  });

  it('are pushed like any other part of a request', async () => {
    const clientId = await client('pushing');
    const claims = JSON.stringify({ id_token: { name: null } });
    const pushed = await jsonOf(
      stage.send('/oauth/par', authorizationRequest({ client_id: clientId, scope: 'openid', claims })),
    );
    const pairs = { client_id: clientId, request_uri: String(pushed.request_uri) };
    const code = await codeOf(stage.authorize(pairs, stage.browser));
    const tokens = await jsonOf(stage.redeem(code, { client_id: clientId }));
    assert.deepEqual(personClaimsIn(tokens.id_token), { name: 'Ada L.' });
  });

  it('are signed by the algorithm of the client, RS256 by default', async () => {
    const algorithmOf = async (id: string, changes: Partial<ClientMetadata> = {}) =>
      decodeProtectedHeader(String((await signIn({ clientId: await client(id, changes) })).id_token)).alg;
    assert.equal(await algorithmOf('default'), 'RS256');
    assert.equal(await algorithmOf('choosing', { idTokenAlgorithm: 'ES256' }), 'ES256');
    assert.equal(await algorithmOf('before', { idTokenAlgorithm: null }), 'ES256');
  });

  const errorFor = async (claims: string, browser: Browser, more: Record<string, string> = {}) =>
    errorOf(redirectTarget(await stage.authorize(authorizationRequest({ claims, ...more }), browser)));

  it('make a request for another person, or for more factors than there are, fail', async () => {
    const forPerson = (sub: string) => JSON.stringify({ id_token: { sub: { value: sub } } });
    assert.equal(await errorFor(forPerson('p-1'), stage.browser), undefined);
    assert.equal(await errorFor(forPerson('p-2'), stage.browser, { prompt: 'none' }), 'login_required');
    const forClass = (acr: object) => JSON.stringify({ id_token: { acr } });
    const silent = { prompt: 'none' };
    stage.wait(60);
    assert.equal(await errorFor(forClass({ values: ['2'] }), stage.browser, silent), 'login_required');
    assert.equal(await errorFor(forClass({ values: ['1', '2'] }), stage.browser, silent), undefined);
    assert.equal(await errorFor(forClass({ value: 'phr' }), stage.browser), undefined);
    const unmet = 'unmet_authentication_requirements';
    assert.equal(await errorFor(forClass({ essential: true, value: 'phr' }), stage.browser), unmet);
  });

  it('are refused when they are no claims', async () => {
    for (const claims of ['x', '[]', 'null', '1', '{"id_token":[]}', '{"id_token":{"name":1}}', '{"userinfo":"email"}'])
      assert.equal(await errorFor(claims, stage.browser), 'invalid_request', claims);
    assert.equal(await errorFor(`{"x":"${'x'.repeat(4_096)}"}`, stage.browser), 'invalid_request');
  });
});

describe('the claims parameter', () => {
  it('takes the example of OpenID Connect Core section 5.5, and names of objects for what they are', () => {
    const read = parseRequestedClaims(
      JSON.stringify({
        userinfo: {
          given_name: { essential: true },
          nickname: null,
          email: { essential: true },
          email_verified: { essential: true },
          picture: null,
          'http://example.info/claims/groups': null,
        },
        id_token: { auth_time: { essential: true }, acr: { values: ['urn:mace:incommon:iap:silver'] } },
      }),
    );
    assert.ok(isRight(read));
    assert.deepEqual(read.right, {
      userinfo: ['email', 'email_verified'],
      idToken: [],
      subject: undefined,
      twoFactors: false,
    });
    const odd = parseRequestedClaims('{"id_token":{"__proto__":null,"constructor":null,"toString":{}},"other":1}');
    assert.ok(isRight(odd) && odd.right.idToken.length === 0);
  });
});

describe('scopes that nobody knows', () => {
  let stage: Stage;
  before(async () => {
    stage = await start();
  });
  after(() => stage.close());

  it('are ignored at authorization and in pushed requests', async () => {
    const words = 'openid groups api://orders/.default orders:write principals:read';
    const code = await codeOf(stage.authorize(authorizationRequest({ scope: words }), stage.browser));
    assert.equal((await jsonOf(stage.redeem(code))).scope, 'openid principals:read');
    const pushed = await stage.send('/oauth/par', authorizationRequest({ scope: words }));
    assert.equal(pushed.status, 201);
  });

  it('are no request by themselves, and scopes that a client may not have are named', async () => {
    const refusedWith = async (words: string) =>
      Object.fromEntries(
        redirectTarget(await stage.authorize(authorizationRequest({ scope: words }), stage.browser)).searchParams,
      );
    assert.equal((await refusedWith('groups')).error, 'invalid_scope');
    const { error, error_description: why } = await refusedWith('openid platform:write');
    assert.deepEqual([error, why], ['invalid_scope', 'The client may not request these scopes: platform:write.']);
  });
});
