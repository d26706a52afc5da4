/**
 * Lua for the packed counters: the small limits of a caller share one key, so that a request reads and writes it once.
 * The parts are inlined code, because Lua would create functions again in every run. A key holds its expiry (ms), then
 * per limit: name (8 bytes), expiry (ms), three numbers. A blocked limit has a second entry under `blockName`, whose
 * first number is the end of the block (µs).
 */

export const luaFunctions = `
local floor, ceil, max, min, find, sub = math.floor, math.ceil, math.max, math.min, string.find, string.sub
local unpackStruct, packStruct = struct.unpack, struct.pack
`;

/** In: `text`, `name`. Out: `where` the entry begins (nil if absent), its expiry and numbers. */
export const findEntry = `
local where, matters, first, second, third = find(text, name, 9, true), 0, nil, nil, nil
while where and where % 40 ~= 9 do where = find(text, name, where + 1, true) end
if where then matters, first, second, third = unpackStruct('<dddd', text, where + 8) end
`;

/** Limit names contain no `!`. */
export const blockName = "'!' .. sub(name, 2)";

/** Ignores values of another format. */
export const resetUnlessReadable = "if not text or #text % 40 ~= 8 then text = '\\0\\0\\0\\0\\0\\0\\0\\0' end";

/** In: the numbers and `lifetime` (µs). Out: `piece` and its expiry. */
export const packEntry = `
matters = floor((clock + lifetime) / 1000) + 1000
local piece = packStruct('<c8dddd', name, matters, first, second, third)
`;

/**
 * Writes `text`, of which `from` to `to` changed: only that part if the key lives long enough, else all entries that
 * still matter, with a longer expiry, so that this is rare.
 */
export const saveEntries = `
if matters <= unpackStruct('<d', text) then
  redis.call('SETRANGE', key, from - 1, sub(text, from, to))
else
  local now, entries = floor(clock / 1000), ''
  for at = 9, #text, 40 do
    local until_ = unpackStruct('<d', text, at + 8)
    if until_ > now then
      entries = entries .. sub(text, at, at + 39)
      matters = max(matters, until_)
    end
  end
  local left = matters - now + 10000 + min(60000, floor((matters - now) / 8))
  redis.call('PSETEX', key, left, packStruct('<d', now + left) .. entries)
end
`;
