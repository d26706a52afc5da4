/** Attempts to loosen a tenant's sign-in policy: each test is named after the attack. */
import assert from 'node:assert/strict';
import type { Identity } from '../../../infra/server/http/routing/route';
import { jsonOf } from '../command-api';
import { admin, enrolPerson, type PeopleStage, signIn, startPeople } from '../sign-in/fixture';

describe('loosening how people sign in', () => {
  const strict = {
    ...{ mfa: 'required', passwords: false, passkeys: true, sessionSeconds: 3_600, providers: [] },
    confirmsRemovedMethods: true,
  };
  const provider = {
    providerId: 'p',
    name: 'P',
    issuer: 'https://p.example',
    clientId: 'c',
    provisioning: 'on',
    domains: [],
    password: 'hush',
  };
  const { authenticatedAt, multiFactor: _, ...byCredential } = admin as Identity & { authenticatedAt: number };
  const withoutScope: Identity = { ...admin, scopes: ['security:write'] };
  let stage: Awaited<ReturnType<typeof startPeople>>;
  const set = (changes: object, identity: Identity = admin): Promise<Response> =>
    stage.api('PUT', '/v1/sign-in-policy', { ...strict, ...changes }, identity);

  before(async () => {
    stage = await startPeople();
    // Stricter than the default: the scope `security:write` is enough, also of a credential.
    assert.equal((await set({}, { ...byCredential, scopes: ['security:write'] })).status, 200);
  });
  after(() => stage.close());

  const attempts: { readonly [what: string]: object } = {
    'second factors are asked of nobody': { mfa: 'never' },
    'second factors are asked of who has one': { mfa: 'enrolled' },
    'passwords are taken again': { passwords: true },
    'sessions last longer': { sessionSeconds: 86_400 },
    'a provider says who somebody is': { providers: [provider] },
  };
  for (const [what, changes] of Object.entries(attempts))
    it(`so that ${what}`, async () => {
      const cases: readonly [Identity, number, string][] = [
        [withoutScope, 403, 'tenant-scope-missing'],
        [byCredential, 401, 'insufficient-user-authentication'],
        [{ ...admin, multiFactor: false }, 401, 'insufficient-user-authentication'],
        [{ ...admin, authenticatedAt: authenticatedAt - 301_000 }, 401, 'insufficient-user-authentication'],
      ];
      for (const [identity, status, code] of cases) {
        const answer = await set(changes, identity);
        assert.deepEqual([answer.status, (await jsonOf(answer)).code], [status, code]);
      }
      assert.ok(!(await stage.everything()).includes('SignInPolicyLoosened'));
    });

  it('is recorded apart from the change, where it is done by who may', async () => {
    assert.equal((await set({ mfa: 'never', providers: [provider] })).status, 200);
    const all = await stage.everything();
    assert.ok(all.includes('"identity.SignInPolicyLoosened.v1"') && all.includes('"respects":["mfa","providers"]'));
  });

  for (const issuer of [
    'https://p.example/?',
    'https://p.example/#',
    'https://@p.example/',
    'https://a@p.example/',
    'https://p.example/%00',
    'https://p.example/\tx',
    'https:\\\\p.example/',
    'https://p.exa\u200bmple/',
  ])
    it(`is not done by a provider at ${JSON.stringify(issuer)}`, async () => {
      const answer = await set({ providers: [{ ...provider, issuer }] });
      const { errors } = (await jsonOf(answer)) as { errors?: readonly { readonly pointer: string }[] };
      assert.deepEqual([answer.status, errors?.[0]?.pointer], [400, '/body/providers/0/issuer']);
    });

  it('is asked of another tenant on its own', async () => {
    const theirs: Identity = { ...byCredential, tenantId: 'other' };
    assert.equal((await set({ mfa: 'never' }, theirs)).status, 401);
    assert.equal((await set({ mfa: 'required' }, theirs)).status, 200);
  });
});

describe('a policy by which its author could not sign in again', () => {
  let stage: PeopleStage;
  before(async () => {
    stage = await startPeople();
  });
  after(() => stage.close());

  it('is refused, and everybody signs in as before', async () => {
    const { principalId } = await enrolPerson(stage);
    const onlyPasskeys = { mfa: 'enrolled', passwords: false, passkeys: true, sessionSeconds: 43_200, providers: [] };
    const set = (more: object) =>
      stage.api('PUT', '/v1/sign-in-policy', { ...onlyPasskeys, ...more }, { ...admin, principalId });
    for (const confirmsRemovedMethods of [true, false]) {
      const refused = await set({ confirmsRemovedMethods });
      const { code, detail } = await jsonOf(refused);
      assert.deepEqual([refused.status, code], [409, 'own-way-in']);
      assert.match(String(detail), /no passkeys/);
    }
    assert.match((await signIn(stage.browser())).text, /Signed in as/);
    const unconfirmed = await stage.api('PUT', '/v1/sign-in-policy', onlyPasskeys);
    assert.deepEqual([unconfirmed.status, (await jsonOf(unconfirmed)).code], [409, 'removal-unconfirmed']);
  });
});
