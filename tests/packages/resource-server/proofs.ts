/** Proofs of possession as clients make them, and as attackers would like them to be. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { memoryReplayCache } from '../../../packages/resource-server/src/dpop/replay-cache';
import {
  type DpopOptions,
  type DpopRequest,
  verifyProof,
} from '../../../packages/resource-server/src/dpop/verify-proof';

export interface ProofKey {
  readonly algorithm: 'ES256' | 'EdDSA';
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export const proofKey = (algorithm: ProofKey['algorithm'] = 'ES256'): ProofKey => {
  const { publicKey, privateKey } =
    algorithm === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  return { algorithm, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }) } };
};

export const thumbprintOf = ({ jwk: { crv, kty, x, y } }: ProofKey): string =>
  createHash('sha256')
    .update(JSON.stringify(y === undefined ? { crv, kty, x } : { crv, kty, x, y }))
    .digest('base64url');

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

export const signedWith = (key: ProofKey, header: string, payload: string): string => {
  const input = Buffer.from(`${header}.${payload}`);
  const signature =
    key.algorithm === 'ES256'
      ? sign('sha256', input, { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
      : sign(null, input, key.privateKey);
  return `${header}.${payload}.${signature.toString('base64url')}`;
};

export const proofWith = (key: ProofKey, claims: object, header: object = {}): string =>
  signedWith(key, encoded({ typ: 'dpop+jwt', alg: key.algorithm, jwk: key.jwk, ...header }), encoded(claims));

let made = 0;

export const proofClaimsAt = (now: number, changes: object = {}) => {
  made += 1;
  return {
    jti: `proof-${made}`,
    htm: 'POST',
    htu: 'https://septet.test/oauth/token',
    iat: Math.floor(now / 1000),
    ...changes,
  };
};

export const now = 1_700_000_000_000;
export const tokenUrl = 'https://septet.test/oauth/token';
/** Whose proofs are shown where it does not matter whose. */
export const ownKey = proofKey();
export const ownThumbprint = thumbprintOf(ownKey);

export const proofOf = (changes: object = {}, header: object = {}): string =>
  proofWith(ownKey, proofClaimsAt(now, changes), header);

export const rules = (more: Partial<DpopOptions> = {}): DpopOptions => ({
  replay: memoryReplayCache(() => now),
  ...more,
});

/** The thumbprint of who made it, or why it is refused. */
export const outcomeOf = async (
  proof: string | undefined,
  presented: Partial<DpopRequest> = {},
  options: DpopOptions = rules(),
): Promise<string> => {
  const outcome = await verifyProof(options, { proof, method: 'POST', url: tokenUrl, now, ...presented });
  return outcome._tag === 'Right' ? outcome.right.jkt : `${outcome.left.kind}: ${outcome.left.reason}`;
};
