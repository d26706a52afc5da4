import assert from 'node:assert/strict';
import { createHmac, createPublicKey, sign } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { authenticateStoredToken } from '../../../../infra/gateway/authentication/authenticate';
import { codeOf, createTokenVerifier, key, start, validToken } from '../../../support/gateway/token-verifier';
import { claimsAt, signingKey, tokenWith } from '../../../support/gateway/tokens';

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('access tokens at the gateway', () => {
  it('lets a good one in, with who it stands for', async () => {
    const entered = await createTokenVerifier().enter(validToken);
    assert.ok(isRight(entered));
    assert.deepEqual(entered.right, {
      tenantId: 'acme',
      principalId: 'p-1',
      principalType: 'HUMAN',
      scopes: ['things:read', 'things:write'],
      tokenId: 'jti-1',
      expiresAt: start + 600_000,
      securityEpoch: 1,
      issuedAt: start,
      keyId: 'key-1',
    });
  });

  const [header = '', claims = '', signature = ''] = validToken.split('.');
  const publicPem = createPublicKey({ key: key.jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
  const hmac = (input: string) => createHmac('sha256', publicPem).update(input).digest('base64url');
  const confused = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid: 'key-1' })}.${claims}`;
  const der = sign('sha256', Buffer.from(`${header}.${claims}`), key.privateKey).toString('base64url');
  const other = signingKey('key-1');
  const forged: { readonly [what: string]: string } = {
    nothing: '',
    'a text': 'hello',
    'no signature': `${header}.${claims}.`,
    'the algorithm none': `${encoded({ alg: 'none', typ: 'at+jwt', kid: 'key-1' })}.${claims}.`,
    'the algorithm none over a real signature': tokenWith(key, claimsAt(start), { alg: 'none' }),
    'a MAC under the public key': `${confused}.${hmac(confused)}`,
    'a signature in another encoding': `${header}.${claims}.${der}`,
    'a signature of zeros': `${header}.${claims}.${Buffer.alloc(64).toString('base64url')}`,
    'changed claims': `${header}.${encoded(claimsAt(start, { scopes: ['admin'] }))}.${signature}`,
    'another key under the same id': tokenWith(other, claimsAt(start)),
    'its own key inside': tokenWith(other, claimsAt(start), { jwk: other.jwk }),
    'a key to be fetched': tokenWith(key, claimsAt(start), { jku: 'http://127.0.0.1/keys' }),
    'a critical extension': tokenWith(key, claimsAt(start), { crit: ['b64'], b64: false }),
    'the type of an identity token': tokenWith(key, claimsAt(start), { typ: 'JWT' }),
    'no type': tokenWith(key, claimsAt(start), { typ: undefined }),
    'a path for a key id': tokenWith(key, claimsAt(start), { kid: '../../key-1' }),
    'a list for a key id': tokenWith(key, claimsAt(start), { kid: ['key-1'] }),
    'more than 8 KB': tokenWith(key, claimsAt(start, { padding: 'x'.repeat(8_192) })),
    'a line end after it': `${validToken}\n`,
    'another token after it': `${validToken}.${validToken}`,
    'padding of base64': `${validToken}=`,
  };
  for (const [what, token] of Object.entries(forged))
    it(`refuses ${what}`, async () =>
      assert.equal(codeOf(await createTokenVerifier().enter(token)), 'unauthenticated'));

  for (const [what, changes] of [
    ['that has expired', { exp: start / 1000 - 11 }],
    ['that begins later', { nbf: start / 1000 + 11 }],
    ['from the future', { iat: start / 1000 + 11, exp: start / 1000 + 60 }],
    ['that lives longer than an hour', { exp: start / 1000 + 3_601 }],
    ['of another issuer', { iss: 'http://other.test' }],
    ['for another audience', { aud: ['other'] }],
    ['for an audience that only begins alike', { aud: ['septet.evil'] }],
    ['for a text as audience', { aud: 'septet' }],
    ['without a tenant', { tenant_id: undefined }],
    ['with an epoch that is a text', { security_epoch: '99' }],
    ['without an end', { exp: undefined }],
    ['with an end beyond numbers', { exp: 1e300 }],
  ] as const)
    it(`refuses one ${what}`, async () =>
      assert.equal(
        codeOf(await createTokenVerifier().enter(tokenWith(key, claimsAt(start, changes)))),
        'unauthenticated',
      ));

  it('allows clocks to differ by ten seconds', async () => {
    const late = tokenWith(key, claimsAt(start, { exp: start / 1000 - 9, iat: start / 1000 - 600 }));
    const early = tokenWith(key, claimsAt(start, { iat: start / 1000 + 9, nbf: start / 1000 + 9 }));
    for (const token of [late, early]) assert.ok(isRight(await createTokenVerifier().enter(token)));
  });

  it('checks the end again for a token it knows', async () => {
    const { clock, revocations, enter } = createTokenVerifier();
    assert.ok(isRight(await enter(validToken)));
    clock.now += 611_000;
    revocations.apply({ kind: 'heartbeat', sequence: null });
    assert.equal(codeOf(await enter(validToken)), 'unauthenticated');
  });

  it('asks for a token when there is none, and for a Bearer when it is something else', async () => {
    const { using } = createTokenVerifier();
    assert.equal(codeOf(await authenticateStoredToken(using, undefined)), 'unauthenticated');
    assert.equal(codeOf(await authenticateStoredToken(using, `Basic ${validToken}`)), 'unauthenticated');
    assert.equal(codeOf(await authenticateStoredToken(using, `Bearer ${validToken} ${validToken}`)), 'unauthenticated');
  });
});
