/** Positions of gateways in one hash in Redis, each with the server's time of its report. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { GatewayPositions } from '../../../ports/identity/gateway-positions';
import { openRedis, script } from '../connection';

const key = 'septet:gateway-positions';

/** KEYS: hash. ARGV: gateway, position. */
const reportScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. ':' .. ARGV[2])
return 'done'`;

/** KEYS: hash. ARGV: milliseconds. Returns gateway, age and position of each, and removes older ones. */
const listScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local entries = redis.call('HGETALL', KEYS[1])
local found = {}
for at = 1, #entries, 2 do
  local reported, position = string.match(entries[at + 1], '^(%d+):(%d+)$')
  local age = now - tonumber(reported or 0)
  if age > tonumber(ARGV[1]) then redis.call('HDEL', KEYS[1], entries[at])
  else
    found[#found + 1] = entries[at]
    found[#found + 1] = string.format('%.0f', math.max(age, 0))
    found[#found + 1] = position
  end
end
return found`;

const away = () => left(fault('service-unavailable', 'Redis cannot be reached right now.'));

export const openRedisGatewayPositions = (url: string): GatewayPositions => {
  const redis = openRedis(url);
  const report = script(redis, 'reportGatewayPosition', reportScript);
  const list = script(redis, 'listGatewayPositions', listScript);
  return {
    report: async (gatewayId, sequence) => {
      try {
        await report([key], gatewayId, String(sequence));
        return right(undefined);
      } catch {
        return away();
      }
    },
    reportedWithin: async (milliseconds) => {
      try {
        const found = (await list([key], Math.ceil(milliseconds))) as readonly string[];
        const starts = found.flatMap((_, at) => (at % 3 === 0 ? [at] : []));
        return right(
          starts.map((at) => ({
            gatewayId: String(found[at]),
            ageMilliseconds: Number(found[at + 1]),
            sequence: BigInt(String(found[at + 2])),
          })),
        );
      } catch {
        return away();
      }
    },
    close: async () => redis.disconnect(),
  };
};
