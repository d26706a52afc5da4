/** The header of an access token (RFC 9068): an algorithm, a type, a key's id. */
import { bytesOf } from './base64url';
import { membersOf } from './members';
import type { Algorithm } from './public-key';

export interface TokenHeader {
  readonly algorithm: Algorithm;
  readonly kid: string;
}

export interface KnownHeaders {
  readonly find: (header: string) => TokenHeader | undefined;
  /** Only after a signature fitted: there are as many of them as signing keys. */
  readonly keep: (header: string, read: TokenHeader) => void;
}

/** Anything else in a header (`jwk`, `jku`, `x5c`, `crit`, …) asks for trust or rules that we do not have. */
const fields = new Set(['alg', 'typ', 'kid']);
const types = new Set(['at+jwt', 'application/at+jwt']);

export const tokenHeaderOf = (header: string): TokenHeader | undefined => {
  const bytes = header.length > 1_024 ? undefined : bytesOf(header);
  const members = bytes === undefined ? undefined : membersOf(bytes);
  if (members === undefined || Object.keys(members).some((name) => !fields.has(name))) return undefined;
  const { alg, typ, kid } = members;
  if (alg !== 'ES256' && alg !== 'EdDSA') return undefined;
  if (typeof typ !== 'string' || !types.has(typ.toLowerCase())) return undefined;
  return typeof kid === 'string' && kid.length > 0 && kid.length <= 256 ? { algorithm: alg, kid } : undefined;
};

/** All tokens of a key begin alike. */
export const knownHeaders = (most = 128): KnownHeaders => {
  const known = new Map<string, TokenHeader>();
  return {
    find: (header) => known.get(header),
    keep: (header, read) => {
      if (known.has(header)) return;
      if (known.size >= most) known.clear();
      known.set(header, read);
    },
  };
};
