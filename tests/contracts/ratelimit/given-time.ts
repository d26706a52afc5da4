/** The store's scripts on a real server, by a clock that the test moves. */
import Redis from 'ioredis';
import type { RunScript } from '../../../packages/ratelimit/src/asked';
import { callerScript } from '../../../packages/ratelimit/src/caller-script';
import { callerStore } from '../../../packages/ratelimit/src/caller-store';
import { decide } from '../../../packages/ratelimit/src/decide';
import { decideScript } from '../../../packages/ratelimit/src/decide-script';
import { orphanList, orphanScript } from '../../../packages/ratelimit/src/orphan-list';
import { contextOf, settle } from '../../../packages/ratelimit/src/settle';
import { settleScript } from '../../../packages/ratelimit/src/settle-script';
import type { LimitStore } from '../../../packages/ratelimit/src/store';

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
