/** Who checks the same tokens. */
import { createPublicKey, verify } from 'node:crypto';
import { calculateJwkThumbprint, createLocalJWKSet, EmbeddedJWK, jwtVerify } from 'jose';
import { createProofKeyCache } from '../../../../packages/resource-server/src/dpop/proof';
import { memoryReplayCache } from '../../../../packages/resource-server/src/dpop/replay-cache';
import { checks, enter, now, url } from '../../../packages/resource-server/checks';
import { type Item, keyOfIssuer } from './stock';

type Check = (index: number) => unknown;

const at = (items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** Refused would be quicker, and is not what is measured. */
const mustPass = async (entered: ReturnType<typeof enter>): Promise<void> => {
  const { _tag } = await entered;
  if (_tag === 'Left') throw new Error('a good token was refused');
};

export const ours = (items: readonly Item[]) => {
  const using = checks({ proofs: { replay: memoryReplayCache(() => now), keys: createProofKeyCache() } });
  const bearer: Check = (index) =>
    mustPass(enter(using, { authorization: `Bearer ${at(items, index).token}` }, ['things:read']));
  const proved: Check = (index) => {
    const { token, proof } = at(items, index);
    return mustPass(enter(using, { authorization: `DPoP ${token}`, proof }, ['things:read']));
  };
  return { cold: bearer, warm: bearer, proved };
};

/** The signature alone, of bytes that lie ready. */
export const bare = (items: readonly Item[], times = 1): Check => {
  const key = createPublicKey({ key: keyOfIssuer.jwk, format: 'jwk' });
  const verifying = { key, dsaEncoding: 'ieee-p1363' } as const;
  const ready = items.map(({ token }) => {
    const end = token.lastIndexOf('.');
    return { signed: Buffer.from(token.slice(0, end)), signature: Buffer.from(token.slice(end + 1), 'base64url') };
  });
  return (index) => {
    const { signed, signature } = ready[index % ready.length] as (typeof ready)[number];
    for (let time = 0; time < times; time += 1)
      if (!verify('sha256', signed, verifying, signature)) throw new Error('it does not fit');
  };
};

const tokenOptions = {
  issuer: 'http://septet.test',
  audience: 'septet',
  algorithms: ['ES256', 'EdDSA'],
  typ: 'at+jwt',
  clockTolerance: 10,
  currentDate: new Date(now),
};
const proofOptions = { typ: 'dpop+jwt', algorithms: ['ES256', 'EdDSA'], currentDate: new Date(now), maxTokenAge: 60 };

export const theirs = (items: readonly Item[]) => {
  const keys = createLocalJWKSet({ keys: [keyOfIssuer.jwk] } as never);
  const token: Check = (index) => jwtVerify(at(items, index).token, keys, tokenOptions);
  const proved: Check = async (index) => {
    const { proof = '' } = at(items, index);
    await token(index);
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, proofOptions);
    await calculateJwkThumbprint(protectedHeader.jwk as never);
    if (payload.htm !== 'GET' || payload.htu !== url.split('?')[0]) throw new Error('another request');
  };
  return { token, proved };
};
