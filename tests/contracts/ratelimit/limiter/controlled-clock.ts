/** The store's scripts on a real server, by a clock that the test moves. */
import Redis from 'ioredis';
import { createRequestBatcher } from '../../../../packages/ratelimit/src/redis/request-batcher';
import { callerScript } from '../../../../packages/ratelimit/src/redis/scripts/block-and-reset';
import { decideScript } from '../../../../packages/ratelimit/src/redis/scripts/decide';
import { settleScript } from '../../../../packages/ratelimit/src/redis/scripts/settle';
import { createOrphanQueue, orphanScript } from '../../../../packages/ratelimit/src/reservations/orphan-queue';
import { createCallerStore } from '../../../../packages/ratelimit/src/store/caller-store';
import type { RunScript } from '../../../../packages/ratelimit/src/store/limit-charge';
import type { LimitStore } from '../../../../packages/ratelimit/src/store/limit-store';
import { createContextCall, createSettleCall } from '../../../../packages/ratelimit/src/store/limit-store';

/** The last argument is the time, and what is kept stays, whatever time it is here. */
const scripts = [decideScript, settleScript, orphanScript, callerScript].map((script) =>
  script('local clock = tonumber(ARGV[#ARGV])').replaceAll('/ 1000) + 1000', '/ 1000) + 600000'),
);

export interface ControlledClock {
  readonly store: LimitStore;
  /** In microseconds. */
  readonly now: () => number;
  readonly advance: (microseconds: number) => void;
}

/** Each test has lists of its own: what is due is due in all of them. */
export const openControlledClock = (url: string, own: string): ControlledClock => {
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
      decide: createRequestBatcher(deciding),
      settle: createSettleCall(settling),
      context: createContextCall(settling),
      callers: createCallerStore(byHand),
      orphans: createOrphanQueue(ownList),
      close: async () => redis.disconnect(),
    },
    now: () => clock,
    advance: (microseconds) => {
      clock += microseconds;
    },
  };
};
