/** A verifier of its own keys and revocations, both kept fresh as long as it is open. */
import type { IncomingMessage } from 'node:http';
import { openFeed } from './feed';
import { fetchJson, isSafe } from './fetched';
import type { VerifierOptions } from './options';
import { type Access, authorize, type Checks } from './verification/authorize';
import type { ProofRules } from './verification/dpop';
import { keptProofKeys } from './verification/dpop-header';
import type { Either } from './verification/either';
import { keptTokens } from './verification/kept-tokens';
import { keyring } from './verification/keyring';
import type { Refusal } from './verification/refusal';
import { memoryReplay } from './verification/replay';
import { knownHeaders } from './verification/token-header';

export interface Verifier {
  /** All eight checks. Left: what to answer. `sensitive`: see `Needed`. */
  readonly authorize: (
    request: IncomingMessage,
    scopes?: readonly string[],
    sensitive?: boolean,
  ) => Promise<Either<Refusal, Access>>;
  /** For the proof after this one; undefined where none are asked for. */
  readonly nonce: () => string | undefined;
  /** Resolves when keys and revocations are known, or could not be had yet: then requests are refused until they are. */
  readonly ready: () => Promise<void>;
  /** How long revocations have not been heard of, for health and figures; infinite until they have been. */
  readonly stalenessMilliseconds: () => number;
  readonly close: () => void;
}

const keysEveryMilliseconds = 60_000;
const firstAnswersMilliseconds = 5_000;

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Express takes the path that a router is mounted at from `url`. */
const pathOf = (request: IncomingMessage & { readonly originalUrl?: string }): string =>
  request.originalUrl ?? request.url ?? '';

const proofsOf = ({ replay = memoryReplay(), nonces }: VerifierOptions): ProofRules => ({
  replay,
  nonces,
  keys: keptProofKeys(),
});

const checked = (options: VerifierOptions): VerifierOptions => {
  const { issuer, origin, jwksUri = issuer } = options;
  for (const url of [issuer, jwksUri])
    if (!isSafe(url)) throw new TypeError('The issuer must be reached by https, or on this machine.');
  if (new URL(origin).origin !== origin)
    throw new TypeError('The origin must be a scheme and a host, and nothing more.');
  return options;
};

const keysOf = ({ issuer, jwksUri = `${issuer}/oauth/jwks`, fetch: using = fetch, log }: VerifierOptions) =>
  keyring({
    fetch: () => fetchJson(jwksUri, using),
    log: { warn: (fields, message) => log?.(message, fields) },
    now: () => performance.now(),
  });

/** Throws on options that could not be safe. */
export const createVerifier = (given: VerifierOptions): Verifier => {
  const options = checked(given);
  const { issuer, audience, origin, policy, certificateOf, nonces } = options;
  const keys = keysOf(options);
  const [feed, proofs] = [openFeed(options, keys), proofsOf(options)];
  const { revocations } = feed;
  const tokens = { keys, kept: keptTokens(), headers: knownHeaders() };
  const checks: Checks = { ...tokens, revocations, proofs, issuer, audience, policy, now: Date.now };
  const timer = setInterval(() => void keys.refresh(), keysEveryMilliseconds).unref();
  const credentialsOf = (request: IncomingMessage) => ({
    authorization: request.headers.authorization,
    proof: single(request.headers.dpop),
    certificate: certificateOf?.(request),
    method: request.method ?? '',
    url: `${origin}${pathOf(request)}`,
  });
  return {
    authorize: (request, scopes = [], sensitive = false) =>
      authorize(checks, { credentials: credentialsOf(request), required: scopes, sensitive }),
    nonce: () => nonces?.current(Date.now()),
    ready: async () => void (await Promise.all([keys.refresh(), feed.first(firstAnswersMilliseconds)])),
    stalenessMilliseconds: () => revocations.stalenessMilliseconds(),
    close: () => {
      clearInterval(timer);
      feed.close();
    },
  };
};
