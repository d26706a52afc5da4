/** Writes a change feed without a view: rows, heartbeats and the last position. */
import { type Either, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../../domain/kernel/rejection';
import type { ChangeFeedWriter } from '../../../ports/views/change-feed';
import { openRedis, script } from '../connection';
import { feedKey } from './keys';

/** KEYS: feed, last position. ARGV: retention in milliseconds, position (empty: unchanged), then rows. Applied as one step. */
const appendScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for at = 3, #ARGV do redis.call('XADD', KEYS[1], '*', 'row', ARGV[at]) end
if ARGV[2] ~= '' then
  redis.call('SET', KEYS[2], ARGV[2])
  redis.call('XADD', KEYS[1], '*', 'beat', '"' .. ARGV[2] .. '"')
end
redis.call('XTRIM', KEYS[1], 'MINID', '~', now - ARGV[1])
return 'done'`;

const maxRows = 1_000;

const attempt = async <A>(work: () => Promise<A>): Promise<Either<Fault, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('service-unavailable', 'Redis cannot be reached right now.'));
  }
};

export const openRedisChangeFeedWriter = (
  url: string,
  name: string,
  retentionMilliseconds: number,
): ChangeFeedWriter => {
  const redis = openRedis(url);
  const run = script(redis, 'septetTell', appendScript);
  const keys = [feedKey(name), `septet:{${name}}:told`];
  return {
    lastPosition: () => attempt(async () => (await redis.get(keys[1] as string)) ?? undefined),
    append: (rows, position) =>
      attempt(async () => {
        const texts = rows.map((row) => JSON.stringify(row));
        for (let at = 0; at + maxRows < texts.length; at += maxRows)
          await run(keys, retentionMilliseconds, '', ...texts.slice(at, at + maxRows));
        const rest = texts.length === 0 ? 0 : Math.floor((texts.length - 1) / maxRows) * maxRows;
        await run(keys, retentionMilliseconds, position ?? '', ...texts.slice(rest));
      }),
    close: async () => redis.disconnect(),
  };
};
