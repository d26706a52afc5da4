/**
 * Lua that decides several requests in one round trip: per request all limits are checked, then all or none are
 * charged. Requests of a batch are decided in order. Time is the store's and never goes backward per key. KEYS, each
 * once: callers; limits' own keys; one per reservation. ARGV: the compiled limits, each once, concatenated; the packed
 * requests (`script-codec.ts`); a unique id if needed; per reservation its lifetime (ms) and context. Returns doubles:
 * the store's time (µs); per request and limit: over (1 or 0), remaining before the request, µs until it is free
 * without the request, µs until the request could pass, µs until it is free with it; then per request 1 for admitted, 0
 * for refused, -1 for an unknown quota count; and the queueing delay (µs).
 */

import { blockName, findEntry, luaFunctions, packEntry, resetUnlessReadable, saveEntries } from './counter-entries';
import { evaluateLimit } from './evaluate';

/** Replaced by a controlled clock in tests. */
export const storeTime = `local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]`;

/** Keys of single limits: they store every recent charge, or every lease of a concurrency limit. */
const writeOwnKey = `
-- First the command that a full server refuses: after a first write it accepts the others.
if kind == 4 then
  redis.call('ZADD', key, string.format('%.0f', first), cost .. ':' .. id)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', first - lifetime))
else
  for one = 1, cost do redis.call('ZADD', key, string.format('%.0f', first + lifetime), one .. ':' .. id) end
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', first))
end
redis.call('PEXPIRE', key, floor(lifetime / 1000) + 1000)
`;

/**
 * Plans the writes of a request: per caller key the offset, the bytes and their expiry; adjacent entries become one
 * write.
 */
const planWrite = `
if isApart then
  apart = apart or {}
  apart[#apart + 1] = { kind, key, cost, lifetime, first }
else
  ${packEntry}
  if not where then
    ends = ends or {}
    where = ends[place] or #texts[place] + 1
    ends[place] = where + 40
  end
  if noted > 0 and notes[noted - 3] == place and notes[noted - 2] + #notes[noted - 1] == where then
    notes[noted - 1], notes[noted] = notes[noted - 1] .. piece, max(notes[noted], matters)
  else
    notes[noted + 1], notes[noted + 2], notes[noted + 3], notes[noted + 4] = place, where, piece, matters
    noted = noted + 4
  end
end
`;

/** Later requests see the change in `text`; the store is written once at the end. */
const writePlanned = `
for at = 1, noted, 4 do
  local place, where, piece, matters = notes[at], notes[at + 1], notes[at + 2], notes[at + 3]
  local text, change, to = texts[place], 3 * place, where + #piece - 1
  texts[place] = sub(text, 1, where - 1) .. piece .. sub(text, to + 1)
  if changes[change] then
    where, to = min(where, changes[change - 2]), max(to, changes[change - 1])
    matters = max(matters, changes[change])
  end
  changes[change - 2], changes[change - 1], changes[change] = where, to, matters
end
local id = (apart or reserved) and ARGV[3] .. ':' .. request
for _, one in ipairs(apart or none) do
  local kind, key, cost, lifetime, first = unpack(one)
  ${writeOwnKey}
end
if reserved then
  local lifetime, context = ARGV[2 + 2 * reservations], ARGV[3 + 2 * reservations]
  local reservation = cmsgpack.pack({ id, clock, reserved, false, context })
  redis.call('SET', KEYS[keys + reservations], reservation, 'PX', lifetime)
end
`;

/** A blocked limit is over until the block ends. Few callers have a `!` in their entries. */
const applyBlock = `
if over ~= -1 and marked[place] then
  local found = find(texts[place], ${blockName}, 9, true)
  while found and found % 40 ~= 9 do found = find(texts[place], ${blockName}, found + 1, true) end
  local blocked = found and unpackStruct('<d', texts[place], found + 16) - clock or 0
  if blocked > 0 then over, left, reset, wait = 1, 0, max(reset, blocked), max(wait, blocked) end
end
`;

/** Tables are preallocated for one request, because growing them costs more than using them. */
const decision = `
local KEYS, limits, plan = KEYS, ARGV[1], ARGV[2]
local callers, keys, requests, at = unpackStruct('<HHH', plan)
local texts, marked = nil, {}
if callers == 1 then texts = { redis.call('GET', KEYS[1]) } end
if callers > 1 then texts = redis.call('MGET', unpack(KEYS, 1, callers)) end
for place = 1, callers do
  local text = texts[place]
  ${resetUnlessReadable}
  texts[place], marked[place] = text, find(text, '!', 9, true)
end
local notes, changes, none = { 0, 0, '', 0 }, { false, false, false }, {}
local answer, filled, reservations = { packStruct('<d', clock), '', '', '', '' }, 1, 0

for request = 1, requests do
  local mode, count
  mode, count, at = unpackStruct('<BH', plan, at)
  local outcome, turn, noted, ends, apart, reserved = 1, 0, 0, nil, nil, mode == 2 and {}
  for one = 1, count do
    local place, lying, index, cost, seed
    place, lying, index, cost, seed, at = unpackStruct('<HHHdd', plan, at)
    local kind, strictness, a, b, c, d, e, name = unpackStruct('<BBdddddc8', limits, index * 50 + 1)
    local isApart = kind == 4 or kind == 7
    local key, text = KEYS[isApart and callers + lying or place], isApart and '' or texts[place]
    ${findEntry}
    ${evaluateLimit}
    ${applyBlock}
    if over == -1 then outcome = -1 end
    if over == 1 and strictness == 0 and outcome == 1 then outcome = 0 end
    if kind == 2 and over == 0 and strictness == 0 then turn = max(turn, longer) end
    -- A reservation of cost 0 may be settled at a higher cost, so its window is written too.
    if over == 0 and mode ~= 1 and (cost > 0 or reserved and not isApart) then
      ${planWrite}
    end
    if reserved then
      reserved[one] = { key, sub(limits, index * 50 + 1, index * 50 + 50), (over == 0 or cost == 0) and cost }
    end
    filled = filled + 1
    answer[filled] = packStruct('<ddddd', over, left, reset, wait, after)
  end
  filled = filled + 1
  answer[filled] = packStruct('<dd', outcome, turn)
  if reserved then reservations = reservations + 1 end
  if outcome == 1 and mode ~= 1 then
    ${writePlanned}
  end
end
for place = 1, callers do
  local key, text, from, to, matters =
    KEYS[place], texts[place], changes[3 * place - 2], changes[3 * place - 1], changes[3 * place]
  if matters then ${saveEntries} end
end
return table.concat(answer)
`;

export const decideScript = (time: string = storeTime): string => `${time}${luaFunctions}${decision}`;
