import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { isRight } from 'fp-ts/Either';
import { forwardKeyRevocations } from '../../../../infra/gateway/authentication/revocation-freshness';
import { revocation } from '../../../support/gateway/revocations';
import { codeOf, createTokenVerifier, key, start, validToken } from '../../../support/gateway/token-verifier';
import { claimsAt, signingKey, tokenWith } from '../../../support/gateway/tokens';

describe('signing keys at the gateway', () => {
  it('asks once for a key that is not known, then not again for a while', async () => {
    const { clock, keys, enter } = createTokenVerifier();
    await keys.refresh();
    clock.now += 6_000;
    const invented = Array.from({ length: 20 }, (_, at) => tokenWith(signingKey(`k-${at}`), claimsAt(start)));
    for (const token of invented) assert.equal(codeOf(await enter(token)), 'unauthenticated');
    assert.equal(clock.fetches, 2);
  });
  it('learns a new key from the first token signed with it', async () => {
    const { clock, keys, enter } = createTokenVerifier();
    await keys.refresh();
    clock.now += 6_000;
    const next = signingKey('key-2');
    clock.keys = [key, next];
    assert.ok(isRight(await enter(tokenWith(next, claimsAt(start)))));
  });
  it('refuses tokens of a withdrawn key, also those it had accepted', async () => {
    const { clock, keys, enter } = createTokenVerifier();
    assert.ok(isRight(await enter(validToken)));
    clock.keys = [];
    await keys.refresh();
    assert.equal(codeOf(await enter(validToken)), 'unauthenticated');
  });
  it('keeps its keys while the command API is away; without any it says so', async () => {
    const { clock, keys, enter } = createTokenVerifier();
    await keys.refresh();
    clock.away = true;
    await keys.refresh();
    assert.ok(isRight(await enter(validToken)));
    const empty = createTokenVerifier();
    empty.clock.away = true;
    assert.equal(codeOf(await empty.enter(validToken)), 'service-unavailable');
  });
  it('passes over keys of other kinds and points off the curve', async () => {
    const { clock, enter } = createTokenVerifier();
    const odd = { ...key, jwk: { ...key.jwk, kid: 'odd', x: Buffer.alloc(32, 1).toString('base64url') } };
    clock.keys = [{ ...key, jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'rsa' } }, odd, key];
    assert.ok(isRight(await enter(validToken)));
  });

  const revokedKey = revocation({ kind: 'key', subject: 'key-1', tenantId: '', at: start });
  const hearing = () => {
    const opened = createTokenVerifier();
    return { ...opened, hear: forwardKeyRevocations(opened.revocations, opened.keys).apply };
  };
  it('fetch the replacement of a key as soon as its revocation is known', async () => {
    const { clock, keys, enter, hear } = hearing();
    await keys.refresh();
    const next = signingKey('key-2');
    clock.keys = [next];
    clock.now += 250;
    hear(revokedKey);
    await setImmediate();
    assert.equal(clock.fetches, 2);
    assert.ok(isRight(await enter(tokenWith(next, claimsAt(start)))));
    assert.equal(clock.fetches, 2);
  });
  it('ask again before long where the other one was not published yet, and then as seldom as ever', async () => {
    const { clock, keys, enter, hear } = hearing();
    await keys.refresh();
    const next = tokenWith(signingKey('key-2'), claimsAt(start));
    hear(revokedKey);
    for (let tries = 0; tries < 40; tries += 1) {
      assert.equal(codeOf(await enter(next)), 'unauthenticated');
      clock.now += 50;
    }
    assert.equal(clock.fetches, 8);
    clock.now += 8_000;
    await enter(next);
    const fetchesBefore = clock.fetches;
    for (let tries = 0; tries < 40; tries += 1) {
      await enter(next);
      clock.now += 100;
    }
    assert.equal(clock.fetches, fetchesBefore);
  });
  it('are not fetched again for repeated revocations, or those of unknown keys', async () => {
    const { clock, keys, hear } = hearing();
    await keys.refresh();
    clock.now += 6_000;
    for (let count = 0; count < 50; count += 1) hear({ ...revokedKey, subject: `old-${count}` });
    await setImmediate();
    assert.equal(clock.fetches, 1);
    clock.keys = [];
    for (let count = 0; count < 50; count += 1) hear(revokedKey);
    await setImmediate();
    for (let count = 0; count < 50; count += 1) hear(revokedKey);
    await setImmediate();
    assert.equal(clock.fetches, 2);
  });
});
