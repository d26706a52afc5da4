/**
 * Blocks or resets the limits of one caller, in one script and by the store's clock. KEYS: the caller; then the limits'
 * own keys. ARGV: block time (µs) or `reset`; the compiled limits, concatenated. Returns per limit the used amount of
 * its quota; -1 for other limits and unknown counts.
 */

import { blockName, findEntry, luaFunctions, packEntry, resetUnlessReadable, saveEntries } from './counter-entries';
import { storeTime } from './decide';

/** A new block replaces the old one, even if it ends sooner. */
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

/** Resets a quota's count to 0 instead of deleting it: a missing count would be fetched from the ledger. */
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
