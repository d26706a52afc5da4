import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { codeOf, gate, good, key, start } from '../../support/gate';
import { claimsAt, signingKey, tokenWith } from '../../support/tokens';

describe('signing keys at the gateway', () => {
  it('asks once for a key that is not known, then not again for a while', async () => {
    const { clock, keys, enter } = gate();
    await keys.refresh();
    clock.now += 6_000;
    const invented = Array.from({ length: 20 }, (_, at) => tokenWith(signingKey(`k-${at}`), claimsAt(start)));
    for (const token of invented) assert.equal(codeOf(await enter(token)), 'unauthenticated');
    assert.equal(clock.asked, 2);
  });
  it('learns a new key from the first token signed with it', async () => {
    const { clock, keys, enter } = gate();
    await keys.refresh();
    clock.now += 6_000;
    const next = signingKey('key-2');
    clock.keys = [key, next];
    assert.ok(isRight(await enter(tokenWith(next, claimsAt(start)))));
  });
  it('refuses tokens of a withdrawn key, also those it had accepted', async () => {
    const { clock, keys, enter } = gate();
    assert.ok(isRight(await enter(good)));
    clock.keys = [];
    await keys.refresh();
    assert.equal(codeOf(await enter(good)), 'unauthenticated');
  });
  it('keeps its keys while the command API is away; without any it says so', async () => {
    const { clock, keys, enter } = gate();
    await keys.refresh();
    clock.away = true;
    await keys.refresh();
    assert.ok(isRight(await enter(good)));
    const empty = gate();
    empty.clock.away = true;
    assert.equal(codeOf(await empty.enter(good)), 'service-unavailable');
  });
  it('passes over keys of other kinds and points off the curve', async () => {
    const { clock, enter } = gate();
    const odd = { ...key, jwk: { ...key.jwk, kid: 'odd', x: Buffer.alloc(32, 1).toString('base64url') } };
    clock.keys = [{ ...key, jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'rsa' } }, odd, key];
    assert.ok(isRight(await enter(good)));
  });
});
