import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { epochCache } from '../../../infra/epochs/epochs';
import { codeOf, gate, good, key, start } from '../../support/gate';
import { claimsAt, tokenWith } from '../../support/tokens';

describe('revocation at the gateway', () => {
  const bump = { kind: 'bump', tenantId: 'acme', principalId: 'p-1', securityEpoch: 2, at: start } as const;
  it('refuses a token below the epoch of its principal, known or new', async () => {
    const { epochs, enter } = gate();
    assert.ok(isRight(await enter(good)));
    epochs.apply(bump);
    assert.equal(codeOf(await enter(good)), 'token_revoked');
    assert.ok(isRight(await enter(tokenWith(key, claimsAt(start, { security_epoch: 2 })))));
  });
  it('keeps to the tenant and the principal', async () => {
    const { epochs, enter } = gate();
    epochs.apply({ ...bump, tenantId: 'other' });
    epochs.apply({ ...bump, principalId: 'p-2' });
    assert.ok(isRight(await enter(good)));
  });
  it('refuses a token that was revoked by its id', async () => {
    const { enter } = gate({ denied: (tokenId) => tokenId === 'jti-1' });
    assert.equal(codeOf(await enter(good)), 'revoked');
  });
  it('lets nobody in before it knows, nor when it has not heard for a minute', async () => {
    const { clock, epochs, enter } = gate();
    clock.now += 60_001;
    assert.equal(codeOf(await enter(good)), 'revocation-state-stale');
    epochs.apply({ kind: 'heartbeat' });
    assert.ok(isRight(await enter(good)));
    assert.equal(codeOf(await gate({ epochs: epochCache() }).enter(good)), 'revocation-state-stale');
  });
});
