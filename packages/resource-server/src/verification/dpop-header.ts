/** The header of a proof: its own key, and nothing that would have us fetch or trust another. */
import { bytesOf } from './base64url';
import { isMembers, membersOf } from './members';
import { type PublicKey, publicKeyOf } from './public-key';

export interface ProofKeys {
  readonly find: (header: string) => PublicKey | undefined;
  /** Only after a signature fitted: what is kept for strangers must have cost them something. */
  readonly keep: (header: string, key: PublicKey) => void;
}

const fields = new Set(['typ', 'alg', 'jwk']);
const algorithms: { readonly [name: string]: string | undefined } = {
  ES256: 'ES256',
  EdDSA: 'EdDSA',
  Ed25519: 'EdDSA',
};

export const proofHeaderOf = (header: string): PublicKey | undefined => {
  const bytes = bytesOf(header);
  const members = bytes === undefined ? undefined : membersOf(bytes);
  if (members === undefined || Object.keys(members).some((name) => !fields.has(name))) return undefined;
  const { typ, alg, jwk } = members;
  if (typ !== 'dpop+jwt' || typeof alg !== 'string' || !isMembers(jwk)) return undefined;
  const key = publicKeyOf(jwk);
  return key !== undefined && Object.hasOwn(algorithms, alg) && algorithms[alg] === key.algorithm ? key : undefined;
};

/** A client signs all its proofs under one header: to make a key of it costs as much as to check a signature. */
export const keptProofKeys = (most = 10_000): ProofKeys => {
  const kept = new Map<string, PublicKey>();
  return {
    find: (header) => kept.get(header),
    keep: (header, key) => {
      if (kept.has(header) || header.length > 1_024) return;
      const oldest = kept.size >= most ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(header, key);
    },
  };
};
