/** Credentials that outlive what they were made with: each test is named after the attack. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { adminScopes } from '../../../domain/identity/scopes';
import type { Identity } from '../../../infra/server/http/routing/route';
import { admin, bootstrapCode, jsonOf, startCommandApi } from '../command-api';

const aDay = 86_400;
const reason = 'Left the team.';

interface Secret {
  readonly clientId: string;
  readonly clientSecret: string;
}

describe('credentials that outlive what they were made with', () => {
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  const whole: Identity = { ...admin, principalId: 'boss', scopes: adminScopes };
  const signedIn: Identity = { ...whole, authenticatedAt: Date.now(), multiFactor: true };

  before(async () => {
    api = await startCommandApi();
  });
  after(() => api.close());

  const register = async (principalType: string, identity = whole): Promise<string> =>
    String((await jsonOf(api.post('/v1/principals', { principalType }, { identity }))).principalId);
  const command = async (path: string, body: object, identity = whole): Promise<void> => {
    const answer = await api.post(path, body, { identity });
    assert.equal(answer.status, 200, await answer.text());
  };
  const issue = async (principalId: string, body: object, identity: Identity = whole): Promise<Response> =>
    api.post(`/v1/principals/${principalId}/credentials`, body, { identity });
  const credentialOf = async (principalId: string, scopes: readonly string[], identity = whole): Promise<Secret> => {
    const answer = await issue(principalId, { scopes }, identity);
    assert.equal(answer.status, 201, await answer.clone().text());
    return (await answer.json()) as Secret;
  };
  const take = async ({ clientId, clientSecret }: Secret): Promise<readonly [number, unknown]> => {
    const answer = await api.takeToken(clientId, clientSecret);
    const { scope, error } = await jsonOf(answer);
    return [answer.status, scope ?? error];
  };
  const expiriesOf = async (principalId: string, tenant = 'acme') => {
    const read = await api.store.read(`identity.principal-${tenant}.${principalId}`);
    assert.ok(isRight(read));
    return read.right
      .filter(({ type }) => type === 'identity.CredentialIssued.v1')
      .map(({ data }) => data as { readonly createdAt: string; readonly expiresAt: string })
      .map(({ createdAt, expiresAt }) => (Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000);
  };

  const personWith = async (roles: readonly string[]): Promise<{ principalId: string; secret: Secret }> => {
    const principalId = await register('HUMAN');
    await command(`/v1/principals/${principalId}/roles/grant`, { roles });
    const own: Identity = { ...signedIn, principalId };
    return { principalId, secret: await credentialOf(principalId, ['principals:write', 'security:write'], own) };
  };

  it('a former administrator uses an old credential', async () => {
    const { principalId, secret } = await personWith(['admin']);
    assert.deepEqual(await take(secret), [200, 'principals:write security:write']);
    await command(`/v1/principals/${principalId}/roles/withdraw`, { roles: ['admin'], reason });
    assert.deepEqual(await take(secret), [401, 'invalid_client']);
  });

  it('a person has a credential say more than they may do', async () => {
    const { principalId } = await personWith(['admin']);
    await command(`/v1/principals/${principalId}/roles/withdraw`, { roles: ['admin'], reason });
    await command(`/v1/principals/${principalId}/scopes/grant`, { scopes: ['documents:read'] });
    // Made with a token of before, whose scopes the withdrawal has not reached yet.
    const late = await credentialOf(principalId, ['documents:read', 'security:write'], { ...signedIn, principalId });
    assert.deepEqual(await take(late), [200, 'documents:read']);
  });

  it('a pipeline goes on with a scope that was withdrawn from it', async () => {
    const principalId = await register('PIPELINE');
    const secret = await credentialOf(principalId, ['documents:read', 'documents:write']);
    await command(`/v1/principals/${principalId}/scopes/withdraw`, { scopes: ['documents:write'], reason });
    assert.deepEqual(await take(secret), [401, 'invalid_client']);
  });

  for (const verb of ['epoch/bump', 'suspend', 'compromise'])
    it(`a principal uses a credential after ${verb}, at once or after reactivation`, async () => {
      const principalId = await register('PIPELINE');
      const secret = await credentialOf(principalId, ['documents:read']);
      await command(`/v1/principals/${principalId}/${verb}`, { reason });
      assert.notEqual((await take(secret))[0], 200);
      if (verb === 'suspend') await command(`/v1/principals/${principalId}/reactivate`, { reason });
      const expected = verb === 'compromise' ? [400, 'invalid_grant'] : [401, 'invalid_client'];
      assert.deepEqual(await take(secret), expected);
    });

  it('a principal of another tenant is meant', async () => {
    const principalId = await register('PIPELINE');
    const secret = await credentialOf(principalId, ['documents:read']);
    const other: Identity = { ...whole, tenantId: 'other' };
    const answer = await api.post(`/v1/principals/${principalId}/epoch/bump`, { reason }, { identity: other });
    assert.equal(answer.status, 404);
    assert.equal((await take(secret))[0], 200);
  });

  it('a credential is made to last for ever', async () => {
    const principalId = await register('PIPELINE');
    await credentialOf(principalId, ['documents:read']);
    const tooLong = await issue(principalId, { scopes: ['documents:read'], expiresInSeconds: 367 * aDay });
    assert.deepEqual([tooLong.status, (await jsonOf(tooLong)).code], [422, 'credential-too-long']);
    assert.deepEqual(await expiriesOf(principalId), [90 * aDay]);
    const tenant = await startCommandApi(undefined, { tenantId: 'fresh' as never });
    try {
      await tenant.post('/v1/bootstrap', { code: bootstrapCode });
      const read = await tenant.store.read('identity.principal-fresh.admin');
      assert.ok(isRight(read));
      const made = read.right[1]?.data as { readonly createdAt: string; readonly expiresAt: string };
      assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 90 * aDay * 1_000);
    } finally {
      await tenant.close();
    }
  });
});

describe('the policy of a tenant for credentials', () => {
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  const lawgiver: Identity = { ...admin, principalId: 'boss', scopes: adminScopes };
  const signedIn: Identity = { ...lawgiver, authenticatedAt: Date.now(), multiFactor: true };
  beforeEach(async () => {
    api = await startCommandApi();
  });
  afterEach(() => api.close());

  const set = (body: object, identity = lawgiver): Promise<Response> =>
    api.call('/v1/credential-policy', {
      method: 'PUT',
      identity,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ maximumSeconds: 366 * aDay, forbiddenFor: [], ...body }),
    });
  const issue = async (tenantId: string, body: object = {}): Promise<Response> => {
    const identity: Identity = { ...lawgiver, tenantId };
    const { principalId } = await jsonOf(api.post('/v1/principals', { principalType: 'PIPELINE' }, { identity }));
    const request = { scopes: ['documents:read'], ...body };
    return api.post(`/v1/principals/${String(principalId)}/credentials`, request, { identity });
  };

  it('bounds how long new ones last, and those whose end is not named', async () => {
    assert.equal((await set({ maximumSeconds: 7 * aDay })).status, 200);
    const refused = await issue('acme', { expiresInSeconds: 8 * aDay });
    assert.deepEqual([refused.status, (await jsonOf(refused)).code], [422, 'credential-too-long']);
    assert.equal((await issue('acme')).status, 201);
    assert.equal((await issue('other', { expiresInSeconds: 8 * aDay })).status, 201, 'of another tenant');
  });

  it('stops those that a forbidden type has, too, but for an hour at most', async () => {
    const { clientId, clientSecret } = await jsonOf(issue('acme'));
    assert.equal((await api.takeToken(clientId, clientSecret)).status, 200);
    assert.equal((await set({ forbiddenFor: ['PIPELINE'] })).status, 200);
    const stopped = await api.takeToken(clientId, clientSecret);
    assert.deepEqual([stopped.status, (await jsonOf(stopped)).error], [400, 'unauthorized_client']);
    const refused = await issue('acme');
    assert.deepEqual([refused.status, (await jsonOf(refused)).code], [403, 'credential-forbidden']);
    assert.equal((await issue('acme', { expiresInSeconds: 3_600 })).status, 201);
  });

  it('stops the secrets of applications that act as a forbidden type, too', async () => {
    const { principalId } = await jsonOf(
      api.post('/v1/principals', { principalType: 'PIPELINE' }, { identity: lawgiver }),
    );
    const service = { name: 'Robot', grantTypes: ['client_credentials'], scopes: ['documents:read'] };
    const registered = api.post('/v1/clients', { ...service, servicePrincipalId: principalId }, { identity: lawgiver });
    const { applicationId } = await jsonOf(registered);
    const secretFor = async (body: object) =>
      jsonOf(api.post(`/v1/clients/${String(applicationId)}/secrets`, body, { identity: lawgiver }));
    const [lasting, short] = [await secretFor({}), await secretFor({ expiresInSeconds: 3_600 })];
    const take = ({ clientId, clientSecret }: Record<string, unknown>) => api.takeToken(clientId, clientSecret);
    assert.equal((await take(lasting)).status, 200);
    assert.equal((await set({ forbiddenFor: ['PIPELINE'] })).status, 200);
    const stopped = await take(lasting);
    assert.deepEqual([stopped.status, (await jsonOf(stopped)).error], [400, 'unauthorized_client']);
    assert.equal((await take(short)).status, 200);
  });

  it('is loosened by who signed in a moment ago, with a second factor, and may act on the tenant', async () => {
    const loosened = { maximumSeconds: 400 * aDay };
    const withoutScope = { ...signedIn, scopes: adminScopes.filter((scope) => scope !== 'tenant:write') };
    const cases: readonly [Identity, number, string | undefined][] = [
      [withoutScope, 403, 'tenant-scope-missing'],
      [lawgiver, 401, 'insufficient-user-authentication'],
      [{ ...signedIn, multiFactor: false }, 401, 'insufficient-user-authentication'],
      [{ ...signedIn, authenticatedAt: Date.now() - 301_000 }, 401, 'insufficient-user-authentication'],
      [signedIn, 200, undefined],
    ];
    for (const [identity, status, problem] of cases) {
      const answer = await set(loosened, identity);
      assert.deepEqual([answer.status, (await jsonOf(answer)).code], [status, problem]);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      if (status === 401)
        assert.match(challenge, /^Bearer error="insufficient_user_authentication".* max_age="300", acr_values="2"$/);
    }
  });
});
