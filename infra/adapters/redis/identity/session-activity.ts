/** Sessions in use, by the person they are of: a sorted set each, scored by when each is idle for too long. */
import { type Either, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../../domain/kernel/rejection';
import type { SessionActivity } from '../../../ports/identity/session-activity';
import { openRedis, script } from '../connection';

const toFault = async <A>(work: () => Promise<A>): Promise<Either<Fault<'service-unavailable'>, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('service-unavailable', 'Redis cannot be reached right now.'));
  }
};

/** By Redis' own clock, so that all copies agree. */
const lua = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local idle = tonumber(ARGV[3])
if ARGV[1] == 'use' and not redis.call('ZSCORE', KEYS[1], ARGV[2]) then return 0 end
if ARGV[1] == 'end' then redis.call('ZREM', KEYS[1], ARGV[2]) return 1 end
if ARGV[1] == 'of' then return redis.call('ZRANGE', KEYS[1], 0, -1) end
redis.call('ZADD', KEYS[1], now + idle, ARGV[2])
if redis.call('PTTL', KEYS[1]) < idle then redis.call('PEXPIRE', KEYS[1], idle) end
return 1
`;

export const openRedisSessionActivity = (url: string): SessionActivity => {
  const redis = openRedis(url);
  const run = script(redis, 'liveSessions', lua);
  const keyOf = (person: string): readonly string[] => [`live-sessions:${person}`];
  return {
    begin: (person, session, idle) =>
      toFault(async () => void (await run(keyOf(person), 'begin', session, Math.ceil(idle)))),
    use: (person, session, idle) =>
      toFault(async () => (await run(keyOf(person), 'use', session, Math.ceil(idle))) === 1),
    end: (person, session) => toFault(async () => void (await run(keyOf(person), 'end', session, 0))),
    of: (person) => toFault(async () => (await run(keyOf(person), 'of', '', 0)) as string[]),
    close: async () => redis.disconnect(),
  };
};
