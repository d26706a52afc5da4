/** Leases in Redis: one script each, by the server's clock. The token keeps increasing when the lease expires. */
import { randomUUID } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { LeaseFault, Leases } from '../../ports/processes/leases';
import { openRedis, script } from './connection';

/**
 * KEYS: lease, counter. ARGV: holder, milliseconds. Returns the token, or 0 while another process has the lease. A lost
 * counter restarts at the time in milliseconds, which exceeds every earlier token.
 */
const acquireScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if redis.call('EXISTS', KEYS[2]) == 0 then
  local time = redis.call('TIME')
  redis.call('SET', KEYS[2], string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)))
end
local token = redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1] .. ':' .. token, 'PX', ARGV[2])
return token`;

/** KEYS: lease. ARGV: holder and token, milliseconds. */
const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

/** KEYS: lease. ARGV: holder and token. */
const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

const toFault = async (work: () => Promise<unknown>): Promise<Either<LeaseFault, number>> => {
  try {
    return right(Number(await work()));
  } catch {
    return left(fault('leases-unavailable', 'Redis cannot be reached right now.'));
  }
};

/** In a cluster, both keys of a lease are in one slot. */
const keysOf = (name: string): readonly [string, string] => [`lease:{${name}}`, `lease:{${name}}:token`];

export const openRedisLeaseStore = (url: string): Leases => {
  const redis = openRedis(url);
  const holder = randomUUID();
  const acquire = script(redis, 'acquireLease', acquireScript);
  const renew = script(redis, 'renewLease', renewScript);
  const release = script(redis, 'releaseLease', releaseScript);
  return {
    acquire: async (name, milliseconds) => {
      const token = await toFault(() => acquire(keysOf(name), holder, Math.ceil(milliseconds)));
      if (isLeft(token)) return token;
      return right(token.right === 0 ? undefined : { name, token: token.right });
    },
    renew: async ({ name, token }, milliseconds) => {
      const [lease] = keysOf(name);
      const renewed = await toFault(() => renew([lease], `${holder}:${token}`, Math.ceil(milliseconds)));
      return isLeft(renewed) ? renewed : right(renewed.right === 1);
    },
    release: async ({ name, token }) => {
      const [lease] = keysOf(name);
      const released = await toFault(() => release([lease], `${holder}:${token}`));
      return isLeft(released) ? released : right(undefined);
    },
    close: async () => redis.disconnect(),
  };
};
