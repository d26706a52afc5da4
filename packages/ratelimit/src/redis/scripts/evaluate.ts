/**
 * Lua that evaluates one limit per algorithm, without writing. In: the limit's numbers (`a` to `e`), its state (`first`
 * to `third`, or its `key`), the cost and the time. Out: over, remaining and reset before the request, wait, reset
 * after it; for the write: the queueing delay, the lifetime (µs) and the new numbers.
 */

const evaluateBucket = `
local full, token, rate, tick = a, b, c, d
local here, used = floor(clock / tick), 0
local now = here
if first then
  used = first
  -- The limit was changed: what is used stays used.
  if second ~= token then used = ceil(used * (token / second)) end
  local last = floor(third / tick)
  now = max(now, last)
  used = max(0, used - (now - last) * rate)
end
-- Nothing drains until a clock that went back is where it was.
local behind = now - here
local need = used + cost * token
left, reset = max(0, floor((full - used) / token)), (ceil(used / rate) + behind) * tick
if need > full then
  over, wait = 1, (ceil((need - full) / rate) + behind) * tick
else
  after, longer = (ceil(need / rate) + behind) * tick, reset
  lifetime, first, second, third = after, need, token, now * tick
end
`;

const evaluateFixedWindow = `
local start, count = clock - clock % b, 0
if first and first >= start then start, count = first, second end
left, reset = max(0, a - count), start + b - clock
if count + cost > a then
  over, wait = 1, reset
else
  after, lifetime, first, second, third = reset, reset, start, count + cost, 0
end
`;

const evaluateSlidingLog = `
local entries = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
local now, count, oldest = clock, 0, nil
if #entries > 0 then now = max(now, tonumber(entries[#entries])) end
for at = 1, #entries, 2 do
  if tonumber(entries[at + 1]) > now - b then
    oldest = oldest or at
    count = count + tonumber(string.match(entries[at], '^%d+'))
  end
end
left, reset = max(0, a - count), oldest and tonumber(entries[#entries]) + b - clock or 0
if count + cost <= a then
  after, lifetime, first = b, b, now
else
  local freed, at = 0, oldest
  while at and at < #entries and count - freed + cost > a do
    freed = freed + tonumber(string.match(entries[at], '^%d+'))
    at = at + 2
  end
  over, wait = 1, b
  if at and at > oldest then wait = tonumber(entries[at - 1]) + b - clock end
end
`;

const evaluateSlidingCounter = `
local window, tick = b, c
local here = floor(clock / tick)
local now = here
local index, last, current = floor(now / window), 0, 0
if first and first >= index then
  index, last, current = first, second, third
  now = max(now, index * window)
elseif first == index - 1 then
  last = third
end
local passed = now - index * window
local share = last * (window - passed)
local behind = now - here
reset = (window - passed + window + behind) * tick
left = max(0, floor((a * window - share) / window) - current)
if share + (current + cost) * window <= a * window then
  after, lifetime, first, second, third = reset, reset, index, last, current + cost
else
  over, wait = 1, window - passed + window
  if current + cost <= a then
    wait = window - floor((a - current - cost) * window / last) - passed
  elseif cost <= a then
    wait = window - passed + max(0, window - floor((a - cost) * window / current))
  end
  wait = (wait + behind) * tick
end
`;

const evaluateQuota = `
local count, start, stop = seed >= 0 and seed, b, c
-- A period that has begun lasts until its end, even if the next request names another one.
if first and (first >= b or clock < third) then
  count = second
  if first <= clock then start, stop = first, third > clock and third or c end
end
reset = max(0, stop - clock)
if not count then
  over = -1
elseif count + cost > a then
  over, left, wait = 1, max(0, a - count), reset
else
  left, after, lifetime = a - count, reset, reset + 86400000000
  first, second, third = start, count + cost, stop
end
`;

const evaluateConcurrency = `
local later = '(' .. string.format('%.0f', clock)
local function ends(at)
  return tonumber(redis.call('ZRANGEBYSCORE', key, later, '+inf', 'WITHSCORES', 'LIMIT', at, 1)[2] or clock) - clock
end
local count = redis.call('ZCOUNT', key, later, '+inf')
left, reset = max(0, a - count), count > 0 and ends(count - 1) or 0
if count + cost > a then
  over, wait = 1, ends(min(count, count + cost - a) - 1)
else
  after, lifetime, first = b, b, clock
end
`;

export const evaluateLimit = `
local over, left, reset, wait, after, longer, lifetime = 0, 0, 0, 0, 0, 0, nil
if kind <= 2 then ${evaluateBucket}
elseif kind == 3 then ${evaluateFixedWindow}
elseif kind == 4 then ${evaluateSlidingLog}
elseif kind == 5 then ${evaluateSlidingCounter}
elseif kind == 6 then ${evaluateQuota}
else ${evaluateConcurrency}
end
`;
