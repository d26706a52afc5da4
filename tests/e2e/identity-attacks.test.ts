/** Attacks on identity through the real gateway of a running system, by insiders and by another tenant; named after what they try. */
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { type ClientCredential, openTenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';

const reason = 'Tried.';
const refusedAs = async (answer: Response): Promise<readonly [number, unknown]> => [
  answer.status,
  ((await answer.json()) as { readonly code?: string }).code,
];

describe('attacks on identity, through the gateway', function () {
  this.timeout(240_000);
  let system: System;
  let admin: string;

  const take = (secret: ClientCredential): Promise<Response> =>
    fetch(`${system.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: secret.clientId,
        client_secret: secret.clientSecret,
      }),
    });
  const tokenOf = async (secret: ClientCredential): Promise<string> => {
    const answer = await take(secret);
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { readonly access_token: string }).access_token;
  };
  const send = (token: string, path: string, body: object, method = 'POST'): Promise<Response> =>
    fetch(`${system.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const done = async <Content>(answer: Promise<Response>): Promise<Content> => {
    const { status } = await answer;
    const text = await (await answer).text();
    assert.ok(status < 300, `${status} ${text}`);
    return JSON.parse(text) as Content;
  };

  const register = async (principalType: string): Promise<string> =>
    (await done<{ principalId: string }>(send(admin, '/v1/principals', { principalType }))).principalId;
  const credentialOf = (principalId: string, scopes: readonly string[]): Promise<ClientCredential> =>
    done<ClientCredential>(send(admin, `/v1/principals/${principalId}/credentials`, { scopes }));
  /** A pipeline with these scopes: its token. */
  const pipelineWith = async (...scopes: string[]): Promise<string> =>
    tokenOf(await credentialOf(await register('PIPELINE'), scopes));
  /** A token of another tenant's administrator. */
  const adminOfAnotherTenant = async (): Promise<string> => (await openTenant(system)).adminToken;

  before(async () => {
    const shared = JSON.parse(await fromRunner('system')) as SharedSystem;
    system = openSystem(shared);
    admin = await tokenOf(shared.credential);
  });
  after(() => system.close());

  it('a pipeline makes itself a credential of a person, of the first administrator, or of a stronger pipeline', async () => {
    const token = await pipelineWith('credentials:write', 'documents:read');
    const body = { scopes: ['credentials:write', 'documents:read'] };
    const issue = (principalId: string) => send(token, `/v1/principals/${principalId}/credentials`, body);
    for (const person of ['admin', await register('HUMAN')])
      assert.deepEqual(await refusedAs(await issue(person)), [403, 'credential-of-another']);
    const stronger = await register('PIPELINE');
    await credentialOf(stronger, ['principals:write']);
    assert.deepEqual(await refusedAs(await issue(stronger)), [403, 'scope-not-held']);
  });

  it('a pipeline goes on with a credential once its scopes are withdrawn, its epoch is raised, or it was suspended', async () => {
    const endings = {
      'scopes/withdraw': { scopes: ['documents:write'], reason },
      'epoch/bump': { reason },
      suspend: { reason },
    };
    for (const [verb, body] of Object.entries(endings)) {
      const principalId = await register('PIPELINE');
      const secret = await credentialOf(principalId, ['documents:read', 'documents:write']);
      assert.equal(decodeJwt(await tokenOf(secret)).sub, principalId);
      await done(send(admin, `/v1/principals/${principalId}/${verb}`, body));
      if (verb === 'suspend') await done(send(admin, `/v1/principals/${principalId}/reactivate`, { reason }));
      assert.equal((await take(secret)).status, 401, verb);
    }
  });

  it('a caller with principals:write alone removes an administrator’s second factors, or marks them as compromised', async () => {
    const token = await pipelineWith('principals:write');
    for (const path of ['totp/remove', 'passkeys/mFrWZp9n0A/remove'])
      assert.equal((await send(token, `/v1/principals/admin/${path}`, { reason })).status, 401, path);
    for (const verb of ['compromise', 'suspend'])
      assert.deepEqual(await refusedAs(await send(token, `/v1/principals/admin/${verb}`, { reason })), [
        403,
        'scope-not-held',
      ]);
    assert.deepEqual(await refusedAs(await send(admin, '/v1/principals/admin/compromise', { reason })), [
      409,
      'own-authority',
    ]);
  });

  it('a credential ends all tokens of the tenant, disables a client, or lets people in without second factors', async () => {
    const revoker = await pipelineWith('tokens:revoke');
    const revoke = (token: string, body: object) => send(token, '/v1/tokens/revoke', { reason, ...body });
    assert.deepEqual(await refusedAs(await revoke(revoker, { tenant: true })), [403, 'tenant-scope-missing']);
    assert.deepEqual(await refusedAs(await revoke(revoker, { clientId: 'main~console' })), [403, 'forbidden']);
    const whole = await pipelineWith('tokens:revoke', 'tenant:write', 'security:write');
    for (const body of [{ tenant: true }, { everyone: true }]) {
      const answer = await revoke(whole, body);
      assert.match(answer.headers.get('www-authenticate') ?? '', /insufficient_user_authentication.*acr_values="2"/);
      assert.deepEqual(await refusedAs(answer), [401, 'insufficient-user-authentication']);
    }
    const never = { mfa: 'never', passwords: true, passkeys: true, sessionSeconds: 43_200, providers: [] };
    const lowered = await send(whole, '/v1/sign-in-policy', never, 'PUT');
    assert.deepEqual(await refusedAs(lowered), [401, 'insufficient-user-authentication']);
    assert.equal((await send(admin, '/v1/principals', { principalType: 'PIPELINE' })).status, 201, 'nothing has ended');
  });

  it('an administrator of another tenant reaches any principal of this one', async () => {
    const stranger = await adminOfAnotherTenant();
    const principalId = await register('PIPELINE');
    const secret = await credentialOf(principalId, ['documents:read']);
    const attempts: readonly (readonly [string, object])[] = [
      ['credentials', { scopes: ['documents:read'] }],
      ['scopes/withdraw', { scopes: ['documents:read'], reason }],
      ['epoch/bump', { reason }],
      ['suspend', { reason }],
      ['compromise', { reason }],
    ];
    const person = await register('HUMAN');
    for (const target of [principalId, person])
      for (const [verb, body] of attempts)
        assert.deepEqual(
          await refusedAs(await send(stranger, `/v1/principals/${target}/${verb}`, body)),
          [404, 'principal-unknown'],
          `${verb} of ${target}`,
        );
    for (const body of [{ principalId }, { clientId: `main.${principalId}` }])
      assert.equal((await send(stranger, '/v1/tokens/revoke', { reason, ...body })).status, 404);
    assert.equal((await send(stranger, '/v1/tokens/revoke', { reason, everyone: true })).status, 403);
    assert.equal((await take(secret)).status, 200);
    assert.equal((await send(admin, '/v1/principals', { principalType: 'PIPELINE' })).status, 201);
  });
});
