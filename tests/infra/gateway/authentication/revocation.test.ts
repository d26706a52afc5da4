import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { checkRevocationFreshness, isSensitive } from '../../../../infra/gateway/authentication/revocation-freshness';
import { createSecurityState } from '../../../../packages/resource-server/src/revocation/security-state';
import { epochBump, revocation } from '../../../support/gateway/revocations';
import { codeOf, createTokenVerifier, key, start, validToken } from '../../../support/gateway/token-verifier';
import { claimsAt, tokenWith } from '../../../support/gateway/tokens';
import { routeIn } from '../../../support/http/served-routes';

describe('revocation at the gateway', () => {
  const second = epochBump('p-1', 2, { at: start });
  it('refuses a token below the epoch of its principal, known or new', async () => {
    const { revocations, enter } = createTokenVerifier();
    assert.ok(isRight(await enter(validToken)));
    revocations.apply(second);
    assert.equal(codeOf(await enter(validToken)), 'token_revoked');
    assert.ok(isRight(await enter(tokenWith(key, claimsAt(start, { security_epoch: 2 })))));
  });
  it('keeps to the tenant and the principal', async () => {
    const { revocations, enter } = createTokenVerifier();
    revocations.apply({ ...second, tenantId: 'other' });
    revocations.apply({ ...second, subject: 'p-2' });
    assert.ok(isRight(await enter(validToken)));
  });

  const changes = {
    'a token that was denied': revocation({ kind: 'jti', subject: 'jti-1', at: start }),
    'a token under a grant that was revoked': revocation({ kind: 'grant', subject: 'g-1', at: start }),
    'a token of a session that was ended': revocation({ kind: 'session', subject: 's-1', at: start }),
    'a token of a client that was disabled': revocation({
      kind: 'client',
      subject: 'acme~app',
      minimum: start + 1,
      at: start,
    }),
    'a token that a revoked key signed': revocation({ kind: 'key', subject: 'key-1', tenantId: '', at: start }),
    "a token from below its tenant's floor": revocation({
      kind: 'tenantEpoch',
      subject: '',
      minimum: start + 1,
      at: start,
    }),
  };
  const named = { gid: 'g-1', sid: 's-1', client_id: 'acme~app' };
  for (const [what, change] of Object.entries(changes))
    it(`refuses ${what}, which it had let in before`, async () => {
      const { revocations, enter } = createTokenVerifier();
      const token = tokenWith(key, claimsAt(start, named));
      assert.ok(isRight(await enter(token)));
      revocations.apply(change);
      assert.equal(codeOf(await enter(token)), 'revoked');
    });

  it('refuses all requests before the state is known, and after a minute without updates', async () => {
    const { clock, revocations, enter } = createTokenVerifier();
    clock.now += 60_001;
    assert.equal(codeOf(await enter(validToken)), 'revocation-state-stale');
    revocations.apply({ kind: 'heartbeat', sequence: null });
    assert.ok(isRight(await enter(validToken)));
    assert.equal(
      codeOf(await createTokenVerifier({ revocations: createSecurityState() }).enter(validToken)),
      'revocation-state-stale',
    );
  });
});

describe('sensitive requests', () => {
  const commands = routeIn('commands');
  const change = commands('POST', '/v1/principals/p-1/roles/grant?x=1');
  const stale = (milliseconds: number) => ({ stalenessMilliseconds: () => milliseconds });

  it('wait for fresh word of revocations, where others go on', () => {
    assert.equal(checkRevocationFreshness(change, 'POST', stale(5_000)), undefined);
    assert.equal(checkRevocationFreshness(change, 'POST', stale(5_001))?.problem.code, 'revocation-state-stale');
    assert.equal(checkRevocationFreshness(commands('POST', '/v1/documents'), 'POST', stale(59_000)), undefined);
  });
  it('are those that give, take or end authority, and no looks at them', () => {
    for (const line of [
      'POST /v1/tokens/revoke',
      'POST /v1/principals',
      'POST /v1/people',
      'POST /v1/sessions/s-1/end',
      'PUT /v1/sign-in-policy',
      'POST /v1/clients/c-1/secrets',
      'PUT /v1/clients/c-1',
      'POST /v1/grants/g-1/revoke',
      'POST /v1/privacy/forget',
      'POST /oauth/register',
    ]) {
      const [method = '', url = ''] = line.split(' ');
      assert.ok(isSensitive(commands(method, url), method), line);
    }
    const queries = routeIn('read-api');
    for (const url of ['/v1/principals', '/v1/sign-in-policy', '/v1/clients/c-1', '/v1/grants/g-1'])
      assert.ok(!isSensitive(queries('GET', url), 'GET'), url);
  });
});
