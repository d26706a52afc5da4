/** Lifetime of a stream: until the token expires or is revoked. On a WebSocket the client can renew it with a fresh token. */

import type { Clock } from '../../../ports/runtime/clock';
import type { Identity } from '../routing/route';
import type { RevocationWatch } from './revocation-watch';
import { type StreamEnd, streamEnds } from './stream-end';

export interface Session {
  readonly identity: () => Identity;
  /** Milliseconds since 1970. */
  readonly expiresAt: () => number;
  /** Aborted with a `StreamEnd` as its reason. */
  readonly ended: AbortSignal;
  /** Takes a newer token of the same principal; false when it is another's. */
  readonly renew: (identity: Identity) => boolean;
  readonly close: () => void;
}

export interface SessionOptions {
  readonly clock: Clock;
  readonly rights: RevocationWatch;
  /** Maximum duration on a transport without renewal; the client then reconnects with a fresh token. */
  readonly longestMilliseconds?: number;
}

/** For tokens without an expiry. */
const defaultMilliseconds = 15 * 60_000;

export const openSession = (options: SessionOptions, identity: Identity): Session => {
  const { clock, rights, longestMilliseconds = Number.POSITIVE_INFINITY } = options;
  const now = (): number => Date.parse(clock.now());
  const ending = new AbortController();
  const end = (why: StreamEnd) => (): void => ending.abort(why);
  const expiryOf = ({ expiresAt }: Identity): number => expiresAt ?? now() + defaultMilliseconds;
  let current = identity;
  let expiresAt = expiryOf(identity);
  const restOf = (): number => Math.max(0, expiresAt - now());
  const begin = (): (() => void) => {
    const leave = rights.watch(current, end(streamEnds.revoked));
    const [rest, why] =
      restOf() > longestMilliseconds ? [longestMilliseconds, streamEnds.rotated] : [restOf(), streamEnds.expired];
    const timer = setTimeout(end(why), rest);
    return () => {
      clearTimeout(timer);
      leave();
    };
  };
  let stop = begin();
  return {
    identity: () => current,
    expiresAt: () => expiresAt,
    ended: ending.signal,
    renew: (next) => {
      if (next.tenantId !== current.tenantId || next.principalId !== current.principalId) return false;
      stop();
      current = next;
      expiresAt = expiryOf(next);
      stop = begin();
      return true;
    },
    close: () => stop(),
  };
};
