/**
 * Lua that replaces a reservation by the actual cost: the rest is refunded, excess is owed. A final settlement is
 * idempotent. KEYS: the reservation. ARGV: `final`, `so-far` or `read`; then the actual cost per limit in decided order
 * (`-` keeps it; a limit that was over was not charged). The limits' keys are read from the reservation and share its
 * slot. Returns 1: settled now, 2: settled before, 0: unknown; for `read` the context, otherwise per limit the change
 * of the charge.
 */

import { findEntry, luaFunctions, packEntry, resetUnlessReadable, saveEntries } from './counter-entries';
import { storeTime } from './decide';

/** For this time a repeated settlement returns `settled-before`, later `unknown`. */
export const settledMilliseconds = 60_000;

/** Computes new numbers and lifetime (µs) of an entry; without a lifetime it stays. */
const adjustEntry = `
if kind <= 2 then
  local full, token, rate, tick = a, b, c, d
  local now, used = floor(clock / tick), 0
  if first then
    used = first
    if second ~= token then used = ceil(used * (token / second)) end
    local last = floor(third / tick)
    now = max(now, last)
    used = max(0, used - (now - last) * rate)
  end
  -- A debt takes longer to drain than the earlier level.
  first, second, third, lifetime = min(max(0, used + delta * token), 2 * full), token, now * tick, 2 * full / rate * tick
elseif kind == 3 then
  if first ~= reserved - reserved % b then return end
  second = max(0, second + delta)
elseif kind == 5 then
  if not first then return end
  local index = floor(floor(reserved / c) / b)
  if index == first then third = max(0, third + delta) end
  if index == first - 1 then second = max(0, second + delta) end
else
  if not first or first ~= b and not (first <= reserved and reserved < third) then return end
  -- Refunds at most the recorded use, because the ledger records the change too.
  delta = max(delta, -second)
  second = second + delta
end
`;

const correctionFunctions = `
-- Usage without an entry of its own: added at the time of the reservation, or removed from the newest entries.
local function addToLog(key, delta, period)
  if delta <= 0 then return end
  redis.call('ZADD', key, string.format('%.0f', reserved), string.format('%.0f', delta) .. ':' .. id)
  redis.call('PEXPIRE', key, floor(period / 1000) + 1000)
end

local function removeFromLog(key, amount)
  for _, entry in ipairs(redis.call('ZREVRANGE', key, 0, -1)) do
    if amount <= 0 then return end
    local cost, by = string.match(entry, '^(%d+):(.*)$')
    cost = tonumber(cost)
    if cost > amount then
      redis.call('ZADD', key, redis.call('ZSCORE', key, entry), (cost - amount) .. ':' .. by)
    end
    redis.call('ZREM', key, entry)
    amount = amount - cost
  end
end

local function correctLog(key, delta, cost, period)
  if cost == 0 then
    removeFromLog(key, -delta)
    return addToLog(key, delta, period)
  end
  local score = redis.call('ZSCORE', key, cost .. ':' .. id)
  if not score then return end
  -- Add before remove: a key without entries would lose its expiry.
  if cost + delta > 0 then redis.call('ZADD', key, score, (cost + delta) .. ':' .. id) end
  redis.call('ZREM', key, cost .. ':' .. id)
end

local function releaseLeases(key, delta, cost)
  for one = cost + delta + 1, cost do redis.call('ZREM', key, one .. ':' .. id) end
end

local function correct(key, limit, delta, cost)
  -- A reservation of an older format, whose counters are no longer read.
  if #limit ~= 50 then return end
  local kind, _, a, b, c, d, e, name = unpackStruct('<BBdddddc8', limit)
  if kind == 4 then return correctLog(key, delta, cost, b) end
  if kind == 7 then return releaseLeases(key, delta, cost) end
  local text = redis.call('GET', key)
  ${resetUnlessReadable}
  ${findEntry}
  local lifetime = max(0, (matters - 1000) * 1000 - clock)
  ${adjustEntry}
  ${packEntry}
  where = where or #text + 1
  text = sub(text, 1, where - 1) .. piece .. sub(text, where + 40)
  local from, to = where, where + 39
  ${saveEntries}
  return delta
end
`;

const settleReservation = `
local stored = redis.call('GET', KEYS[1])
if not stored then return { 0 } end
local reservation = cmsgpack.unpack(stored)
if ARGV[1] == 'read' then return { reservation[4] and 2 or 1, reservation[5] } end
local changes = {}
for at = 1, #reservation[3] do changes[at] = 0 end
if reservation[4] then return { 2, unpack(changes) } end
id, reserved = reservation[1], reservation[2]
for at, one in ipairs(reservation[3]) do
  local came = tonumber(ARGV[at + 1])
  -- Before the final settlement, unused cost stays reserved.
  if came and one[3] and (came > one[3] or came < one[3] and ARGV[1] == 'final') then
    changes[at] = correct(one[1], one[2], came - one[3], one[3]) or came - one[3]
    one[3] = came
  end
end
if ARGV[1] == 'final' then
  reservation[4] = true
  local left = min(redis.call('PTTL', KEYS[1]), ${settledMilliseconds})
  redis.call('SET', KEYS[1], cmsgpack.pack(reservation), 'PX', max(1, left))
else
  redis.call('SET', KEYS[1], cmsgpack.pack(reservation), 'KEEPTTL')
end
return { 1, unpack(changes) }
`;

export const settleScript = (time: string = storeTime): string => `${time}
local id, reserved
${luaFunctions}${correctionFunctions}${settleReservation}`;
