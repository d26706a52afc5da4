/** The store's scripts on a real server, each run at a given time; keys do not expire by the server's clock. */
import type Redis from 'ioredis';
import { decideScript } from '../../../../packages/ratelimit/src/redis/scripts/decide';
import { settleScript } from '../../../../packages/ratelimit/src/redis/scripts/settle';
import type { RunScript } from '../../../../packages/ratelimit/src/store/limit-charge';

/** The last argument is the time. */
const givenTime = 'local clock = tonumber(ARGV[#ARGV])';
const [deciding = '', settling = ''] = [decideScript, settleScript].map((script) =>
  script(givenTime).replaceAll('/ 1000) + 1000', '/ 1000) + 600000'),
);

export type RunAt = (clock: bigint) => RunScript;

export const timedScripts = (redis: Redis): { readonly run: RunAt; readonly runSettlement: RunAt } => {
  const at = (name: string, lua: string, called = name): RunAt => {
    redis.defineCommand(name, { lua });
    const commands = redis as unknown as Record<string, (...rest: unknown[]) => Promise<unknown>>;
    return (clock) => async (keys, values) =>
      commands[called]?.call(redis, keys.length, ...keys, ...values, String(clock));
  };
  return { run: at('decideAt', deciding, 'decideAtBuffer'), runSettlement: at('settleAt', settling) };
};
