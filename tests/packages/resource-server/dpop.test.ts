import assert from 'node:assert/strict';
import { accessTokenHash } from '../../../packages/resource-server/src/dpop/verify-proof';
import {
  now,
  outcomeOf,
  ownKey,
  ownThumbprint,
  proofClaimsAt,
  proofKey,
  proofOf,
  proofWith,
  rules,
  thumbprintOf,
  tokenUrl,
} from './proofs';

describe('proofs of possession', () => {
  for (const algorithm of ['ES256', 'EdDSA'] as const)
    it(`says which ${algorithm} key made one`, async () => {
      const one = proofKey(algorithm);
      assert.equal(await outcomeOf(proofWith(one, proofClaimsAt(now))), thumbprintOf(one));
    });

  it('knows Ed25519 by both of its names', async () => {
    const one = proofKey('EdDSA');
    assert.equal(await outcomeOf(proofWith(one, proofClaimsAt(now), { alg: 'Ed25519' })), thumbprintOf(one));
  });

  it('refuses one that was shown before, whatever it is for', async () => {
    const options = rules();
    const proof = proofOf();
    assert.equal(await outcomeOf(proof, {}, options), ownThumbprint);
    assert.equal(await outcomeOf(proof, {}, options), 'invalid: replay');
  });

  it('does not remember one that did not fit, so that a stranger cannot use up names', async () => {
    const options = rules();
    const claims = proofClaimsAt(now);
    assert.equal(await outcomeOf(proofWith(ownKey, { ...claims, htm: 'GET' }), {}, options), 'invalid: method');
    assert.equal(await outcomeOf(proofWith(proofKey(), claims), { boundTo: ownThumbprint }, options), 'other-key: key');
    assert.equal(await outcomeOf(proofWith(ownKey, claims), { boundTo: ownThumbprint }, options), ownThumbprint);
  });

  it('keeps names of different keys apart', async () => {
    const options = rules();
    const other = proofKey();
    const claims = proofClaimsAt(now);
    assert.equal(await outcomeOf(proofWith(other, claims), {}, options), thumbprintOf(other));
    assert.equal(await outcomeOf(proofWith(ownKey, claims), {}, options), ownThumbprint);
  });

  const second = now / 1000;
  for (const [what, changes, reason] of [
    ['another method', { htm: 'GET' }, 'method'],
    ['a method in other letters', { htm: 'post' }, 'method'],
    ['another path', { htu: 'https://septet.test/oauth/revoke' }, 'target'],
    ['another host', { htu: 'https://evil.test/oauth/token' }, 'target'],
    ['another scheme', { htu: 'http://septet.test/oauth/token' }, 'target'],
    ['another port', { htu: 'https://septet.test:8443/oauth/token' }, 'target'],
    ['a host that only begins alike', { htu: 'https://septet.test@evil.test/oauth/token' }, 'target'],
    ['a path alone', { htu: '/oauth/token' }, 'target'],
    ['an address with a line end', { htu: 'https://septet.test/oauth/\ntoken' }, 'target'],
    ['an address with backslashes', { htu: 'https://septet.test\\oauth\\token' }, 'target'],
    ['a minute ago', { iat: second - 61 }, 'time'],
    ['later', { iat: second + 11 }, 'time'],
    ['an end that has passed', { exp: second - 10 }, 'time'],
    ['a beginning to come', { nbf: second + 11 }, 'time'],
    ['a time as text', { iat: `${second}` }, 'claims'],
    ['a time in fractions', { iat: second + 0.5 }, 'claims'],
    ['no time', { iat: undefined }, 'claims'],
    ['no name', { jti: undefined }, 'claims'],
    ['an empty name', { jti: '' }, 'claims'],
    ['a number for a name', { jti: 7 }, 'claims'],
    ['a name without end', { jti: 'x'.repeat(257) }, 'claims'],
    ['no method', { htm: undefined }, 'claims'],
    ['a list of methods', { htm: ['POST'] }, 'claims'],
    ['no address', { htu: undefined }, 'claims'],
  ] as const)
    it(`refuses one for ${what}`, async () => assert.equal(await outcomeOf(proofOf(changes)), `invalid: ${reason}`));

  it('lets clocks be ten seconds apart, and proofs be a minute old', async () => {
    for (const iat of [second + 10, second - 60])
      assert.equal(await outcomeOf(proofOf({ iat, exp: second - 9, nbf: second + 10 })), ownThumbprint);
  });

  it('compares addresses as RFC 3986 does, without query and fragment', async () => {
    for (const htu of [
      'HTTPS://SEPTET.test:443/oauth/token?x=1#y',
      'https://septet.test/oauth/%74oken',
      'https://septet.test/v1/../oauth/token',
    ])
      assert.equal(await outcomeOf(proofOf({ htu }), { url: `${tokenUrl}?a=b` }), ownThumbprint);
  });

  it('is for the token it was made for', async () => {
    const accessToken = 'token';
    assert.equal(await outcomeOf(proofOf({ ath: accessTokenHash(accessToken) }), { accessToken }), ownThumbprint);
    for (const ath of [undefined, accessTokenHash('another'), accessToken])
      assert.equal(await outcomeOf(proofOf({ ath }), { accessToken }), 'invalid: token');
  });
});
