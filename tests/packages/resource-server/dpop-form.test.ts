import assert from 'node:assert/strict';
import { now, outcomeOf, ownKey, proofClaimsAt, proofKey, proofOf, signedWith, tokenUrl } from './proofs';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

describe('forms of proofs', () => {
  const secret = { d: ownKey.privateKey.export({ format: 'jwk' }).d };
  const other = proofKey();
  for (const [what, proof, reason] of [
    ['nothing', undefined, 'missing'],
    ['a text', 'hello', 'form'],
    ['two of them', `${proofOf()}, ${proofOf()}`, 'form'],
    ['more than 8 KB', `${proofOf()}${'.'.repeat(8_192)}`, 'form'],
    ['the type of another token', proofOf({}, { typ: 'at+jwt' }), 'header'],
    ['the type in other letters', proofOf({}, { typ: 'DPoP+JWT' }), 'header'],
    ['no type', proofOf({}, { typ: undefined }), 'header'],
    ['the algorithm none', proofOf({}, { alg: 'none' }), 'header'],
    ['a MAC for an algorithm', proofOf({}, { alg: 'HS256' }), 'header'],
    ['an algorithm of another key', proofOf({}, { alg: 'EdDSA' }), 'header'],
    ['an inherited algorithm', proofOf({}, { alg: 'toString' }), 'header'],
    ['no key', proofOf({}, { jwk: undefined }), 'header'],
    ['a symmetric key', proofOf({}, { jwk: { kty: 'oct', k: 'AAAA' } }), 'header'],
    ['its private key', proofOf({}, { jwk: { ...ownKey.jwk, ...secret } }), 'header'],
    ['a point off the curve', proofOf({}, { jwk: { ...ownKey.jwk, y: ownKey.jwk.x } }), 'header'],
    ['a key to be fetched', proofOf({}, { jku: 'http://127.0.0.1/keys' }), 'header'],
    ['a certificate', proofOf({}, { x5c: ['AAAA'] }), 'header'],
    ['a critical extension', proofOf({}, { crit: ['b64'], b64: false }), 'header'],
    ['the key of somebody else', proofOf({}, { jwk: other.jwk }), 'signature'],
  ] as const)
    it(`refuses ${what}`, async () => assert.equal(await outcomeOf(proof), `invalid: ${reason}`));

  it('refuses members that come twice', async () => {
    const { iat } = proofClaimsAt(now);
    const twice = `{"jti":"a","htm":"GET","htm":"POST","htu":"${tokenUrl}","iat":${iat}}`;
    const header = encoded(JSON.stringify({ typ: 'dpop+jwt', alg: 'ES256', jwk: ownKey.jwk }));
    assert.equal(await outcomeOf(signedWith(ownKey, header, encoded(twice))), 'invalid: claims');
    const types = `{"typ":"x","typ":"dpop+jwt","alg":"ES256","jwk":${JSON.stringify(ownKey.jwk)}}`;
    assert.equal(await outcomeOf(signedWith(ownKey, encoded(types), encoded(twice))), 'invalid: header');
  });
});
