/** How long somebody may follow: as long as the token holds, shown anew in between where the transport lets it. */

import type { Clock } from '../ports/clock';
import { ends, type StreamEnd } from './ends';
import type { Identity } from './route';
import type { Rights } from './stream-rights';

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
  readonly rights: Rights;
  /** Where nothing can be shown in between, the client is sent away now and then to come back with a fresh token. */
  readonly longestMilliseconds?: number;
}

/** For tokens that do not say when they end. */
const usualMilliseconds = 15 * 60_000;

export const openSession = (options: SessionOptions, identity: Identity): Session => {
  const { clock, rights, longestMilliseconds = Number.POSITIVE_INFINITY } = options;
  const now = (): number => Date.parse(clock.now());
  const ending = new AbortController();
  const end = (why: StreamEnd) => (): void => ending.abort(why);
  const expiryOf = ({ expiresAt }: Identity): number => expiresAt ?? now() + usualMilliseconds;
  let current = identity;
  let expiresAt = expiryOf(identity);
  const restOf = (): number => Math.max(0, expiresAt - now());
  const begin = (): (() => void) => {
    const leave = rights.watch(current, end(ends.revoked));
    const [rest, why] = restOf() > longestMilliseconds ? [longestMilliseconds, ends.rotated] : [restOf(), ends.expired];
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
