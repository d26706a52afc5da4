import assert from 'node:assert/strict';
import { maxDenials } from '../../../domain/identity/denylist/decider';
import { denialStream } from '../../../domain/identity/denylist/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Identity } from '../../../infra/server/http/routing/route';
import { assertRateLimited } from '../../support/http/rate-limited';
import { jsonOf } from '../command-api';
import { guard, now, startRevocation, tokenOf } from './fixture';
import {
  claims,
  clientId,
  familyId,
  grantId,
  principalId,
  recordRevocableSession,
  sessionId,
} from './revocable-session';

describe('the route that ends tokens, attacked', () => {
  let stage: Awaited<ReturnType<typeof startRevocation>>;
  beforeEach(async () => {
    stage = await startRevocation();
    await recordRevocableSession(stage);
  });
  afterEach(() => stage.close());

  it('records and answers no token', async () => {
    const token = tokenOf({ jti: 'jti-7' });
    const answer = await stage.revoke({ token });
    const [, payload = '', signature = ''] = token.split('.');
    const all = [await stage.written(), await answer.text(), JSON.stringify(stage.log.lines)].join();
    assert.ok(all.includes('jti-7'));
    for (const part of [payload, signature]) assert.ok(!all.includes(part));
  });
  it('denies no token signed by another issuer or of another tenant', async () => {
    const foreign = tokenOf({ tenant_id: 'other' });
    const forged = `${tokenOf().slice(0, -8)}AAAAAAAA`;
    for (const token of [foreign, forged, 'no.token.atall']) {
      const answer = await stage.revoke({ token });
      assert.deepEqual([answer.status, (await jsonOf(answer)).code], [404, 'token-unknown']);
    }
    assert.equal((await stage.receivedState()).size(), 0);
  });
  it('cannot end tokens of another tenant', async () => {
    const stranger = { ...guard, tenantId: 'other' };
    const bodies = [{ principalId }, { grantId }, { familyId }, { sessionId }, { clientId }, { clientId: 'acme.p-1' }];
    for (const body of bodies) assert.equal((await stage.revoke(body, stranger)).status, 404, JSON.stringify(body));
    for (const body of [{ jti: 'jti-1' }, { tenant: true }])
      assert.equal((await stage.revoke(body, stranger)).status, 200);
    assert.equal((await stage.receivedState()).refusal(claims, 'key-1'), undefined);
  });
  it('raises the floor of the caller’s tenant only, though it is called like the platform', async () => {
    await stage.revoke({ tenant: true }, { ...guard, tenantId: 'platform' });
    assert.equal((await stage.receivedState()).refusal(claims, 'key-1'), undefined);
  });
  it('takes no floor for passed that a clock ahead of ours would put a token above', async () => {
    await stage.revoke({ tenant: true });
    const state = await stage.receivedState();
    for (const ahead of [0, 5, 9]) assert.equal(state.refusal({ ...claims, iat: now / 1000 + ahead }, 'k'), 'revoked');
    assert.equal(state.refusal({ ...claims, iat: now / 1000 + 10 }, 'k'), undefined);
  });
  const refusalOf = async (body: object, identity: Identity): Promise<readonly [number, unknown]> => {
    const answer = await stage.revoke(body, identity);
    return [answer.status, (await jsonOf(answer)).code];
  };
  it('ends the tokens of a tenant, or of everybody, only for who may act on the whole and just signed in with a second factor', async () => {
    const withoutScope = { ...guard, scopes: ['tokens:revoke'] };
    const { authenticatedAt: _, ...byCredential } = guard;
    const tooLongAgo = { ...guard, authenticatedAt: now - 301_000 };
    for (const [body, tenantId] of [
      [{ tenant: true }, 'acme'],
      [{ everyone: true }, 'main'],
    ] as const) {
      assert.deepEqual(await refusalOf(body, { ...withoutScope, tenantId }), [403, 'tenant-scope-missing']);
      for (const identity of [byCredential, tooLongAgo, { ...guard, multiFactor: false }])
        assert.deepEqual(await refusalOf(body, { ...identity, tenantId }), [401, 'insufficient-user-authentication']);
    }
    const challenged = await stage.revoke({ tenant: true }, tooLongAgo);
    assert.match(challenged.headers.get('www-authenticate') ?? '', /max_age="300", acr_values="2"$/);
    assert.equal((await stage.receivedState()).size(), 0);
  });
  it('is no standing outage: a tenant is shut out three times an hour at most', async () => {
    for (const minutes of [0, 1, 2]) {
      stage.wait(minutes === 0 ? 0 : 60);
      assert.equal((await stage.revoke({ tenant: true })).status, 200);
    }
    stage.wait(60);
    const answer = await stage.revoke({ tenant: true });
    await assertRateLimited(answer, { limit: 3, retryAfterSeconds: 3_600 });
    assert.equal((await stage.revoke({ tenant: true }, { ...guard, tenantId: 'other' })).status, 200, 'another tenant');
  });
  it('disables no client, and revokes no key, for who could not do so otherwise', async () => {
    const only = { ...guard, scopes: ['tokens:revoke'] };
    assert.deepEqual(await refusalOf({ clientId }, only), [403, 'forbidden']);
    assert.deepEqual(await refusalOf({ kid: 'k'.repeat(43) }, { ...only, tenantId: 'main' }), [403, 'forbidden']);
    assert.equal((await stage.receivedState()).refusal(claims, 'key-1'), undefined);
    assert.deepEqual(stage.revokedKeys, []);
  });
  it('needs the scope', async () => {
    const answer = await stage.revoke({ principalId }, { ...guard, scopes: ['principals:write'] });
    assert.equal(answer.status, 403);
  });
  it('denies so many tokens of one tenant only', async () => {
    const expiresAt = '2026-01-31T12:15:00.000Z' as Instant;
    const stream = denialStream('acme' as TenantId, { jti: 'jti-1', expiresAt });
    for (let number = 0; number < maxDenials; number += 1)
      await stage.record(stream, {
        type: 'TokenDenied',
        data: { jti: `flood-${number}`, expiresAt, principalId: null, reason: 'Flood.' },
      });
    const full = await stage.revoke({ jti: 'jti-1', expiresAt });
    assert.deepEqual([full.status, (await jsonOf(full)).code], [409, 'too-many-denials']);
    assert.equal((await stage.revoke({ jti: 'jti-1', expiresAt }, { ...guard, tenantId: 'other' })).status, 200);
  });
});
