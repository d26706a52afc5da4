import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { accessTokenHash } from '../../../packages/resource-server/src/dpop/verify-proof';
import { left } from '../../../packages/resource-server/src/verification/either';
import { answerOf, checks, enter, nonces, now, refusalOf, tokenOf } from './checks';
import { ownKey, ownThumbprint, proofClaimsAt, proofKey, proofWith } from './proofs';

const bound = tokenOf({ cnf: { jkt: ownThumbprint } });
const proofFor = (token: string, changes: object = {}): string =>
  proofWith(
    ownKey,
    proofClaimsAt(now, { htm: 'GET', htu: 'https://septet.test/v1/things', ath: accessTokenHash(token), ...changes }),
  );
const invalid = 'unauthenticated: Bearer invalid_token';
const withProof = (token: string, proof?: string) => ({ authorization: `DPoP ${token}`, proof });

describe('tokens that are bound to a key', () => {
  it('are taken with a proof of that key, each proof once', async () => {
    const using = checks();
    const proof = proofFor(bound);
    assert.equal(answerOf(await enter(using, withProof(bound, proof))), 'let in');
    assert.equal(answerOf(await enter(using, withProof(bound, proof))), 'unauthenticated: DPoP invalid_dpop_proof');
    assert.equal(answerOf(await enter(using, withProof(bound, proofFor(bound)))), 'let in');
  });

  const stolen = proofWith(
    proofKey(),
    proofClaimsAt(now, { htm: 'GET', htu: 'https://septet.test/v1/things', ath: accessTokenHash(bound) }),
  );
  for (const [what, credentials, answer] of [
    ['without a proof', withProof(bound), 'unauthenticated: DPoP invalid_dpop_proof'],
    ['stripped to a Bearer', { authorization: `Bearer ${bound}` }, 'unauthenticated: DPoP invalid_token'],
    [
      'stripped to a Bearer, with a good proof',
      { authorization: `Bearer ${bound}`, proof: proofFor(bound) },
      'unauthenticated: DPoP invalid_token',
    ],
    ['with a proof of another key', withProof(bound, stolen), 'unauthenticated: DPoP invalid_token'],
    [
      'with a proof for another token',
      withProof(bound, proofFor('another')),
      'unauthenticated: DPoP invalid_dpop_proof',
    ],
    [
      'with a proof for another method',
      withProof(bound, proofFor(bound, { htm: 'POST' })),
      'unauthenticated: DPoP invalid_dpop_proof',
    ],
    [
      'with a proof for another path',
      withProof(bound, proofFor(bound, { htu: 'https://septet.test/v1/others' })),
      'unauthenticated: DPoP invalid_dpop_proof',
    ],
    [
      'with a proof for another host',
      withProof(bound, proofFor(bound, { htu: 'https://evil.test/v1/things' })),
      'unauthenticated: DPoP invalid_dpop_proof',
    ],
  ] as const)
    it(`are refused ${what}`, async () => assert.equal(answerOf(await enter(checks(), credentials)), answer));

  it('are required by DPoP: an unbound token is refused with that scheme, and its proof is ignored as a Bearer', async () => {
    const free = tokenOf();
    assert.equal(answerOf(await enter(checks(), withProof(free, proofFor(free)))), invalid);
    assert.equal(answerOf(await enter(checks(), { authorization: `Bearer ${free}`, proof: 'nonsense' })), 'let in');
  });

  it('are refused in the scheme that they came by, whatever is wrong with them before their sender matters', async () => {
    const forged = bound.replace(/.{8}$/, 'AAAAAAAA');
    for (const token of [forged, tokenOf({}, { kid: 'unknown' }), 'x.y.z', `${bound}${'A'.repeat(8_192)}`]) {
      const refused = refusalOf(await enter(checks(), withProof(token, proofFor(token))));
      const challenged = refused.headers['WWW-Authenticate'] ?? '';
      assert.match(challenged, /^DPoP error="invalid_token", .*algs="ES256 EdDSA Ed25519"$/);
      assert.equal(answerOf(await enter(checks(), { authorization: `Bearer ${token}` })), invalid);
    }
  });

  it('are asked for a nonce, which is given with the answer', async () => {
    const using = checks({ proofs: { ...checks().proofs, nonces } as never });
    const refused = refusalOf(await enter(using, withProof(bound, proofFor(bound))));
    assert.match(refused.headers['WWW-Authenticate'] ?? '', /^DPoP error="use_dpop_nonce"/);
    const nonce = refused.headers['DPoP-Nonce'];
    assert.equal(answerOf(await enter(using, withProof(bound, proofFor(bound, { nonce })))), 'let in');
  });

  it('are refused for the time being where proofs cannot be remembered', async () => {
    const away = { replay: { first: async () => left('away') } };
    for (const proofs of [away, undefined])
      assert.equal(answerOf(await enter(checks({ proofs }), withProof(bound, proofFor(bound)))), 'service-unavailable');
  });

  it('are looked at after all else, so that no proof is used up by a token that is no good', async () => {
    const proof = proofFor(bound);
    const using = checks();
    const revoked = { ...using, revocations: { refusal: () => 'revoked' as const, stalenessMilliseconds: () => 0 } };
    assert.equal(answerOf(await enter(revoked, withProof(bound, proof))), 'revoked: DPoP invalid_token');
    assert.equal(
      answerOf(await enter(using, withProof(bound, proof), ['things:never'])),
      'forbidden: DPoP insufficient_scope',
    );
    assert.equal(answerOf(await enter(using, withProof(bound, proof))), 'let in');
  });
});

describe('tokens that are bound to a certificate', () => {
  const certificate = createHash('sha256').update('certificate').digest('base64url');
  const other = createHash('sha256').update('another').digest('base64url');
  const token = tokenOf({ cnf: { 'x5t#S256': certificate } });
  const authorization = `Bearer ${token}`;

  it('are taken over a connection with it, and over no other', async () => {
    assert.equal(answerOf(await enter(checks(), { authorization, certificate })), 'let in');
    for (const wrong of [undefined, '', other, certificate.slice(1)])
      assert.equal(
        answerOf(await enter(checks(), { authorization, certificate: wrong })),
        'unauthenticated: Bearer invalid_token',
      );
  });

  it('need the proof, too, where they are bound to both', async () => {
    const both = tokenOf({ cnf: { 'x5t#S256': certificate, jkt: ownThumbprint } });
    assert.equal(answerOf(await enter(checks(), { ...withProof(both, proofFor(both)), certificate })), 'let in');
    assert.equal(
      answerOf(await enter(checks(), { authorization: `Bearer ${both}`, certificate })),
      'unauthenticated: DPoP invalid_token',
    );
    assert.equal(
      answerOf(await enter(checks(), withProof(both, proofFor(both)))),
      'unauthenticated: DPoP invalid_token',
    );
  });

  for (const [what, cnf] of [
    ['nothing', {}],
    ['something unknown', { jkt: ownThumbprint, kid: 'x' }],
    ['a list', [ownThumbprint]],
    ['a text', ownThumbprint],
    ['nobody', null],
    ['a thumbprint with stray bits', { jkt: `${ownThumbprint.slice(0, 42)}B` }],
  ] as const)
    it(`are refused when what binds them is ${what}`, async () =>
      assert.equal(
        answerOf(await enter(checks(), { authorization: `Bearer ${tokenOf({ cnf })}`, certificate })),
        'unauthenticated: Bearer invalid_token',
      ));
});
