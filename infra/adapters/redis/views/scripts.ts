/** Lua: each runs as one step, by the server's clock. A position is decimal text, empty before the first. */

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function generations()
  local found = {}
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    local number = string.match(field, '^(%d+):position$')
    if number then found[#found + 1] = number end
  end
  return found
end
local function add(version)
  -- Numbers begin with the time: rows of an earlier state, which was lost, are not taken for this generation's.
  redis.call('HSETNX', KEYS[1], 'newest', math.floor(now / 1000))
  local number = redis.call('HINCRBY', KEYS[1], 'newest', 1)
  redis.call('HSET', KEYS[1], number .. ':version', version, number .. ':position', '')
  return tostring(number)
end
local function describe(number)
  return { number, redis.call('HGET', KEYS[1], number .. ':version'), redis.call('HGET', KEYS[1], number .. ':position') }
end
local function retire(number, since)
  redis.call('HDEL', KEYS[1], number .. ':version', number .. ':position', number .. ':recipe', number .. ':touched')
  redis.call('HSET', KEYS[1], number .. ':retired', since)
end
`;

/**
 * KEYS: state. ARGV: version, the log that positions are of (empty: not known). Answers number, version, position, and 1 where the
 * generation is the first one: also where the ones before were made of another log.
 */
export const openScript = `${clock}
local active, isFirst = redis.call('HGET', KEYS[1], 'active'), 0
local log = redis.call('HGET', KEYS[1], 'log')
if active and ARGV[2] ~= '' and log and log ~= ARGV[2] then
  for _, number in ipairs(generations()) do retire(number, 0) end
  redis.call('HDEL', KEYS[1], 'active', 'serving', 'builder', 'held')
  active = false
end
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'log', ARGV[2]) end
if not active then
  active, isFirst = add(ARGV[1]), 1
  redis.call('HSET', KEYS[1], 'active', active)
end
local found = describe(active)
found[4] = isFirst
return found`;

/** Which rows of a personal view depend on which keys of subjects, and what the rows become without them. */
const erasing = `
local function sets(row)
  local found, text = {}, subjects ~= '' and redis.call('HGET', row, 'whenErased')
  if text then
    local tenant = redis.call('HGET', row, 'tenantId')
    for _, values in pairs(cjson.decode(text)) do
      for id in pairs(values) do found[subjects .. tenant .. ':' .. id] = true end
    end
  end
  return found
end
local function move(row, before)
  local after = sets(row)
  for set in pairs(before) do if not after[set] then redis.call('SREM', set, row) end end
  for set in pairs(after) do if not before[set] then redis.call('SADD', set, row) end end
end
local function store(row, erasures)
  if next(erasures) then redis.call('HSET', row, 'whenErased', cjson.encode(erasures))
  else redis.call('HDEL', row, 'whenErased') end
end
local function remove(row)
  redis.call('DEL', row)
  redis.call('ZREM', index, row)
end
local function eraseRow(row, id)
  local erasures = cjson.decode(redis.call('HGET', row, 'whenErased'))
  local whole = erasures['*'] and erasures['*'][id]
  if whole and whole.value == 'true' then return remove(row) end
  local after = {}
  for field, values in pairs(erasures) do
    local erased = values[id]
    if erased and field ~= '*' then redis.call('HSET', row, field, erased.value) end
    if erased then after[field] = erased.next else after[field] = values end
  end
  store(row, after)
end
local function eraseKey(set, id, most)
  for _, row in ipairs(redis.call('SRANDMEMBER', set, most)) do
    local before = sets(row)
    if before[set] then
      eraseRow(row, id)
      move(row, before)
    else redis.call('SREM', set, row) end
  end
  return redis.call('EXISTS', set) == 1
end
`;

/**
 * KEYS: state, feed, index of rows, then a key per change: of the row, or of the set of an erased key's rows.
 * ARGV: generation, after, position, live (1 or 0), `beat` (1 or 0), feed milliseconds (0: none), what the keys of such sets begin with
 * (empty: the view is not personal), how many rows of an erased key are changed at once, then per change: kind, count, field, value, …; of
 * an erasure the field is the key's id. Answers 'more' when rows of an erased key are left.
 */
export const applyScript = `${clock}
local state, feed, index = KEYS[1], KEYS[2], KEYS[3]
local generation, after, position, live, beat, retention = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local subjects, most, more = ARGV[7], tonumber(ARGV[8]), false
if redis.call('HGET', state, generation .. ':position') ~= after then return 'moved' end
local active = redis.call('HGET', state, 'active') == generation
if active and tonumber(redis.call('HGET', state, 'held') or '0') > now then return 'held' end
if redis.call('ZCARD', index) ~= tonumber(redis.call('HGET', state, generation .. ':rows') or '0') then return 'lost' end
${erasing}
local function publish(key)
  local row, fields = {}, redis.call('HGETALL', key)
  for at = 1, #fields, 2 do row[#row + 1] = '"' .. fields[at] .. '":' .. fields[at + 1] end
  redis.call('XADD', feed, '*', 'row', '{' .. table.concat(row, ',') .. '}')
end
local argument = 9
for at = 4, #KEYS do
  local key, kind, count = KEYS[at], ARGV[argument], tonumber(ARGV[argument + 1])
  argument = argument + 2
  local before = kind ~= 'erase' and sets(key)
  if kind == 'erase' then
    more = eraseKey(key, ARGV[argument], most) or more
  elseif kind == 'remove' then
    remove(key)
  elseif kind == 'put' or redis.call('EXISTS', key) == 1 then
    if kind == 'put' then
      redis.call('DEL', key)
      redis.call('ZADD', index, 0, key)
    end
    local text = subjects ~= '' and redis.call('HGET', key, 'whenErased')
    local erasures, new = text and cjson.decode(text) or {}, {}
    for field = 0, count - 1 do
      local name, value = ARGV[argument + 2 * field], ARGV[argument + 2 * field + 1]
      if subjects ~= '' and name == 'whenErased' then
        new = cjson.decode(value)
      else
        redis.call('HSET', key, name, value)
        erasures[name] = nil
      end
    end
    if subjects ~= '' then
      for field, values in pairs(new) do erasures[field] = values end
      store(key, erasures)
    end
    if active and retention > 0 then publish(key) end
  elseif redis.call('ZSCORE', index, key) then
    return 'lost'
  end
  if before then move(key, before) end
  argument = argument + 2 * count
end
redis.call('HSET', state, generation .. ':position', position, generation .. ':rows', redis.call('ZCARD', index))
if active and live == '1' then redis.call('HSET', state, 'serving', generation) end
if not active then redis.call('HSET', state, generation .. ':touched', now) end
if active and retention > 0 then
  if beat == '1' and now - tonumber(redis.call('HGET', state, 'beat') or '0') >= 900 then
    redis.call('XADD', feed, '*', 'beat', '1')
    redis.call('HSET', state, 'beat', now)
  end
  redis.call('XTRIM', feed, 'MINID', '~', now - retention)
end
return more and 'more' or 'done'`;

/**
 * KEYS: state. ARGV: version, the builder to replace, whose connection is gone (empty: none), the new builder, the recipe (empty:
 * none). Returns a generation.
 */
export const beginScript = `${clock}
if (redis.call('HGET', KEYS[1], 'builder') or '') ~= ARGV[2] then return 'building' end
local active, reused = redis.call('HGET', KEYS[1], 'active'), nil
for _, number in ipairs(generations()) do
  if number ~= active then
    if not reused and ARGV[4] ~= '' and redis.call('HGET', KEYS[1], number .. ':recipe') == ARGV[4] then reused = number
    else retire(number, 0) end
  end
end
reused = reused or add(ARGV[1])
redis.call('HSET', KEYS[1], 'builder', ARGV[3], reused .. ':recipe', ARGV[4], reused .. ':touched', now)
return describe(reused)`;

/** KEYS: state. ARGV: the builder that stops. */
export const releaseScript = `
if redis.call('HGET', KEYS[1], 'builder') == ARGV[1] then redis.call('HDEL', KEYS[1], 'builder') end
return 'done'`;

/** KEYS: state. ARGV: milliseconds. */
export const pauseScript = `${clock}
redis.call('HSET', KEYS[1], 'held', now + tonumber(ARGV[1]))
return describe(redis.call('HGET', KEYS[1], 'active'))`;

/** KEYS: state. ARGV: generation. */
export const activateScript = `${clock}
if redis.call('HEXISTS', KEYS[1], ARGV[1] .. ':position') == 0 then return 'missing' end
for _, number in ipairs(generations()) do
  if number ~= ARGV[1] then retire(number, now) end
end
redis.call('HSET', KEYS[1], 'active', ARGV[1], 'serving', ARGV[1], 'held', 0)
redis.call('HDEL', KEYS[1], 'builder')
return 'done'`;

/** KEYS: state. ARGV: generation, the calling builder. The active generation is not dropped. */
export const dropScript = `${clock}
if redis.call('HGET', KEYS[1], 'builder') == ARGV[2] then redis.call('HDEL', KEYS[1], 'builder') end
if redis.call('HGET', KEYS[1], 'active') == ARGV[1] then return 0 end
if redis.call('HEXISTS', KEYS[1], ARGV[1] .. ':position') == 1 then retire(ARGV[1], 0) end
return 1`;

/**
 * KEYS: state. ARGV: milliseconds, milliseconds that an unfinished generation may be idle, the builder whose connection is gone
 * (empty: none). Returns the generations whose rows may be removed.
 */
export const retiredScript = `${clock}
local active = redis.call('HGET', KEYS[1], 'active')
if (redis.call('HGET', KEYS[1], 'builder') or '') == ARGV[3] then
  for _, number in ipairs(generations()) do
    local touched = tonumber(redis.call('HGET', KEYS[1], number .. ':touched') or '0')
    if number ~= active and now - touched >= tonumber(ARGV[2]) then retire(number, 0) end
  end
end
local found, fields = {}, redis.call('HGETALL', KEYS[1])
for at = 1, #fields, 2 do
  local number = string.match(fields[at], '^(%d+):retired$')
  if number and now - tonumber(fields[at + 1]) >= tonumber(ARGV[1]) then found[#found + 1] = number end
end
return found`;

/**
 * KEYS: state. ARGV: what stands around the generation in the index's key, what stands before it in the rows' keys, then what stands after
 * it in each. Answers a row for each, `lost` where a row is missing that was written, and nil before the view is whole for the first time.
 */
export const findScript = `
local state = redis.call('HMGET', KEYS[1], 'active', 'serving')
local active = state[1]
if not active or state[2] ~= active then return false end
local index, rows, isMissing = ARGV[1] .. active .. ARGV[2], {}, false
for at = 4, #ARGV do
  local key = ARGV[3] .. active .. ARGV[at]
  local row = redis.call('HGETALL', key)
  if #row == 0 then
    if redis.call('ZSCORE', index, key) then return 'lost' end
    isMissing = true
  end
  rows[at - 3] = row
end
if isMissing and redis.call('ZCARD', index) ~= tonumber(redis.call('HGET', KEYS[1], active .. ':rows') or '0') then
  return 'lost'
end
return rows`;

/** KEYS: state. Answers position of the active generation; nil before the view is whole for the first time. */
export const checkpointScript = `
local state = redis.call('HMGET', KEYS[1], 'active', 'serving')
if not state[1] or state[2] ~= state[1] then return false end
return redis.call('HGET', KEYS[1], state[1] .. ':position')`;

/**
 * KEYS: state, index of rows. ARGV: generation, where in the index to begin, how many rows. Answers `lost`, or how many rows were there;
 * nil where there is no such generation.
 */
export const verifyScript = `
if redis.call('HEXISTS', KEYS[1], ARGV[1] .. ':position') == 0 then return false end
if redis.call('ZCARD', KEYS[2]) ~= tonumber(redis.call('HGET', KEYS[1], ARGV[1] .. ':rows') or '0') then return 'lost' end
local keys = redis.call('ZRANGE', KEYS[2], ARGV[2], ARGV[2] + ARGV[3] - 1)
for _, key in ipairs(keys) do
  if redis.call('EXISTS', key) == 0 then return 'lost' end
end
return #keys`;
