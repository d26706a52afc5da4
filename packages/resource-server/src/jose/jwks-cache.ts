/** JWKS cache: refreshed at start, periodically, and for unknown key ids, with a cooldown. */
import { type Either, isLeft } from '../verification/either';
import { isJsonObject, type JsonObject } from './encoding';
import { type PublicKey, parsePublicJwk } from './public-jwk';

export interface JwksCache {
  /** From the cache only. */
  readonly known: (kid: string) => PublicKey | undefined;
  /** Undefined: unknown key, also after a refetch. */
  readonly find: (kid: string) => Promise<PublicKey | undefined>;
  /** True after the first successful fetch. */
  readonly loaded: () => boolean;
  readonly refresh: () => Promise<void>;
}

export interface RevocableJwksCache extends JwksCache {
  /** Removes a revoked key and shortens the cooldown, because its successor signs at once. */
  readonly revoked: (kid: string) => void;
}

export interface JwksCacheOptions {
  /** The JWKS document. */
  readonly fetch: () => Promise<Either<string, unknown>>;
  readonly log: { readonly warn: (fields: { readonly [field: string]: unknown }, message: string) => void };
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** How long fetches must go on failing before that is logged: where the issuer starts at the same time. Default: 0. */
  readonly graceMilliseconds?: number;
}

type Keys = ReadonlyMap<string, PublicKey>;

/** Bounds refetches that invented key ids cause. */
const refetchCooldownMilliseconds = 5_000;
/** Cooldown after a revocation, until the issuer publishes the successor. */
const shortCooldownMilliseconds = 250;
const shortCooldownPeriodMilliseconds = 10_000;
const maxKeys = 128;

const isFor = (stated: unknown, meant: string): boolean => stated === undefined || stated === meant;

/** Skips keys of other types. */
const parseSigningKey = (jwk: JsonObject): PublicKey | undefined => {
  const key = isFor(jwk.use, 'sig') ? parsePublicJwk(jwk) : undefined;
  return key !== undefined && isFor(jwk.alg, key.algorithm) ? key : undefined;
};

const parseKeys = (document: unknown): Keys | undefined => {
  if (!isJsonObject(document) || !Array.isArray(document.keys)) return undefined;
  const keys = new Map<string, PublicKey>();
  for (const jwk of document.keys.slice(0, maxKeys) as readonly unknown[]) {
    if (!isJsonObject(jwk) || typeof jwk.kid !== 'string' || jwk.kid.length > 256) continue;
    const key = parseSigningKey(jwk);
    if (key !== undefined && !keys.has(jwk.kid)) keys.set(jwk.kid, key);
  }
  return keys;
};

/** While fetches go on failing. */
const warningMilliseconds = 60_000;

const createFetchKeys = ({ fetch, log, now, graceMilliseconds = 0 }: JwksCacheOptions) => {
  let warnedAt = Number.NEGATIVE_INFINITY;
  let failingSince: number | undefined;
  return async (): Promise<Keys | undefined> => {
    const answer = await fetch();
    const found = isLeft(answer) ? undefined : parseKeys(answer.right);
    if (found !== undefined) {
      failingSince = undefined;
      return found;
    }
    failingSince ??= now();
    if (now() - failingSince < graceMilliseconds || now() - warnedAt < warningMilliseconds) return undefined;
    warnedAt = now();
    log.warn({ reason: isLeft(answer) ? answer.left : 'not a JWKS' }, 'signing keys could not be fetched');
    return undefined;
  };
};

export const createJwksCache = (options: JwksCacheOptions): RevocableJwksCache => {
  const fetchKeys = createFetchKeys(options);
  let keys: Keys | undefined;
  let lastFetchedAt = Number.NEGATIVE_INFINITY;
  let hurriedUntil = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  const refreshOnce = async (): Promise<void> => {
    lastFetchedAt = options.now();
    keys = (await fetchKeys()) ?? keys;
  };
  const refresh = (): Promise<void> => {
    asking ??= refreshOnce().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const mayFetch = (): boolean => {
    const pause = options.now() < hurriedUntil ? shortCooldownMilliseconds : refetchCooldownMilliseconds;
    return asking !== undefined || keys === undefined || options.now() - lastFetchedAt >= pause;
  };
  return {
    known: (kid) => keys?.get(kid),
    find: async (kid) => {
      if (keys?.has(kid) !== true && mayFetch()) await refresh();
      return keys?.get(kid);
    },
    loaded: () => keys !== undefined,
    refresh,
    // Ignores unknown keys: a starting process receives all past revocations.
    revoked: (kid) => {
      if (keys?.has(kid) !== true) return;
      hurriedUntil = options.now() + shortCooldownPeriodMilliseconds;
      if (mayFetch()) void refresh();
    },
  };
};
