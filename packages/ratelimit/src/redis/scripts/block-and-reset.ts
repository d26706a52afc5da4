/**
 * What is done to limits of one caller by hand: they are blocked for a time, or are as if they had never been used. One script, so that
 * no decision comes in between, by the store's clock.
 *
 * KEYS: the caller's; then those of its limits that lie apart. ARGV: for how long they are blocked (µs), or `reset`; the limits as they
 * are compiled, end to end.
 * Answers, for each limit, what was used of its quota; -1 where it is none, or that is not known.
 */

import { blockName, findEntry, luaFunctions, packEntry, resetUnlessReadable, saveEntries } from './counter-entries';
import { storeTime } from './decide';

/** A block is the latest word, also when it ends sooner than the one before. */
const block = `
local from, to, latest = #text + 1, 0, 0
for at = 1, #limits, 50 do
  local name = sub(limits, at + 42, at + 49)
  name = ${blockName}
  ${findEntry}
  local lifetime = microseconds
  first, second, third = clock + microseconds, 0, 0
  ${packEntry}
  where = where or #text + 1
  text = sub(text, 1, where - 1) .. piece .. sub(text, where + 40)
  from, to, latest = min(from, where), max(to, where + 39), max(latest, matters)
  used[#used + 1] = -1
end
local matters = latest
${saveEntries}
`;

/** The count of a quota stays there as nothing used: were it gone, it would be asked for elsewhere. */
const reset = `
for at = 1, #limits, 50 do
  local kind, _, a, b, c, d, e, name = unpackStruct('<BBdddddc8', limits, at)
  local count = -1
  ${findEntry}
  if where and kind == 6 then
    if first >= b or clock < third then count = second end
    text = sub(text, 1, where + 23) .. packStruct('<d', 0) .. sub(text, where + 32)
  elseif where then
    text = sub(text, 1, where - 1) .. sub(text, where + 40)
  end
  used[#used + 1] = count
  name = ${blockName}
  ${findEntry}
  if where then text = sub(text, 1, where - 1) .. sub(text, where + 40) end
end
if #text == 8 then redis.call('DEL', key) else redis.call('SET', key, text, 'KEEPTTL') end
if #KEYS > 1 then redis.call('DEL', unpack(KEYS, 2)) end
`;

export const callerScript = (time: string = storeTime): string => `${time}${luaFunctions}
local key, limits, microseconds, used = KEYS[1], ARGV[2], tonumber(ARGV[1]), {}
local text = redis.call('GET', key)
${resetUnlessReadable}
if microseconds then
${block}
else
${reset}
end
return used
`;
