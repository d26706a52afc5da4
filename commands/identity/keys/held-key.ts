/** Keys between the keystore, which holds them, and the log, which says what they are. */
import type { KeyId } from '../../../domain/identity/ids';
import type { NewSigningKey, SigningKey } from '../../../domain/identity/signing-keys/state';
import type { EcPublicJwk, Kms, OkpPublicJwk, PublicJwk } from '../../../infra/ports/kms';

export const recordOf = (held: PublicJwk, { keystore }: Pick<Kms, 'keystore'>): NewSigningKey => {
  const { kid, alg, kty, crv, x } = held;
  const publicKey = held.kty === 'EC' ? { kty, crv, x, y: held.y } : { kty, crv, x };
  return { kid: kid as KeyId, algorithm: alg, publicKey, keystore };
};

const use = 'sig';

/** Undefined when what was recorded is no key: it verifies nothing. */
export const publicJwkOf = ({ kid, publicKey }: SigningKey): PublicJwk | undefined => {
  const { kty, crv, x, y } = publicKey;
  if (kty === 'EC' && crv === 'P-256' && x !== undefined && y !== undefined)
    return { kty, crv, x, y, kid, alg: 'ES256', use } satisfies EcPublicJwk;
  if (kty === 'OKP' && crv === 'Ed25519' && x !== undefined)
    return { kty, crv, x, kid, alg: 'EdDSA', use } satisfies OkpPublicJwk;
  return undefined;
};
