import assert from 'node:assert/strict';
import { defaultRules } from '../../../domain/identity/sign-in-policy/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type AuthenticatorRow, authenticatorsView } from '../../../projections/identity/authenticators/view';
import { credentialPolicyView } from '../../../projections/identity/credential-policy/view';
import { keysTenant } from '../../../projections/identity/signing-keys/view';
import { credentialId, evening, noon, principalId } from '../examples';
import { hashes, ids, provider } from '../projections/access-examples';
import { type ReadApi, startFilledReadApi } from './access-fixture';
import { reader, stranger } from './fixture';

const scopes = ['sessions:read', 'grants:read', 'clients:read', 'keys:read', 'principals:read'];
const identity = { ...reader(), scopes };
const own = { ...reader(), principalId, scopes: ['account:read'] };
const otherPerson = { ...reader(), scopes: ['account:read'] };
/** An application that they signed in to, and did not let. */
const application = { ...own, scopes: ['openid', 'profile'] };

describe('reading sessions, grants, clients and keys', () => {
  let api: ReadApi;
  before(async () => {
    api = await startFilledReadApi();
  });
  after(() => api.close());

  const items = async (path: string, as = identity) => (await api.get(path, { identity: as })).body.items;
  const statusOf = async (path: string, as = identity) => (await api.get(path, { identity: as })).status;

  it('shows sessions without device or address', async () => {
    const session = {
      sessionId: ids.session,
      principalId,
      status: 'ACTIVE',
      openedAt: noon,
      authenticatedAt: noon,
      methods: ['pwd'],
      upstreamIssuer: null,
      expiresAt: evening,
      endedAt: null,
      reason: null,
      endedBy: null,
    };
    assert.deepEqual(await items('/v1/sessions'), [session]);
    assert.deepEqual(await items(`/v1/principals/${principalId}/sessions?status=ACTIVE`), [session]);
    assert.deepEqual(await items('/v1/sessions?status=ENDED'), []);
    assert.deepEqual(await items(`/v1/sessions?principalIds=p-2,${principalId}`), [session]);
    assert.deepEqual(await items('/v1/sessions?principalIds=p-2'), []);
    assert.deepEqual(await items('/v1/principals/p-2/sessions'), []);
  });

  it('shows grants with the fields of the specification, what they are for, and how they ended', async () => {
    const { body, response } = await api.get(`/v1/grants/${ids.grant}`, { identity });
    const { grantId, principalType, refreshFamilyId, status, createdAt, expiresAt, clientId } = body;
    assert.deepEqual(
      [grantId, body.principalId, principalType, refreshFamilyId, status, createdAt, expiresAt, clientId],
      [ids.grant, principalId, 'HUMAN', ids.family, 'ACTIVE', noon, evening, 'acme~a-1'],
    );
    assert.equal(response.headers.get('etag'), 'W/"0"');
    for (const query of [`?clientId=acme~a-1`, `?sessionId=${ids.session}`, `?principalId=${principalId}`])
      assert.equal((await items(`/v1/grants${query}`)).length, 1, query);
    for (const [query, count] of [
      [`?principalIds=p-2,${principalId}`, 1],
      ['?principalIds=p-2', 0],
      ['?clientIds=acme~console,acme~a-1', 1],
      ['?clientIds=acme~console', 0],
      [`?principalIds=${principalId}&clientIds=acme~console`, 0],
      [`?expiresAfter=${noon}`, 1],
      ['?status=ACTIVE&expiresBefore=2026-02-01T00:00:00.000Z', 1],
      [`?expiresBefore=${evening}`, 0],
      [`?expiresBefore=${noon}`, 0],
    ] as const)
      assert.equal((await items(`/v1/grants${query}`)).length, count, query);
    assert.deepEqual(await items('/v1/grants?status=REVOKED'), []);
    assert.equal((await items(`/v1/principals/${principalId}/grants`)).length, 1);
  });

  it('shows families by the names of the specification, and no hash', async () => {
    const { body } = await api.get(`/v1/refresh-families/${ids.family}`, { identity });
    assert.deepEqual([body.family_id, body.status, body.rotation_counter], [ids.family, 'ACTIVE', 1]);
    assert.deepEqual(await items(`/v1/refresh-families?grantId=${ids.grant}`), [body]);
    assert.ok(!/hash|jkt/i.test(Object.keys(body).join()));
  });

  it('shows clients as tokens name them, and of their secrets until when they hold', async () => {
    const { body } = await api.get(`/v1/clients/${ids.application}`, { identity });
    assert.deepEqual([body.clientId, body.name, body.status], ['acme~a-1', 'Billing', 'ACTIVE']);
    assert.deepEqual(await items('/v1/clients'), [body]);
    assert.deepEqual(await items('/v1/clients?search=ILLIN'), [body]);
    assert.deepEqual(await items('/v1/clients?search=orders'), []);
    assert.ok(!('plainName' in body));
    assert.deepEqual(await items(`/v1/clients/${ids.application}/secrets`), [
      {
        credentialId: ids.secret,
        createdAt: noon,
        createdBy: 'p-admin',
        expiresAt: evening,
        revokedAt: null,
        reason: null,
      },
    ]);
    assert.deepEqual(await items(`/v1/principals/${ids.application}/credentials`), []);
  });

  it('lists the credentials of all principals, and finds one by its id', async () => {
    const credential = {
      credentialId,
      principalId,
      label: null,
      scopes: ['principals:read'],
      createdAt: noon,
      createdBy: 'p-admin',
      expiresAt: evening,
      lastUsedAt: null,
      revokedAt: null,
      reason: null,
    };
    for (const query of [
      '',
      `?credentialId=${credentialId}`,
      `?credentialIds=c-0,${credentialId}`,
      `?principalIds=p-2,${principalId}`,
    ])
      assert.deepEqual(await items(`/v1/credentials${query}`), [credential], query);
    for (const query of [`?credentialId=${ids.secret}`, '?principalIds=p-2'])
      assert.deepEqual(await items(`/v1/credentials${query}`), [], query);
    assert.deepEqual(await items(`/v1/principals/${principalId}/credentials`), [credential]);
    assert.equal(await statusOf('/v1/credentials', own), 403);
    assert.deepEqual(await items('/v1/credentials', { ...identity, tenantId: 'other' }), []);
  });

  it('lists the clients that every tenant has, by the ids of the caller’s tenant', async () => {
    const namesIn = async (tenantId: string) =>
      (await items('/v1/built-in-clients', { ...identity, tenantId })).map(
        ({ clientId, name }: { readonly clientId: string; readonly name: string }) => [clientId, name],
      );
    assert.deepEqual(await namesIn('acme'), [
      ['acme~console', 'Septet console'],
      ['acme~cli', 'Septet command line'],
    ]);
    assert.equal((await namesIn('other'))[0]?.[0], 'other~console');
    assert.equal(await statusOf('/v1/built-in-clients', otherPerson), 403);
  });

  it('shows how people sign in, and of a provider’s password only that there is one', async () => {
    const as = { ...identity, scopes: ['security:read'] };
    const { body } = await api.get('/v1/sign-in-policy', { identity: as });
    const rules = { mfa: 'required', passwords: false, passkeys: true, sessionSeconds: 3_600 };
    assert.deepEqual(body, {
      rules,
      effectiveRules: rules,
      providers: [{ ...provider, hasPassword: true }],
    });
    assert.ok(!JSON.stringify(body).includes(hashes[0]));
    const elsewhere = await api.get('/v1/sign-in-policy', { identity: { ...as, tenantId: 'other' } });
    assert.deepEqual(elsewhere.body, { rules: null, effectiveRules: defaultRules, providers: [] });
    assert.equal(await statusOf('/v1/sign-in-policy', own), 403);
  });

  it('answers the default policy of credentials until a tenant has set one', async () => {
    const as = { ...identity, scopes: ['security:read'] };
    await api.views.write(credentialPolicyView, 7n, []);
    const { body, response } = await api.get('/v1/credential-policy', { identity: as });
    assert.deepEqual([response.status, body], [200, { maximumSeconds: 366 * 86_400, forbiddenFor: [] }]);
  });

  it('counts people by their sign-in methods, so that nobody removes one in ignorance', async () => {
    const as = { ...identity, scopes: ['security:read'] };
    const row = (principal: string, kind: AuthenticatorRow['kind'], authenticatorId: string = kind) => ({
      ...{
        tenantId: identity.tenantId as TenantId,
        principalId: principal as PrincipalId,
        kind,
        authenticatorId,
        addedAt: noon,
        revision: 0,
      },
    });
    await api.views.write(authenticatorsView, 7n, [
      row('ada', 'password'),
      row('ada', 'totp'),
      row('bo', 'password'),
      row('bo', 'passkey', 'k-1'),
      row('bo', 'passkey', 'k-2'),
      row('cy', 'passkey', 'k-3'),
      { ...row('dan', 'password'), tenantId: 'other' as TenantId },
    ]);
    const { body } = await api.get('/v1/sign-in-policy/methods', { identity: as });
    assert.deepEqual(body, { people: 3, withPassword: 2, withPasskey: 2, isComplete: true });
    assert.equal(await statusOf('/v1/sign-in-policy/methods', own), 403);
  });

  it('shows what a principal may do', async () => {
    assert.deepEqual(await items(`/v1/principals/${principalId}/authority`), [
      { kind: 'role', name: 'auditor', grantedAt: noon },
    ]);
  });

  it('shows signing keys to operators of the platform only, whatever a tenant is called', async () => {
    assert.deepEqual(
      (await items('/v1/signing-keys?state=ACTIVE')).map(({ kid }: { kid: string }) => kid),
      [ids.kid],
    );
    for (const tenantId of ['other', keysTenant])
      assert.equal(await statusOf('/v1/signing-keys', { ...identity, tenantId }), 403, tenantId);
  });

  it('shows security events of no tenant to operators only, and to them only when asked', async () => {
    const watching = { ...identity, scopes: ['security:read'] };
    const typesIn = async (path: string) =>
      (await items(path, watching)).map(({ type }: { type: string }) => type).reverse();
    assert.deepEqual(await typesIn('/v1/security/events?about=platform'), [
      ...['KeyCreated', 'KeyPublished', 'KeyActivated'],
    ]);
    assert.deepEqual(await typesIn('/v1/security/events'), []);
    assert.equal(await statusOf('/v1/security/events?about=platform', { ...watching, tenantId: 'other' }), 403);
  });

  it('shows everybody what is their own, and nothing else, where the application may look', async () => {
    for (const path of ['sessions', 'grants']) {
      assert.equal((await items(`/v1/principals/${principalId}/${path}`, own)).length, 1);
      for (const other of [otherPerson, application])
        assert.equal(await statusOf(`/v1/principals/${principalId}/${path}`, other), 403);
      assert.equal(await statusOf(`/v1/${path}`, own), 403);
    }
    for (const path of [`/v1/grants/${ids.grant}`, `/v1/refresh-families/${ids.family}`]) {
      assert.equal(await statusOf(path, own), 200);
      for (const other of [otherPerson, application]) assert.equal(await statusOf(path, other), 404, path);
    }
    for (const path of ['/v1/clients', '/v1/signing-keys', '/v1/refresh-families', `/v1/clients/${ids.application}`])
      assert.equal(await statusOf(path, own), 403, path);
  });

  it('does not tell one who may not see a thing that it is there, not even that it has not changed', async () => {
    const headers = { 'if-none-match': 'W/"0"' };
    const answer = await api.get(`/v1/grants/${ids.grant}`, { identity: otherPerson, headers });
    const unknown = await api.get('/v1/grants/g-77', { identity: otherPerson, headers });
    assert.deepEqual([answer.status, answer.body], [404, unknown.body]);
  });

  it('shows another tenant none of it', async () => {
    const other = { ...stranger, scopes };
    for (const path of ['/v1/sessions', '/v1/grants', '/v1/refresh-families', '/v1/clients'])
      assert.deepEqual(await items(path, other), [], path);
    const below = [
      ...[`principals/${principalId}/sessions`, `principals/${principalId}/grants`],
      ...[`principals/${principalId}/authority`, `clients/${ids.application}/secrets`],
    ];
    for (const path of below) assert.deepEqual(await items(`/v1/${path}`, other), [], path);
    for (const path of [`grants/${ids.grant}`, `refresh-families/${ids.family}`, `clients/${ids.application}`])
      assert.equal(await statusOf(`/v1/${path}`, other), 404, path);
    // A principal of the same id in another tenant is a different one.
    assert.equal(await statusOf(`/v1/grants/${ids.grant}`, { ...own, tenantId: 'other' }), 404);
  });

  it('refuses ids that are none', async () => {
    for (const path of ['/v1/grants/-', '/v1/grants?sessionId=abc', '/v1/grants?clientId=nobody'])
      assert.equal(await statusOf(path), 400, path);
  });
});
