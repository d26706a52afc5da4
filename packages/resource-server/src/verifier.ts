/** A verifier that keeps its own keys and revocations fresh until it is closed. */
import type { IncomingMessage } from 'node:http';
import { createHeaderCache, createVerifiedTokenCache } from './access-token/verify-token';
import { createProofKeyCache } from './dpop/proof';
import { memoryReplayCache } from './dpop/replay-cache';
import type { DpopOptions } from './dpop/verify-proof';
import { fetchJson, isSecureUrl } from './fetch-json';
import { createJwksCache } from './jose/jwks-cache';
import type { VerifierOptions } from './options';
import { createResourceMetadata, type ResourceMetadata, withResourceMetadata } from './resource-metadata';
import { openRevocationFeed } from './revocation/revocation-feed';
import type { AccessError } from './verification/access-error';
import { type AccessCheckRules, checkAccess, type VerifiedAccess } from './verification/check-access';
import { type Either, isLeft, left } from './verification/either';

export interface Verifier {
  /** Runs all eight checks. Left: the error to send. `sensitive`: see `RequiredAccess`. */
  readonly authorize: (
    request: IncomingMessage,
    scopes?: readonly string[],
    sensitive?: boolean,
  ) => Promise<Either<AccessError, VerifiedAccess>>;
  /** Served at its path; undefined without the option `metadata`. */
  readonly metadata: ResourceMetadata | undefined;
  /** Next DPoP nonce; undefined without nonces. */
  readonly nonce: () => string | undefined;
  /** Resolves when keys and revocations are loaded, or after a timeout; until then requests are refused. */
  readonly ready: () => Promise<void>;
  /** Staleness of revocations for health and metrics; infinite before the first. */
  readonly stalenessMilliseconds: () => number;
  readonly close: () => void;
}

const keyRefreshMilliseconds = 60_000;
const maxStartupWaitMilliseconds = 5_000;

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Express removes a router's mount path from `url`. */
export const pathOf = (request: IncomingMessage & { readonly originalUrl?: string }): string =>
  request.originalUrl ?? request.url ?? '';

const dpopOptionsOf = ({ replay = memoryReplayCache(), nonces }: VerifierOptions): DpopOptions => ({
  replay,
  nonces,
  keys: createProofKeyCache(),
});

const checkOptions = (options: VerifierOptions): VerifierOptions => {
  const { issuer, origin, jwksUri = issuer } = options;
  for (const url of [issuer, jwksUri])
    if (!isSecureUrl(url)) throw new TypeError('The issuer must be reached by https, or on this machine.');
  if (new URL(origin).origin !== origin)
    throw new TypeError('The origin must be a scheme and a host, and nothing more.');
  return options;
};

const createKeyCache = ({ issuer, jwksUri = `${issuer}/oauth/jwks`, fetch: using = fetch, log }: VerifierOptions) =>
  createJwksCache({
    fetch: () => fetchJson(jwksUri, using),
    log: { warn: (fields, message) => log?.(message, fields) },
    now: () => performance.now(),
  });

/** The challenge leads clients to the metadata. */
const challengeWith = (refused: AccessError, { url }: ResourceMetadata): AccessError => {
  const { 'WWW-Authenticate': challenge } = refused.headers;
  if (challenge === undefined) return refused;
  return { ...refused, headers: { ...refused.headers, 'WWW-Authenticate': withResourceMetadata(challenge, url) } };
};

/** Throws on unsafe options. */
export const createVerifier = (verifierOptions: VerifierOptions): Verifier => {
  const options = checkOptions(verifierOptions);
  const { issuer, audience, origin, policy, certificateOf, nonces } = options;
  const keys = createKeyCache(options);
  const [feed, proofs] = [openRevocationFeed(options, keys), dpopOptionsOf(options)];
  const { revocations } = feed;
  const metadata = createResourceMetadata(options);
  const tokens = { keys, verifiedTokens: createVerifiedTokenCache(), headers: createHeaderCache() };
  const checks: AccessCheckRules = { ...tokens, revocations, proofs, issuer, audience, policy, now: Date.now };
  const timer = setInterval(() => void keys.refresh(), keyRefreshMilliseconds).unref();
  const credentialsOf = (request: IncomingMessage) => ({
    authorization: request.headers.authorization,
    proof: single(request.headers.dpop),
    certificate: certificateOf?.(request),
    method: request.method ?? '',
    url: `${origin}${pathOf(request)}`,
  });
  return {
    authorize: async (request, scopes = [], sensitive = false) => {
      const access = await checkAccess(checks, { credentials: credentialsOf(request), required: scopes, sensitive });
      return isLeft(access) && metadata !== undefined ? left(challengeWith(access.left, metadata)) : access;
    },
    metadata,
    nonce: () => nonces?.current(Date.now()),
    ready: async () => void (await Promise.all([keys.refresh(), feed.first(maxStartupWaitMilliseconds)])),
    stalenessMilliseconds: () => revocations.stalenessMilliseconds(),
    close: () => {
      clearInterval(timer);
      feed.close();
    },
  };
};
