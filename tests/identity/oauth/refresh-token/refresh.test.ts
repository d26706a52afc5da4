import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { revokeGrant } from '../../../../commands/identity/grants/revoke-grant';
import { clientStream, clients } from '../../../../domain/identity/client/events';
import type { ApplicationId, FamilyId } from '../../../../domain/identity/ids';
import { refreshFamilyStream } from '../../../../domain/identity/refresh-family/events';
import { sessionStream, sessions } from '../../../../domain/identity/session/events';
import { jsonOf } from '../../command-api';
import { scope, tenantId } from '../../examples';
import { open, openProcess, personId, record, recordOfPerson, sessionId } from '../../grants/fixture';
import { claimsOf, errorCodeOf, eventsIn, nextRefreshToken, type Stage, startRefresh } from './refresh-fixture';

describe('a refresh token', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startRefresh();
  });
  afterEach(() => stage.process.close());

  it('gives an access token of the same grant, and its successor', async () => {
    const { process, clientId } = stage;
    const { refreshToken, grantId } = await open(process.deps, clientId);
    const body = await jsonOf(process.refresh(refreshToken, clientId));
    assert.equal(body.token_type, 'Bearer');
    assert.equal(body.scope, 'offline_access openid principals:read security:read');
    const claims = claimsOf(body.access_token);
    assert.deepEqual([claims.sub, claims.gid, claims.client_id, claims.aud], [personId, grantId, clientId, ['septet']]);
    assert.notEqual(body.refresh_token, refreshToken);
    await nextRefreshToken(process.refresh(String(body.refresh_token), clientId));
  });

  it('gives an id_token of the sign-in that was, without a nonce', async () => {
    const { process, clientId } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    process.deps.wait(600);
    const claims = claimsOf((await jsonOf(process.refresh(refreshToken, clientId))).id_token);
    assert.equal(claims.auth_time, Date.parse('2026-01-31T12:00:00Z') / 1000);
    assert.ok(!('nonce' in claims));
  });

  it('is narrowed without losing what was granted', async () => {
    const { process, clientId } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    const narrow = await jsonOf(process.refresh(refreshToken, clientId, { scope: 'principals:read' }));
    assert.equal(narrow.scope, 'principals:read');
    const whole = await jsonOf(process.refresh(String(narrow.refresh_token), clientId));
    assert.match(String(whole.scope), /security:read/);
  });

  it('ignores scopes that nobody knows, which libraries repeat from the authorization request', async () => {
    const { process, clientId } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    const answer = await jsonOf(process.refresh(refreshToken, clientId, { scope: 'groups principals:read' }));
    assert.equal(answer.scope, 'principals:read');
    const none = process.refresh(String(answer.refresh_token), clientId, { scope: 'groups' });
    assert.equal(await errorCodeOf(none), 'invalid_scope');
  });

  it('gives no more than was granted, and is not spent by asking', async () => {
    const { process, clientId } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    assert.equal(
      await errorCodeOf(process.refresh(refreshToken, clientId, { scope: 'principals:write' })),
      'invalid_scope',
    );
    const other = process.refresh(refreshToken, clientId, { resource: 'https://files.example' });
    assert.equal(await errorCodeOf(other), 'invalid_target');
    await nextRefreshToken(process.refresh(refreshToken, clientId));
  });

  it('gives less when its person may do less', async () => {
    const { shared, process, clientId } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    await recordOfPerson(shared, {
      type: 'RolesWithdrawn',
      data: { principalId: personId, roles: ['auditor'], reason: 'Moved on.' },
    });
    assert.equal((await jsonOf(process.refresh(refreshToken, clientId))).scope, 'offline_access openid');
  });

  it('is refused while its person is suspended, and after', async () => {
    const { shared, process, clientId } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    const reason = 'On leave.';
    await recordOfPerson(
      shared,
      { type: 'PrincipalSuspended', data: { principalId: personId, reason } },
      { type: 'SecurityEpochBumped', data: { principalId: personId, from: 1, to: 2, grants: 'ended', reason } },
    );
    assert.equal(await errorCodeOf(process.refresh(refreshToken, clientId)), 'invalid_grant');
    await recordOfPerson(shared, { type: 'PrincipalReactivated', data: { principalId: personId, reason } });
    assert.equal(await errorCodeOf(process.refresh(refreshToken, clientId)), 'invalid_grant');
    const later = await open(process.deps, clientId, { securityEpoch: 2 });
    await nextRefreshToken(process.refresh(later.refreshToken, clientId));
  });

  it('expires unused, and at last however much it is used', async () => {
    const { process, clientId } = stage;
    const idle = await open(process.deps, clientId);
    process.deps.wait(3_600);
    assert.equal(await errorCodeOf(process.refresh(idle.refreshToken, clientId)), 'invalid_grant');
    let { refreshToken } = await open(process.deps, clientId);
    for (let hours = 0; hours < 25; hours += 1) {
      process.deps.wait(3_599);
      const answer = await process.refresh(refreshToken, clientId);
      if (hours < 24) refreshToken = await nextRefreshToken(answer);
      else assert.equal(await errorCodeOf(answer), 'invalid_grant');
    }
  });

  it('is not accepted once its grant is over', async () => {
    const { shared, process, clientId } = stage;
    const { refreshToken, grantId } = await open(process.deps, clientId);
    const how = { tenantId, reason: 'Asked.', ownedBy: null, actor: 'admin', requestId: 'r-1', commandId: 'c-1' };
    assert.ok(isRight(await revokeGrant(openProcess(shared), grantId, how)));
    assert.equal(await errorCodeOf(process.refresh(refreshToken, clientId)), 'invalid_grant');
  });

  it('ends with its session, unless it was asked for to go on without', async () => {
    const { shared, process, clientId } = stage;
    const scopes = ['principals:read', 'openid'].map(scope);
    const [inside, beyond] = [await open(process.deps, clientId, { scopes }), await open(process.deps, clientId)];
    await record(
      shared,
      [sessionStream(tenantId, sessionId), sessions],
      [{ type: 'SessionEnded', data: { sessionId, principalId: personId, reason: 'Signed out.' } }],
    );
    assert.equal(await errorCodeOf(process.refresh(inside.refreshToken, clientId)), 'invalid_grant');
    await nextRefreshToken(process.refresh(beyond.refreshToken, clientId));
  });

  it('is of no use to an application that is switched off', async () => {
    const { shared, process, clientId } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    const applicationId = 'app' as ApplicationId;
    await record(
      shared,
      [clientStream(tenantId, applicationId), clients],
      [{ type: 'ClientDisabled', data: { applicationId, reason: 'Retired.' } }],
    );
    assert.equal((await process.refresh(refreshToken, clientId)).status, 401);
  });

  it('is recorded as a hash alone', async () => {
    const { process, clientId } = stage;
    const { refreshToken, familyId } = await open(process.deps, clientId);
    const successor = await nextRefreshToken(process.refresh(refreshToken, clientId));
    const stored = JSON.stringify(
      await eventsIn(stage, refreshFamilyStream(tenantId, familyId as FamilyId)),
      (_, value) => (typeof value === 'bigint' ? String(value) : (value as unknown)),
    );
    for (const token of [refreshToken, successor]) {
      assert.ok(!stored.includes(token.split('.')[3] as string));
      assert.ok(!JSON.stringify(process.log.lines).includes(token));
    }
  });
});
