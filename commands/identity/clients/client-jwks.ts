/** Client JWKS: registered inline, or fetched from `jwks_uri` and cached for minutes. Keys may carry a certificate (RFC 8705 section 2.2.2). */

import { hash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import type { Application } from '../../../domain/identity/client/state';
import { PublicKey } from '../../../domain/identity/jwk';
import { decode } from '../../../domain/kernel/codec';
import type { RemoteJson } from '../../../infra/ports/identity/remote-json';
import { createRemoteKeyCache } from './remote-key-cache';

export type ClientKey = TypeOf<typeof PublicKey>;

/** Rejects private members: a key that was sent is compromised, and `k` is symmetric. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const base64 = /^[A-Za-z0-9+/]{80,11000}={0,2}$/;

const certificateThumbprintOf = (key: object): { readonly 'x5t#S256'?: string } => {
  const [first] = 'x5c' in key && Array.isArray(key.x5c) ? (key.x5c as readonly unknown[]) : [];
  if (typeof first !== 'string' || !base64.test(first)) return {};
  return { 'x5t#S256': hash('sha256', Buffer.from(first, 'base64'), 'base64url') };
};

/** Undefined: not a public key of a supported type. */
export const parseClientKey = (key: unknown): ClientKey | undefined => {
  if (typeof key !== 'object' || key === null) return undefined;
  if (privateMembers.some((name) => Object.hasOwn(key, name))) return undefined;
  const decoded = decode(PublicKey, { ...key, ...certificateThumbprintOf(key) });
  return isLeft(decoded) ? undefined : decoded.right;
};

export interface ClientJwksCache {
  /** Undefined: the keys are unavailable. `refetch`: the cached keys did not verify and may have changed. */
  readonly of: (application: Application, refetch?: boolean) => Promise<readonly ClientKey[] | undefined>;
}

const maxKeys = 20;

const FetchedJwks = t.type({ keys: t.array(t.unknown) }, 'JwkSet');

/** Skips keys of unsupported types. */
const parseJwks = (fetched: unknown): readonly ClientKey[] | undefined => {
  const set = decode(FetchedJwks, fetched);
  if (isLeft(set)) return undefined;
  return set.right.keys
    .slice(0, maxKeys)
    .map(parseClientKey)
    .filter((key) => key !== undefined);
};

export const createClientJwksCache = (fetchJson: RemoteJson, now: () => number = Date.now): ClientJwksCache => {
  const cache = createRemoteKeyCache(async (address) => {
    const found = await fetchJson(address);
    return isLeft(found) ? undefined : parseJwks(found.right);
  }, now);
  return {
    of: async ({ jwks, jwksUri }, refetch = false) => {
      if (jwks !== null) return jwks.keys;
      return jwksUri === null ? [] : cache.at(jwksUri, refetch);
    },
  };
};
