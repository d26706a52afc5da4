/** Counts the open sockets of each principal in this process, joined or not. */
import { limits } from '../../../domain/editor/limits';
import { type TooManyRequests, tooManyRequests } from '../../../infra/server/http/too-many-requests';
import type { SessionMetrics } from './metrics';

export interface ConnectionCounter {
  readonly most: number;
  readonly of: (principal: string) => number;
  /** Returns the function to call when the socket closes. */
  readonly opened: (principal: string) => () => void;
}

export const createConnectionCounter = (most: number = limits.sockets): ConnectionCounter => {
  const open = new Map<string, number>();
  const of = (principal: string): number => open.get(principal) ?? 0;
  const change = (principal: string, by: number): void => {
    const count = of(principal) + by;
    if (count === 0) open.delete(principal);
    else open.set(principal, count);
  };
  return {
    most,
    of,
    opened: (principal) => {
      change(principal, 1);
      return () => change(principal, -1);
    },
  };
};

/** An estimate: a place is free when a socket closes. */
const retryAfterSeconds = 30;

export const tooManyConnections = (metrics: SessionMetrics, { most }: ConnectionCounter): TooManyRequests => {
  metrics.limited('sockets', 'principal');
  return tooManyRequests(
    { unit: 'concurrent-requests', limit: most, remaining: 0, resetSeconds: retryAfterSeconds, retryAfterSeconds },
    `You have ${most} documents open here; close one of them.`,
  );
};
