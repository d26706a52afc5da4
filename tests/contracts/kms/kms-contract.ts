/** The contract of every keystore. */
import assert from 'node:assert/strict';
import type { webcrypto } from 'node:crypto';
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import { CompactSign, calculateJwkThumbprint, compactVerify, importJWK } from 'jose';
import type { Kms, PublicJwk, SigningAlgorithm } from '../../../infra/ports/kms';

export const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), `the keystore answers, not ${JSON.stringify(answer)}`);
  return answer.right;
};

const signed = async (kms: Kms, { kid, alg }: PublicJwk, payload: string): Promise<string> => {
  const header = Buffer.from(JSON.stringify({ alg, kid })).toString('base64url');
  const input = `${header}.${Buffer.from(payload).toString('base64url')}`;
  const signature = value(await kms.sign(kid, Buffer.from(input)));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
};

const fields = {
  ES256: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
  EdDSA: ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
  RS256: ['alg', 'e', 'kid', 'kty', 'n', 'use'],
};

const lengths = { ES256: 64, EdDSA: 64, RS256: 256 };

const generations = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2_048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
};
const kidsOf = async (kms: Kms): Promise<readonly string[]> => value(await kms.list()).map(({ kid }) => kid);

const algorithmContract = (open: () => Promise<Kms>, algorithm: SigningAlgorithm): void => {
  const make = async (kms: Kms, name = 'one'): Promise<PublicJwk> => value(await kms.create({ algorithm, name }));

  it('signs what an independent library verifies with the public key', async () => {
    const kms = await open();
    const key = await make(kms);
    const { payload, protectedHeader } = await compactVerify(
      await signed(kms, key, 'paid in full'),
      await importJWK({ ...key }, algorithm),
    );
    assert.equal(Buffer.from(payload).toString(), 'paid in full');
    assert.deepEqual(protectedHeader, { alg: algorithm, kid: key.kid });
  });

  it('answers signatures of the length of the algorithm, which another payload does not pass', async () => {
    const kms = await open();
    const key = await make(kms);
    assert.equal(value(await kms.sign(key.kid, Buffer.from('a'))).length, lengths[algorithm]);
    const [header, , signature] = (await signed(kms, key, 'one')).split('.');
    const forged = `${header}.${Buffer.from('two').toString('base64url')}.${signature}`;
    await assert.rejects(compactVerify(forged, await importJWK({ ...key }, algorithm)));
  });

  it('shows public parts only, under the key’s own hash', async () => {
    const key = await make(await open());
    assert.deepEqual(Object.keys(key).sort(), fields[algorithm]);
    assert.equal(key.kid, await calculateJwkThumbprint({ ...key }));
    assert.equal(key.alg, algorithm);
  });

  it('cannot be made to accept the signature of a foreign key', async () => {
    const key = await make(await open());
    const { privateKey } = (await crypto.subtle.generateKey(generations[algorithm], false, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair;
    const foreign = await new CompactSign(Buffer.from('x'))
      .setProtectedHeader({ alg: algorithm, kid: key.kid })
      .sign(privateKey);
    await assert.rejects(compactVerify(foreign, await importJWK({ ...key }, algorithm)));
  });

  it('makes one key of a name, however often it is called', async () => {
    const kms = await open();
    const key = await make(kms);
    assert.deepEqual(await make(kms), key);
    assert.notEqual((await make(kms, 'two')).kid, key.kid);
    assert.equal((await kidsOf(kms)).length, 2);
  });
};

export const kmsContract = (open: () => Promise<Kms>): void => {
  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const)
    describe(algorithm, () => algorithmContract(open, algorithm));

  it('lists what it holds, in the order of names', async () => {
    const kms = await open();
    assert.deepEqual(await kidsOf(kms), []);
    const second = value(await kms.create({ algorithm: 'EdDSA', name: '000002' }));
    const first = value(await kms.create({ algorithm: 'ES256', name: '000001' }));
    assert.deepEqual(value(await kms.list()), [first, second]);
  });

  it('signs no more with a key that was destroyed, and with the others as before', async () => {
    const kms = await open();
    const [kept, gone] = [
      value(await kms.create({ algorithm: 'ES256', name: 'kept' })),
      value(await kms.create({ algorithm: 'ES256', name: 'gone' })),
    ];
    value(await kms.destroy(gone.kid));
    value(await kms.destroy(gone.kid));
    assert.deepEqual(await kidsOf(kms), [kept.kid]);
    assert.ok(isLeft(await kms.sign(gone.kid, Buffer.from('a'))));
    assert.equal(value(await kms.sign(kept.kid, Buffer.from('a'))).length, 64);
  });

  it('refuses to sign with a key it does not hold', async () => {
    const answer = await (await open()).sign('nobody', Buffer.from('a'));
    assert.ok(isLeft(answer));
    assert.equal(answer.left.code, 'signing-unavailable');
  });

  it('refuses names that could be paths', async () => {
    const kms = await open();
    for (const name of ['', '../up', 'a/b', 'a.b', 'a b', 'x'.repeat(65)])
      assert.ok(isLeft(await kms.create({ algorithm: 'ES256', name })), `takes ${JSON.stringify(name)}`);
    assert.deepEqual(await kidsOf(kms), []);
  });

  it('signs for many at once', async () => {
    const kms = await open();
    const keys = [
      value(await kms.create({ algorithm: 'ES256', name: 'a' })),
      value(await kms.create({ algorithm: 'EdDSA', name: 'b' })),
      value(await kms.create({ algorithm: 'RS256', name: 'c' })),
    ];
    const tokens = Array.from({ length: 40 }, (_, index) => ({
      key: keys[index % 3] as PublicJwk,
      text: `no ${index}`,
    }));
    const made = await Promise.all(tokens.map(({ key, text }) => signed(kms, key, text)));
    for (const [index, { key, text }] of tokens.entries()) {
      const { payload } = await compactVerify(made[index] ?? '', await importJWK({ ...key }, key.alg));
      assert.equal(Buffer.from(payload).toString(), text);
    }
  });

  it('derives 32 bytes, the same for the same label and others for another', async () => {
    const kms = await open();
    const first = value(await kms.derive('["a","b"]'));
    assert.equal(Buffer.from(first, 'base64url').length, 32);
    assert.equal(value(await kms.derive('["a","b"]')), first);
    assert.notEqual(value(await kms.derive('["a,b"]')), first);
  });
};
