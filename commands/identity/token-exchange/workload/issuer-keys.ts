/** Keys of the issuers of workloads' credentials: recorded with the issuer, at an address, or found by discovery. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { WorkloadIssuer } from '../../../../domain/identity/workload-trust/events';
import { maxTrustedKeys, type TrustedKey } from '../../../../domain/identity/workload-trust/trusted-key';
import { decode } from '../../../../domain/kernel/codec';
import type { RemoteJson } from '../../../../infra/ports/identity/remote-json';
import { parseClientKey } from '../../clients/client-jwks';
import { createRemoteKeyCache } from '../../clients/remote-key-cache';

export type KeySource = Pick<WorkloadIssuer, 'kind' | 'issuer' | 'keysUri' | 'keys'>;

export interface IssuerKeyCache {
  /** Undefined: the keys are unavailable. `refetch`: the cached keys did not verify and may have changed. */
  readonly of: (issuer: KeySource, refetch?: boolean) => Promise<readonly TrustedKey[] | undefined>;
}

const FetchedKeys = t.type({ keys: t.array(t.unknown) }, 'KeySet');
const Discovery = t.type({ issuer: t.string, jwks_uri: t.string }, 'Discovery');

const base64 = /^[A-Za-z0-9+/]{80,5464}={0,2}$/;

/** Undefined: not a public key of a supported type. */
export const parseTrustedKey = (key: unknown): TrustedKey | undefined => {
  const parsed = parseClientKey(key);
  if (parsed?.use !== 'x509-svid') return parsed;
  const [certificate] = (key as { readonly x5c?: readonly unknown[] }).x5c ?? [];
  return typeof certificate === 'string' && base64.test(certificate) ? { ...parsed, x5c: [certificate] } : undefined;
};

/** Skips keys of unsupported types. */
const parseKeys = (fetched: unknown): readonly TrustedKey[] | undefined => {
  const set = decode(FetchedKeys, fetched);
  if (isLeft(set)) return undefined;
  return set.right.keys
    .slice(0, maxTrustedKeys)
    .map(parseTrustedKey)
    .filter((key) => key !== undefined);
};

const fetchKeysAt = async (fetchJson: RemoteJson, address: string): Promise<readonly TrustedKey[] | undefined> => {
  const found = await fetchJson(address);
  return isLeft(found) ? undefined : parseKeys(found.right);
};

/** OpenID Connect Discovery section 4: the document names the issuer that it was requested from. */
const discoverKeys = async (fetchJson: RemoteJson, issuer: string): Promise<readonly TrustedKey[] | undefined> => {
  const found = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (isLeft(found)) return undefined;
  const document = decode(Discovery, found.right);
  if (isLeft(document) || document.right.issuer !== issuer) return undefined;
  return fetchKeysAt(fetchJson, document.right.jwks_uri);
};

export const createIssuerKeyCache = (fetchJson: RemoteJson, now: () => number = Date.now): IssuerKeyCache => {
  const byAddress = createRemoteKeyCache((address) => fetchKeysAt(fetchJson, address), now);
  const byDiscovery = createRemoteKeyCache((issuer) => discoverKeys(fetchJson, issuer), now);
  return {
    of: async ({ issuer, keysUri, keys }, refetch = false) => {
      if (keys !== null) return keys.keys;
      return keysUri === null ? byDiscovery.at(issuer, refetch) : byAddress.at(keysUri, refetch);
    },
  };
};
