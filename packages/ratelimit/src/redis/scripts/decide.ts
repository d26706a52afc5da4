/**
 * Decisions over all limits of requests, in one round trip: of each request every limit is checked, then every one is written, or none.
 * Requests that are there at the same time are decided in one script, one after the other, as if each had its own. Time is the
 * store's, and of each key it never goes backward.
 *
 * KEYS, each once: those of callers; those of limits that lie apart; then one for each reservation, for what is to be settled later.
 * ARGV: the limits as they are compiled, each once, end to end; the requests, packed (`batch.ts`); where it is needed, a name that
 * nobody else gives; then per reservation for how long it is kept (ms), and its context.
 * Answers doubles, end to end: the store's time (µs); then per request: of each limit over (1) or not, what remained before the request, µs
 * until it is empty again without it, µs until the same could pass, µs until it is empty again with it; then 1 when admitted, 0 when not, -1 when the count of a quota is asked for; how long it is to
 * wait for its turn (µs).
 */

import { blockName, findEntry, luaFunctions, packEntry, resetUnlessReadable, saveEntries } from './counter-entries';
import { evaluateLimit } from './evaluate';

/** Replaced in tests, which have a clock of their own. */
export const storeTime = `local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]`;

/** Of what lies apart, all that was taken lately is kept, or all that is held now. */
const writeOwnKey = `
-- First what a full server refuses: once something was written, it takes the rest too.
if kind == 4 then
  redis.call('ZADD', key, string.format('%.0f', first), cost .. ':' .. id)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', first - lifetime))
else
  for one = 1, cost do redis.call('ZADD', key, string.format('%.0f', first + lifetime), one .. ':' .. id) end
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', first))
end
redis.call('PEXPIRE', key, floor(lifetime / 1000) + 1000)
`;

/** What is to be written, if all of them pass: of each place where, what, and until when that matters; in one piece what lies together. */
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

/** A later request is told at once, and the store in the end: of many requests of one caller that is once. */
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
  local keptFor, context = ARGV[2 + 2 * reservations], ARGV[3 + 2 * reservations]
  local kept = cmsgpack.pack({ id, clock, reserved, false, context })
  redis.call('SET', KEYS[keys + reservations], kept, 'PX', keptFor)
end
`;

/** Whatever was used, a limit that is blocked is over until then. Few callers have a `!` in what is kept of them. */
const applyBlock = `
if over ~= -1 and marked[place] then
  local found = find(texts[place], ${blockName}, 9, true)
  while found and found % 40 ~= 9 do found = find(texts[place], ${blockName}, found + 1, true) end
  local blocked = found and unpackStruct('<d', texts[place], found + 16) - clock or 0
  if blocked > 0 then over, left, reset, wait = 1, 0, max(reset, blocked), max(wait, blocked) end
end
`;

/** Tables are made with room for what one request needs: that they grow costs more than what is done with them. */
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
local answer, said, reservations = { packStruct('<d', clock), '', '', '', '' }, 1, 0

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
    -- What is reserved at no cost may be settled at some: of its window, which is noted for that.
    if over == 0 and mode ~= 1 and (cost > 0 or reserved and not isApart) then
      ${planWrite}
    end
    if reserved then
      reserved[one] = { key, sub(limits, index * 50 + 1, index * 50 + 50), (over == 0 or cost == 0) and cost }
    end
    said = said + 1
    answer[said] = packStruct('<ddddd', over, left, reset, wait, after)
  end
  said = said + 1
  answer[said] = packStruct('<dd', outcome, turn)
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
