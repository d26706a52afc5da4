/** Public signing keys, kept locally: fetched at start and now and then, and when a token names one that is not known. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, record, text } from '../../domain/kernel/codec';
import type { Log } from '../ports/log';

const coordinate = text('coordinate', { maxLength: 43, pattern: '[A-Za-z0-9_-]{43}' });
const Jwk = record('Jwk', {
  kty: t.literal('EC'),
  crv: t.literal('P-256'),
  x: coordinate,
  y: coordinate,
  kid: text('kid', { maxLength: 256 }),
  alg: t.literal('ES256'),
  use: t.literal('sig'),
});
const Jwks = record('Jwks', { keys: t.array(t.unknown) });

export interface Keyring {
  /** Undefined: there is no such key, as far as can be known now. */
  readonly find: (kid: string) => Promise<KeyObject | undefined>;
  readonly has: (kid: string) => boolean;
  /** Keys were fetched at least once. */
  readonly loaded: () => boolean;
  readonly refresh: () => Promise<void>;
}

export interface KeyringOptions {
  /** The JWKS document. */
  readonly fetch: () => Promise<Either<string, unknown>>;
  readonly log: Log;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** Tokens with invented key ids must not turn into a request each. */
const pauseMilliseconds = 5_000;

type Keys = ReadonlyMap<string, KeyObject>;

const keysOf = (document: unknown): Keys | undefined => {
  const jwks = decode(Jwks, document);
  if (isLeft(jwks)) return undefined;
  const keys = new Map<string, KeyObject>();
  for (const item of jwks.right.keys) {
    const jwk = decode(Jwk, item);
    // Keys of other kinds are for others.
    if (isLeft(jwk)) continue;
    try {
      keys.set(jwk.right.kid, createPublicKey({ key: jwk.right, format: 'jwk' }));
    } catch {
      // A point that is not on the curve verifies nothing.
    }
  }
  return keys;
};

const ask = async ({ fetch, log }: KeyringOptions): Promise<Keys | undefined> => {
  const answer = await fetch();
  const found = isLeft(answer) ? undefined : keysOf(answer.right);
  if (found === undefined)
    log.warn({ reason: isLeft(answer) ? answer.left : 'not a JWKS' }, 'signing keys could not be fetched');
  return found;
};

export const keyring = (options: KeyringOptions): Keyring => {
  let keys: Keys | undefined;
  let lastAsked = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  const refreshOnce = async (): Promise<void> => {
    lastAsked = options.now();
    keys = (await ask(options)) ?? keys;
  };
  const refresh = (): Promise<void> => {
    asking ??= refreshOnce().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const mayAsk = (): boolean =>
    asking !== undefined || keys === undefined || options.now() - lastAsked >= pauseMilliseconds;
  return {
    find: async (kid) => {
      if (keys?.has(kid) !== true && mayAsk()) await refresh();
      return keys?.get(kid);
    },
    has: (kid) => keys?.has(kid) === true,
    loaded: () => keys !== undefined,
    refresh,
  };
};
