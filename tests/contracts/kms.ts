/** What every key service does, whatever holds its keys. */
import assert from 'node:assert/strict';
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import { CompactSign, compactVerify, importJWK } from 'jose';
import type { Kms, PublicJwk } from '../../infra/ports/kms';

const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), 'the key service answers');
  return answer.right;
};

const signed = async (kms: Kms, { kid }: PublicJwk, payload: string): Promise<string> => {
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid })).toString('base64url');
  const input = `${header}.${Buffer.from(payload).toString('base64url')}`;
  const signature = value(await kms.sign(kid, Buffer.from(input)));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
};

export const kmsContract = (open: () => Promise<Kms>): void => {
  it('signs what an independent library verifies with the published key', async () => {
    const kms = await open();
    const active = value(await kms.activeKey());
    const { payload, protectedHeader } = await compactVerify(
      await signed(kms, active, 'paid in full'),
      await importJWK({ ...active }, 'ES256'),
    );
    assert.equal(Buffer.from(payload).toString(), 'paid in full');
    assert.equal(protectedHeader.kid, active.kid);
  });

  it('answers signatures of 64 bytes that another payload does not pass', async () => {
    const kms = await open();
    const active = value(await kms.activeKey());
    assert.equal(value(await kms.sign(active.kid, Buffer.from('a'))).length, 64);
    const [header, , signature] = (await signed(kms, active, 'one')).split('.');
    const forged = `${header}.${Buffer.from('two').toString('base64url')}.${signature}`;
    await assert.rejects(compactVerify(forged, await importJWK({ ...active }, 'ES256')));
  });

  it('publishes the active key, public parts only', async () => {
    const kms = await open();
    const active = value(await kms.activeKey());
    const published = value(await kms.publicKeys());
    assert.ok(published.some(({ kid }) => kid === active.kid));
    for (const key of published)
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('refuses to sign with a key it does not hold', async () => {
    const answer = await (await open()).sign('nobody', Buffer.from('a'));
    assert.ok(isLeft(answer));
    assert.equal(answer.left.code, 'signing-unavailable');
  });

  it('derives 32 bytes, the same for the same label and others for another', async () => {
    const kms = await open();
    const first = value(await kms.derive('["a","b"]'));
    assert.equal(Buffer.from(first, 'base64url').length, 32);
    assert.equal(value(await kms.derive('["a","b"]')), first);
    assert.notEqual(value(await kms.derive('["a,b"]')), first);
  });

  it('cannot be made to accept the signature of a foreign key', async () => {
    const kms = await open();
    const active = value(await kms.activeKey());
    const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'sign',
      'verify',
    ]);
    const foreign = await new CompactSign(Buffer.from('x'))
      .setProtectedHeader({ alg: 'ES256', kid: active.kid })
      .sign(privateKey);
    await assert.rejects(compactVerify(foreign, await importJWK({ ...active }, 'ES256')));
  });
};
