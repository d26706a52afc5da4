/** Public keys as others see them, their ids included. */
import type { KeyObject } from 'node:crypto';
import type { EcPublicJwk, OkpPublicJwk, PublicJwk } from '../ports/kms';
import { thumbprintOf } from './thumbprint';

export const ecJwk = (x: string, y: string): EcPublicJwk => {
  const key = { kty: 'EC', crv: 'P-256', x, y } as const;
  return { ...key, kid: thumbprintOf(key), alg: 'ES256', use: 'sig' };
};

export const okpJwk = (x: string): OkpPublicJwk => {
  const key = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return { ...key, kid: thumbprintOf(key), alg: 'EdDSA', use: 'sig' };
};

/** Undefined when it is of neither kind. */
export const publicJwkOf = (publicKey: KeyObject): PublicJwk | undefined => {
  const { crv, x, y } = publicKey.export({ format: 'jwk' });
  if (crv === 'Ed25519' && x !== undefined) return okpJwk(x);
  return crv === 'P-256' && x !== undefined && y !== undefined ? ecJwk(x, y) : undefined;
};
