/** What an access token lets applications know of a person. */
import assert from 'node:assert/strict';
import { grantRoutes } from '../../../../commands/identity/routes';
import { authenticators, authenticatorsStream } from '../../../../domain/identity/authenticators/events';
import { grantStream, grants } from '../../../../domain/identity/grant/events';
import { accessTokenHash } from '../../../../packages/resource-server/src/dpop/verify-proof';
import { proofClaimsAt, proofKey, proofWith, thumbprintOf } from '../../../packages/resource-server/proofs';
import { jsonOf } from '../../command-api';
import { scope, tenantId } from '../../examples';
import {
  issuer,
  type Opening,
  open,
  openProcess,
  openShared,
  personId,
  record,
  registerApplication,
  registerPerson,
  startProcess,
} from '../../grants/fixture';

const start = async () => {
  const shared = openShared();
  await registerPerson(shared);
  const clientId = await registerApplication(shared, 'app');
  const deps = openProcess(shared);
  const process = await startProcess(deps, grantRoutes(deps));
  const profile = { login: 'ada', displayName: 'Ada L.', email: 'ada@acme.example' };
  await record(
    shared,
    [authenticatorsStream(tenantId, personId), authenticators],
    [{ type: 'ProfileSet', data: { principalId: personId, ...profile } }],
  );
  const tokenOf = async (scopes: readonly string[], changes: Opening = {}, headers = {}) => {
    const opened = await open(deps, clientId, { scopes: scopes.map(scope), sessionId: null, ...changes });
    const body = await jsonOf(process.refresh(opened.refreshToken, clientId, {}, headers));
    return { token: String(body.access_token), grantId: opened.grantId };
  };
  const request = (headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    process.call('/oauth/userinfo', { method, identity: 'anonymous', headers });
  return { shared, process, tokenOf, request };
};

type Stage = Awaited<ReturnType<typeof start>>;

describe('who a person is', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await start();
  });
  afterEach(() => stage.process.close());

  it('has the claims of the token’s scopes', async () => {
    const { tokenOf, request } = stage;
    const claimsFor = async (...scopes: string[]) => {
      const { token } = await tokenOf(scopes);
      return jsonOf(request({ authorization: `Bearer ${token}` }, scopes.length > 1 ? 'POST' : 'GET'));
    };
    assert.deepEqual(await claimsFor('openid'), { sub: personId });
    assert.deepEqual(await claimsFor('openid', 'profile'), {
      sub: personId,
      name: 'Ada L.',
      preferred_username: 'ada',
    });
    const mail = { email: 'ada@acme.example', email_verified: false };
    assert.deepEqual(await claimsFor('openid', 'email'), { sub: personId, ...mail });
  });

  it('is returned for a token in the form, once, and to no other type of body', async () => {
    const { process, tokenOf } = stage;
    const { token } = await tokenOf(['openid', 'email']);
    const form = 'application/x-www-form-urlencoded';
    const post = (body: string, headers: Record<string, string> = {}) =>
      process.call('/oauth/userinfo', {
        method: 'POST',
        identity: 'anonymous',
        headers: { 'content-type': form, ...headers },
        body,
      });
    const answer = await post(`access_token=${token}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal((await jsonOf(answer)).email, 'ada@acme.example');
    for (const [body, headers] of [
      [`access_token=${token}`, { authorization: `Bearer ${token}` }],
      [`access_token=${token}&access_token=${token}`, {}],
    ] as const) {
      const twice = await post(body, headers);
      assert.deepEqual([twice.status, (await jsonOf(twice)).error], [400, 'invalid_request']);
    }
    assert.equal((await post('access_token=x')).status, 401);
    assert.equal((await post('', { authorization: `Bearer ${token}` })).status, 200);
    assert.equal((await post('{}', { 'content-type': 'application/json' })).status, 415);
    const query = await process.call(`/oauth/userinfo?access_token=${token}`, { identity: 'anonymous' });
    assert.notEqual(query.status, 200);
  });

  it('is refused without a token, with an invalid one, or one of another kind', async () => {
    const { tokenOf, request } = stage;
    const { token } = await tokenOf(['principals:read']);
    assert.equal((await request({ authorization: `Bearer ${token}` })).status, 403);
    const none = await request({});
    assert.equal(none.status, 401);
    assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer, DPoP/);
    for (const authorization of ['Basic eA==', 'Bearer x', `Bearer ${token}x`, `DPoP ${token}`])
      assert.ok([401, 403].includes((await request({ authorization })).status), authorization);
  });

  it('is refused after the grant ended', async () => {
    const { shared, tokenOf, request } = stage;
    const { token, grantId } = await tokenOf(['openid']);
    await record(
      shared,
      [grantStream(tenantId, grantId), grants],
      [{ type: 'GrantRevoked', data: { grantId, principalId: personId, reason: 'Asked.' } }],
    );
    const answer = await request({ authorization: `Bearer ${token}` });
    assert.equal(answer.status, 401);
    assert.match(answer.headers.get('www-authenticate') ?? '', /invalid_token/);
  });

  it('requires the key of a bound token', async () => {
    const { process, tokenOf, request } = stage;
    const key = proofKey();
    const proof = (htu: string, more: object, signer = key) =>
      proofWith(signer, proofClaimsAt(Date.parse(process.deps.clock.now()), { htu: `${issuer}${htu}`, ...more }));
    const binding = { kind: 'dpop', jkt: thumbprintOf(key) } as const;
    const { token } = await tokenOf(['openid'], { binding }, { DPoP: proof('/oauth/token', {}) });
    const more = { htm: 'GET', ath: accessTokenHash(token) };
    const authorization = `DPoP ${token}`;
    assert.equal((await request({ authorization: `Bearer ${token}` })).status, 401);
    assert.equal((await request({ authorization })).status, 401);
    assert.equal((await request({ authorization, DPoP: proof('/oauth/userinfo', more, proofKey()) })).status, 401);
    assert.equal((await request({ authorization, DPoP: proof('/oauth/token', more) })).status, 401);
    const inForm = await process.call('/oauth/userinfo', {
      method: 'POST',
      identity: 'anonymous',
      body: `access_token=${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(inForm.status, 401, 'a form has no proof');
    const good = { authorization, DPoP: proof('/oauth/userinfo', more) };
    assert.deepEqual(await jsonOf(request(good)), { sub: personId });
    assert.equal((await request(good)).status, 401);
  });
});
