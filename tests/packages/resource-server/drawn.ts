/** Good access tokens, drawn by a generator that a seed sets. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { seededRandom } from '../../support/random/seeded-random';

export type Draw = (below: number) => number;

/** The same numbers for the same seed. */
export const drawFrom = (seed: number): Draw => seededRandom(seed).below;

interface Signer {
  readonly alg: 'ES256' | 'EdDSA';
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

const signerOf = (alg: Signer['alg'], kid: string): Signer => {
  const pair = alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' };
  return { alg, kid, privateKey: pair.privateKey, jwk };
};

export const now = 1_700_000_000_000;
export const signers = [signerOf('ES256', 'one'), signerOf('ES256', 'two'), signerOf('EdDSA', 'three')] as const;
export const stranger = signerOf('ES256', 'one');
export const jwks = { keys: signers.map(({ jwk }) => jwk) };

export const signed = ({ alg, privateKey }: Signer, header: string, payload: string): string => {
  const input = Buffer.from(`${header}.${payload}`);
  const signature =
    alg === 'ES256'
      ? sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      : sign(null, input, privateKey);
  return `${header}.${payload}.${signature.toString('base64url')}`;
};
export const encoded = (text: string): string => Buffer.from(text).toString('base64url');

export interface Parts {
  readonly signer: Signer;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

export const second = now / 1000;
export const partsOf = (draw: Draw): Parts => {
  const signer = signers[draw(signers.length)] ?? signers[0];
  const claims = {
    iss: 'http://septet.test',
    sub: `p-${draw(1_000)}`,
    aud: ['septet', 'other'].slice(0, 1 + draw(2)),
    exp: second + 600,
    iat: second,
    jti: `jti-${draw(1_000_000)}`,
    tenant_id: 'acme',
    principal_type: 'HUMAN',
    scopes: ['things:read'],
    security_epoch: 1,
  };
  return { signer, header: { alg: signer.alg, typ: 'at+jwt', kid: signer.kid }, claims };
};
export const built = ({ signer, header, claims }: Parts): string =>
  signed(signer, encoded(JSON.stringify(header)), encoded(JSON.stringify(claims)));
