/** In-memory twins of the Redis stores of sign-ins, for a single process. Bounded: strangers choose the names. */
import { right } from 'fp-ts/Either';
import type { AttemptKey, AttemptLimiter } from '../../../ports/identity/attempt-limiter';
import type { SessionActivity } from '../../../ports/identity/session-activity';
import { type LimitStatus, tightestLimit } from './tightest-limit';

const most = 100_000;

/** Evicts the entry that was set longest ago. */
const bounded = <Value>(entries: Map<string, Value>, name: string, value: Value): void => {
  entries.delete(name);
  const oldest = entries.size >= most ? entries.keys().next().value : undefined;
  if (oldest !== undefined) entries.delete(oldest);
  entries.set(name, value);
};

const limitStatus = (one: AttemptKey, times: readonly number[], now: number): LimitStatus => {
  const until = (at = now - one.milliseconds): number => Math.ceil((at + one.milliseconds - now) / 1_000);
  const first = times[times.length - one.most];
  return {
    limit: one.most,
    remaining: Math.max(0, one.most - times.length),
    resetSeconds: until(times.at(-1)),
    retryAfterSeconds: first === undefined ? 0 : Math.max(1, until(first)),
  };
};

export const createMemoryAttemptLimiter = (now: () => number = Date.now): AttemptLimiter => {
  const taken = new Map<string, readonly number[]>();
  const recent = ({ name, milliseconds }: AttemptKey): readonly number[] =>
    (taken.get(name) ?? []).filter((at) => at > now() - milliseconds);
  const statusOf = (tries: readonly AttemptKey[]): LimitStatus =>
    tightestLimit(tries.map((one) => limitStatus(one, recent(one), now())));
  return {
    take: async (tries) => {
      const before = statusOf(tries);
      if (before.retryAfterSeconds > 0) return right({ ...before, refund: async () => undefined });
      const at = now();
      for (const one of tries) bounded(taken, one.name, [...recent(one), at]);
      let isBack = false;
      const refund = async (): Promise<void> => {
        if (isBack) return;
        isBack = true;
        for (const { name } of tries) {
          const times = taken.get(name) ?? [];
          const index = times.lastIndexOf(at);
          if (index >= 0) taken.set(name, times.toSpliced(index, 1));
        }
      };
      return right({ ...statusOf(tries), retryAfterSeconds: 0, refund });
    },
    close: async () => undefined,
  };
};

export const createMemorySessionActivity = (now: () => number = Date.now): SessionActivity => {
  const people = new Map<string, ReadonlyMap<string, number>>();
  const living = (person: string): Map<string, number> =>
    new Map([...(people.get(person) ?? [])].filter(([, until]) => until > now()));
  const begin: SessionActivity['begin'] = async (person, session, idle) =>
    right(bounded(people, person, living(person).set(session, now() + idle)));
  return {
    begin,
    use: async (person, session, idle) => {
      if (!living(person).has(session)) return right(false);
      await begin(person, session, idle);
      return right(true);
    },
    end: async (person, session) => {
      const left = living(person);
      left.delete(session);
      return right(bounded(people, person, left));
    },
    of: async (person) => right([...living(person).keys()]),
    close: async () => undefined,
  };
};
