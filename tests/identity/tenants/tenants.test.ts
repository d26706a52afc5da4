/** Registering tenants: the rules, the route, and the code with which a first administrator begins. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { decodeJwt } from 'jose';
import { adminScopes } from '../../../domain/identity/scopes';
import { type RegisterTenant, tenant } from '../../../domain/identity/tenant/decider';
import type { TenantEvent } from '../../../domain/identity/tenant/events';
import type { TenantId } from '../../../domain/kernel/ids';
import { given } from '../../kernel/domain/given-when-then';
import { twiceIsOnce } from '../../support/domain/arbitrary';
import { admin, bootstrapCode, jsonOf, startCommandApi } from '../command-api';
import { evening, noon } from '../examples';

const globex = 'globex' as TenantId;
const hashOf = (digit: string): string => digit.repeat(64);
const register = (more: Partial<RegisterTenant> = {}): RegisterTenant => ({
  type: 'RegisterTenant',
  tenantId: globex,
  name: 'Globex',
  codeHash: hashOf('a'),
  at: noon,
  expiresAt: evening,
  hasAdministrator: false,
  ...more,
});
const registered: TenantEvent = {
  type: 'TenantRegistered',
  data: { tenantId: globex, name: 'Globex', createdAt: noon },
};
const issued = (digit: string): TenantEvent => ({
  type: 'FirstSignInCodeIssued',
  data: { tenantId: globex, codeHash: hashOf(digit), issuedAt: noon, expiresAt: evening },
});

describe('registering a tenant', () => {
  it('records it with a code', () => given(tenant).when(register()).then(registered, issued('a')));
  it('does nothing the second time', () => given(tenant, registered, issued('a')).when(register()).thenNothing());
  it('replaces a code that was lost', () =>
    given(tenant, registered, issued('a'))
      .when(register({ codeHash: hashOf('b') }))
      .then(issued('b')));
  it('refuses another name under the same id', () =>
    given(tenant, registered, issued('a'))
      .when(register({ name: 'Globex Corporation' }))
      .rejects('tenant-exists'));
  it('refuses a tenant whose first administrator has signed in, registered or not', () => {
    given(tenant)
      .when(register({ hasAdministrator: true }))
      .rejects('tenant-exists');
    given(tenant, registered, issued('a'))
      .when(register({ hasAdministrator: true, codeHash: hashOf('b') }))
      .rejects('tenant-exists');
  });
  it('refuses the tenant of the platform’s own streams', () =>
    given(tenant)
      .when(register({ tenantId: 'platform' as TenantId }))
      .rejects('tenant-reserved'));

  const commands = fc
    .record({ name: fc.constantFrom('Globex', 'Acme'), digit: fc.constantFrom('a', 'b'), used: fc.boolean() })
    .map(({ name, digit, used }) => register({ name, codeHash: hashOf(digit), hasAdministrator: used }));
  it('does nothing the second time, whatever happened', () => twiceIsOnce(tenant, commands));
});

describe('POST /v1/tenants', () => {
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  beforeEach(async () => {
    api = await startCommandApi();
  });
  afterEach(() => api.close());
  const operator = { ...admin, scopes: adminScopes };
  const post = (body: object, more: { key?: string; identity?: typeof operator } = {}) =>
    api.post('/v1/tenants', body, { identity: operator, ...more });
  const newTenant = { tenantId: 'globex', name: 'Globex' };
  const codeOf = async (key?: string): Promise<string> =>
    String((await jsonOf(post(newTenant, key === undefined ? {} : { key }))).code);
  const enter = (code: string): Promise<Response> => api.post('/v1/bootstrap', { code });

  it('lets a first administrator in, who has every scope there and none elsewhere', async () => {
    const answer = await post(newTenant);
    assert.equal(answer.status, 201);
    const { tenantId, code } = await jsonOf(answer);
    assert.equal(tenantId, 'globex');
    const entered = await jsonOf(enter(String(code)));
    assert.deepEqual([entered.tenantId, entered.principalId], ['globex', 'admin']);
    const token = decodeJwt(String((await jsonOf(api.takeToken(entered.clientId, entered.clientSecret))).access_token));
    assert.deepEqual([token.tenant_id, token.scopes], ['globex', adminScopes.toSorted()]);
    const again = await enter(String(code));
    assert.deepEqual([again.status, (await jsonOf(again)).code], [409, 'already-bootstrapped']);
    const once = await post(newTenant);
    assert.deepEqual([once.status, (await jsonOf(once)).code], [409, 'tenant-exists']);
  });

  it('answers a retry the same, and under another key replaces the code', async () => {
    const [first, retried] = [await codeOf('key'), await codeOf('key')];
    assert.equal(first, retried);
    const second = await codeOf();
    assert.notEqual(first, second);
    assert.equal((await enter(first)).status, 403);
    assert.equal((await enter(second)).status, 201);
  });

  it('replaces a code whose page was opened while no way to sign in was set up, and none after that', async () => {
    const code = await codeOf();
    const register = { principalId: 'admin', tenantId: 'globex', principalType: 'HUMAN', createdAt: noon };
    const record = async (stream: string, type: string, data: object): Promise<void> => {
      const appended = await api.store.append(stream, 'any', [{ id: randomUUID(), type, data, metadata: {} }]);
      assert.ok(isRight(appended));
    };
    await record('identity.principal-globex.admin', 'identity.PrincipalRegistered.v1', register);
    assert.notEqual(await codeOf(), code);
    await record('identity.authenticators-globex.admin', 'identity.PasskeyAdded.v1', {});
    assert.equal((await jsonOf(post(newTenant))).code, 'tenant-exists');
  });

  it('records the hash of the code, and who of which tenant registered it', async () => {
    const code = await codeOf();
    const events = await api.store.read('identity.tenant-globex.tenant');
    assert.ok(isRight(events));
    assert.ok(!JSON.stringify(events.right.map(({ data, metadata }) => [data, metadata])).includes(code));
    for (const { metadata } of events.right) {
      const { actor, tenant: recordedIn } = metadata as { readonly actor: string; readonly tenant: string };
      assert.deepEqual([actor, recordedIn], ['acme.admin', 'globex']);
    }
  });

  it('is for operators of the platform, with the scope', async () => {
    for (const [identity, status] of [
      [{ ...operator, tenantId: 'globex' }, 403],
      [{ ...operator, scopes: adminScopes.filter((scope) => scope !== 'platform:write') }, 403],
    ] as const)
      assert.equal((await post({ tenantId: 'other', name: 'Other' }, { identity })).status, status);
  });

  it('refuses the tenant of the operators and ids that are none', async () => {
    assert.equal((await enter(bootstrapCode)).status, 201);
    assert.equal((await jsonOf(post({ tenantId: 'acme', name: 'Acme' }))).code, 'tenant-exists');
    assert.equal((await jsonOf(post({ tenantId: 'platform', name: 'Acme' }))).code, 'tenant-reserved');
    for (const tenantId of ['Globex', 'glo.bex', '', 'x'.repeat(64), '-globex'])
      assert.equal((await post({ tenantId, name: 'Globex' })).status, 400, tenantId);
  });

  it('refuses codes of other tenants, cut and changed ones, after a pause', async () => {
    const code = await codeOf();
    const [, secret = ''] = code.split('.');
    for (const wrong of [`acme.${secret}`, secret, `globex.${secret.slice(1)}`, `globex.${secret}x`, 'globex.', '.'])
      assert.equal((await enter(wrong)).status, 403, wrong);
    assert.ok(api.pauses.length >= 6);
  });
});
