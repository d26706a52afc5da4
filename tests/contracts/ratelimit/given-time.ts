/** The store's scripts on a real server, by a clock that the test moves. */
import Redis from 'ioredis';
import type { RunScript } from '../../../infra/ratelimit/asked';
import { callerScript } from '../../../infra/ratelimit/caller-script';
import { callerStore } from '../../../infra/ratelimit/caller-store';
import { decide } from '../../../infra/ratelimit/decide';
import { decideScript } from '../../../infra/ratelimit/decide-script';
import { orphanList, orphanScript } from '../../../infra/ratelimit/orphan-list';
import { contextOf, settle } from '../../../infra/ratelimit/settle';
import { settleScript } from '../../../infra/ratelimit/settle-script';
import type { LimitStore } from '../../../infra/ratelimit/store';

/** The last argument is the time, and what is kept stays, whatever time it is here. */
const scripts = [decideScript, settleScript, orphanScript, callerScript].map((script) =>
  script('local clock = tonumber(ARGV[#ARGV])').replaceAll('/ 1000) + 1000', '/ 1000) + 600000'),
);

export interface GivenTime {
  readonly store: LimitStore;
  /** In microseconds. */
  readonly now: () => number;
  readonly advance: (microseconds: number) => void;
}

/** Each test has lists of its own: what is due is due in all of them. */
export const openGivenTime = (url: string, own: string): GivenTime => {
  const redis = new Redis(url);
  let clock = 1_800_000_000_000_000;
  const names = ['decideGiven', 'settleGiven', 'orphansGiven', 'callersGiven'] as const;
  const [deciding, settling, listing, byHand] = names.map((name, index): RunScript => {
    redis.defineCommand(name, { lua: scripts[index] ?? '' });
    const commands = redis as unknown as Record<string, (...rest: unknown[]) => Promise<unknown>>;
    const called = index === 0 ? `${name}Buffer` : name;
    return async (keys, values) => commands[called]?.call(redis, keys.length, ...keys, ...values, String(clock));
  }) as [RunScript, RunScript, RunScript, RunScript];
  const ownList: RunScript = (keys, values) =>
    listing(
      keys.map((key) => `${key}:${own}`),
      values,
    );
  return {
    store: {
      decide: decide(deciding),
      settle: settle(settling),
      context: contextOf(settling),
      callers: callerStore(byHand),
      orphans: orphanList(ownList),
      close: async () => redis.disconnect(),
    },
    now: () => clock,
    advance: (microseconds) => {
      clock += microseconds;
    },
  };
};
