import assert from 'node:assert/strict';
import { jsonOf } from '../command-api';
import { guard, now, operator, startRevocation, tokenOf } from './fixture';
import {
  at,
  claims,
  clientId,
  familyId,
  grantId,
  principalId,
  recordRevocableSession,
  refreshToken,
  sessionId,
} from './revocable-session';

type Stage = Awaited<ReturnType<typeof startRevocation>>;

describe('revoking tokens over HTTP', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startRevocation();
    await recordRevocableSession(stage);
  });
  afterEach(() => stage.close());

  const ways = {
    token: [{ token: tokenOf() }, 'revoked'],
    jti: [{ jti: 'jti-1', expiresAt: '2026-01-31T12:15:00.000Z' }, 'revoked'],
    'jti, of unknown end': [{ jti: 'jti-1' }, 'revoked'],
    principal: [{ principalId }, 'token_revoked'],
    'refresh token': [{ token: refreshToken }, 'revoked'],
    grant: [{ grantId }, 'revoked'],
    'refresh family': [{ familyId }, 'revoked'],
    client: [{ clientId }, 'revoked'],
    'client that is a principal itself': [{ clientId: `acme.${principalId}` }, 'token_revoked'],
    session: [{ sessionId }, 'revoked'],
    tenant: [{ tenant: true }, 'revoked'],
  } as const;
  for (const [name, [body, code]] of Object.entries(ways))
    it(`ends them by ${name}, at every gateway that has reached the sequence`, async () => {
      const answer = await stage.revoke(body);
      const { sequence } = await jsonOf(answer);
      assert.equal(answer.status, 200);
      assert.deepEqual([sequence, answer.headers.get('position')], [await stage.head(), sequence]);
      const state = await stage.receivedState();
      assert.equal(state.refusal(claims, 'key-1'), code);
      assert.equal(state.refusal({ ...claims, tenant_id: 'other' }, 'key-1'), undefined);
      assert.equal((await stage.revoke(body)).status, 200);
    });

  it('ends those of everybody, for operators of the platform only', async () => {
    assert.equal((await stage.revoke({ everyone: true })).status, 403);
    assert.equal((await stage.receivedState()).size(), 0);
    assert.equal((await stage.revoke({ everyone: true }, operator)).status, 200);
    assert.equal((await stage.receivedState()).refusal({ ...claims, tenant_id: 'other' }, 'key-1'), 'revoked');
  });
  it('has keys revoked where they are looked after, for operators of the platform only', async () => {
    const kid = 'k'.repeat(43);
    assert.equal((await stage.revoke({ kid })).status, 403);
    assert.deepEqual(stage.revokedKeys, []);
    assert.equal((await stage.revoke({ kid }, operator)).status, 200);
    assert.deepEqual(stage.revokedKeys, [[{ kid }, { reason: 'Pasted into a ticket.' }]]);
  });

  it('takes exactly one thing, and an end only beside an id', async () => {
    for (const body of [
      {},
      { jti: 'j', grantId },
      { tenant: false },
      { grantId, expiresAt: at },
      { principalId: '../admin' },
      { sessionId: 'short' },
    ])
      assert.equal((await stage.revoke(body)).status, 400, JSON.stringify(body));
  });
  it('says what is not there', async () => {
    for (const body of [
      { token: `acme.${familyId}.0.${'x'.repeat(43)}` },
      { token: refreshToken.replace('acme', 'other') },
      { token: refreshToken.replace(familyId, 'f-9') },
      { principalId: 'p-9' },
      { grantId: 'g-9' },
      { familyId: 'f-9' },
      { sessionId: '00'.repeat(32) },
      { clientId: 'acme~none' },
    ])
      assert.equal((await stage.revoke(body)).status, 404, JSON.stringify(body));
  });
  it('is done once under one key', async () => {
    await stage.revoke({ principalId }, guard, 'same');
    await stage.revoke({ principalId }, guard, 'same');
    const [change] = (await stage.receivedState()).changesAfter(null);
    assert.equal(change?.minimum, 2);
  });

  it('is not taken for done when another token is sent under the same key', async () => {
    const [one, other] = ['jti-ab', 'jti-ba'];
    assert.equal((await stage.revoke({ token: tokenOf({ jti: one }) }, guard, 'same')).status, 200);
    assert.equal((await stage.revoke({ token: tokenOf({ jti: one }) }, guard, 'same')).status, 200);
    const answer = await stage.revoke({ token: tokenOf({ jti: other }) }, guard, 'same');
    assert.deepEqual([answer.status, (await jsonOf(answer)).code], [422, 'idempotency-key-reused']);
  });
  it('ends a token that has expired by its own time, as long as it is still accepted', async () => {
    const answer = await stage.revoke({ token: tokenOf({ exp: now / 1000 - 5 }) });
    assert.notEqual((await jsonOf(answer)).sequence, null);
    assert.equal((await stage.receivedState()).refusal(claims, 'key-1'), 'revoked');
  });

  for (const [body, grants] of [
    [{ principalId }, 'ended'],
    [{ clientId: `acme.${principalId}` }, 'kept'],
  ] as const)
    it(`has what a principal granted ${grants}, named as ${Object.keys(body)[0]}`, async () => {
      assert.equal((await stage.revoke(body)).status, 200);
      assert.ok((await stage.written()).includes(`"grants":"${grants}"`));
    });

  it('keeps a denial no longer than any token lives, whatever end is said', async () => {
    await stage.revoke({ jti: 'jti-9', expiresAt: '2099-01-01T00:00:00.000Z' });
    const [change] = (await stage.receivedState()).changesAfter(null);
    assert.equal(change?.until, now + 3_600_000 + 70_000);
  });
});
