/** ID tokens that come back as hints, by whichever key of ours they are signed. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { verifyIdTokenHint } from '../../../../commands/identity/oauth/issued-tokens/verify-own-token';
import { type Claims, signToken } from '../../../../commands/identity/oauth/token/sign-token';
import { memoryKeys, memoryKms } from '../../../../infra/adapters/kms/memory-keystore';
import type { PublicJwk } from '../../../../infra/ports/kms';
import { principalId, tenantId } from '../../examples';
import { answered } from '../../signing-keys/signing-processes';

const issuer = 'https://septet.example';
const claims: Claims = { iss: issuer, aud: 'acme~app', sub: principalId, tenant_id: tenantId, sid: 'ab'.repeat(32) };
const kms = memoryKms();

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const signed = async (key: PublicJwk, content: Claims = claims, typ: 'JWT' | 'at+jwt' = 'JWT'): Promise<string> =>
  answered(await signToken(kms, key, { typ, claims: content }));
const hintOf = async (written: string) => {
  const read = await verifyIdTokenHint({ kms, issuer }, written);
  assert.ok(isRight(read));
  return read.right;
};

describe('hints of who is meant', () => {
  let keys: { readonly [algorithm in 'RS256' | 'ES256']: PublicJwk };
  before(async () => {
    keys = { RS256: answered(await kms.activeKey('id-token')), ES256: answered(await kms.activeKey('access-token')) };
  });

  for (const algorithm of ['RS256', 'ES256'] as const) {
    it(`are ID tokens by ${algorithm}, also after they expired`, async () => {
      const expected = { clientId: 'acme~app', tenantId, principalId, sessionId: claims.sid };
      assert.deepEqual(await hintOf(await signed(keys[algorithm])), expected);
      assert.deepEqual(await hintOf(await signed(keys[algorithm], { ...claims, exp: 1 })), expected);
    });

    it(`are no access tokens by ${algorithm}, and no tokens of another issuer`, async () => {
      assert.equal(await hintOf(await signed(keys[algorithm], claims, 'at+jwt')), undefined);
      assert.equal(await hintOf(await signed(keys[algorithm], { ...claims, iss: 'https://other.example' })), undefined);
    });

    it(`are not forged with ${algorithm}`, async () => {
      const [header = '', , signature = ''] = (await signed(keys[algorithm])).split('.');
      assert.equal(await hintOf(`${header}.${encoded({ ...claims, sub: 'p-2' })}.${signature}`), undefined);
      const foreign = memoryKeys();
      const key = answered(await foreign.create({ algorithm, name: 'one' }));
      const token = answered(await signToken(foreign, key, { typ: 'JWT', claims }));
      assert.equal(await hintOf(token), undefined);
      const { kid } = keys[algorithm];
      const pretended = answered(await signToken(foreign, { ...key, kid: key.kid }, { typ: 'JWT', claims }));
      const [, payload = '', stolen = ''] = pretended.split('.');
      assert.equal(await hintOf(`${encoded({ alg: algorithm, typ: 'JWT', kid })}.${payload}.${stolen}`), undefined);
    });
  }

  it('are not signed by a public key as a shared secret, by nobody, or by the algorithm of the other key', async () => {
    for (const [algorithm, key] of Object.entries(keys)) {
      const input = `${encoded({ alg: 'HS256', typ: 'JWT', kid: key.kid })}.${encoded(claims)}`;
      const mac = createHmac('sha256', JSON.stringify(key)).update(input).digest('base64url');
      assert.equal(await hintOf(`${input}.${mac}`), undefined, algorithm);
      assert.equal(
        await hintOf(`${encoded({ alg: 'none', typ: 'JWT', kid: key.kid })}.${encoded(claims)}.`),
        undefined,
      );
    }
    const swapped = await signToken(kms, { ...keys.RS256, alg: 'ES256' as never }, { typ: 'JWT', claims });
    assert.equal(await hintOf(answered(swapped)), undefined);
  });

  it('are no other texts', async () => {
    for (const written of ['', 'x', 'a.b.c', '..', `${'x'.repeat(9_000)}`])
      assert.equal(await hintOf(written), undefined);
  });
});
