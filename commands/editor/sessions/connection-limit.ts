/** Counts the open sockets of each principal in this process, joined or not. */
import { limits } from '../../../domain/editor/limits';
import { type Problem, problemOf } from '../../../infra/http/problem';
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

const problems = { 'too-many-sockets': { status: 429, title: 'The caller has too many sockets open' } } as const;

export const tooManyConnections = (metrics: SessionMetrics, { most }: ConnectionCounter): Problem => {
  metrics.limited('sockets', 'principal');
  const detail = `You have ${most} documents open here; close one of them.`;
  const refusal = problemOf<'too-many-sockets'>({ kind: 'rejection', code: 'too-many-sockets', detail }, problems);
  return { ...refusal, headers: { 'Retry-After': '30' } };
};
