/**
 * Where limits are kept, in the script: what is a few numbers lies in one key for all limits of a caller, so that a request over several
 * of them reads it once and writes it once. Each part is a piece of code and no function: those are made anew in every run, which
 * costs more than most of them do.
 *
 * The key: until when it is there (ms), then an entry for each limit: its name (8 bytes), until when it matters (ms), three numbers. A
 * limit that is blocked has a second entry, under `blockName`, whose first number is until when (µs).
 */

export const luaFunctions = `
local floor, ceil, max, min, find, sub = math.floor, math.ceil, math.max, math.min, string.find, string.sub
local unpackStruct, packStruct = struct.unpack, struct.pack
`;

/** From `text` and `name` to `where` it begins (nil when it is not there), until when it matters, and its numbers. */
export const findEntry = `
local where, matters, first, second, third = find(text, name, 9, true), 0, nil, nil, nil
while where and where % 40 ~= 9 do where = find(text, name, where + 1, true) end
if where then matters, first, second, third = unpackStruct('<dddd', text, where + 8) end
`;

/** Names of limits have no `!`. */
export const blockName = "'!' .. sub(name, 2)";

/** What was not written by this is not there. */
export const resetUnlessReadable = "if not text or #text % 40 ~= 8 then text = '\\0\\0\\0\\0\\0\\0\\0\\0' end";

/** From the numbers and their `lifetime` (µs) to `piece`, and until when that matters. */
export const packEntry = `
matters = floor((clock + lifetime) / 1000) + 1000
local piece = packStruct('<c8dddd', name, matters, first, second, third)
`;

/**
 * From `text`, in which what changed lies from `from` to `to`, to the store. Where the key is there for long enough, only what changed is
 * written; else all of it that still matters, with some time to spare, so that this is seldom.
 */
export const saveEntries = `
if matters <= unpackStruct('<d', text) then
  redis.call('SETRANGE', key, from - 1, sub(text, from, to))
else
  local now, kept = floor(clock / 1000), ''
  for at = 9, #text, 40 do
    local until_ = unpackStruct('<d', text, at + 8)
    if until_ > now then
      kept = kept .. sub(text, at, at + 39)
      matters = max(matters, until_)
    end
  end
  local left = matters - now + 10000 + min(60000, floor((matters - now) / 8))
  redis.call('PSETEX', key, left, packStruct('<d', now + left) .. kept)
end
`;
