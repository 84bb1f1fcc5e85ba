-- Buckets of tokens that all threads share. Lua's memory is each thread's own, so requests are counted in tables of HAProxy's, by bucket and interval: a
-- bucket gets its tokens back at the end of each interval, and how many it began one with follows from the counts of those before.
local watch = require("gatewright.watch")

local limits = {}

-- By how long an interval may be, ms: entries must outlive theirs, and must not pile up.
local tables = {
  { most = 10000, variable = "txn.gw_limit_short", name = "gatewright-limits-short" },
  { most = 600000, variable = "txn.gw_limit_middle", name = "gatewright-limits-middle" },
  { most = math.huge, variable = "txn.gw_limit_long", name = "gatewright-limits-long" },
}
-- Intervals that are looked back at; a bucket is taken to have been full before them.
local memory = 64

local levels = {}

local function table_for(given)
  for _, each in ipairs(tables) do
    if given.interval <= each.most then return each end
  end
end

-- Tokens at the beginning of this interval.
local function level_of(txn, given, window)
  local capacity = given.requests + given.burst
  -- Nothing is ever left that would count.
  if given.burst == 0 then return capacity end
  local known = levels[given.bucket]
  if not known or known.window > window or window - known.window > memory then
    known = { window = window - memory, level = capacity }
    levels[given.bucket] = known
  end
  local name = table_for(given).name
  while known.window < window do
    local used = tonumber(txn.c:table_gpc0(given.bucket .. "." .. known.window, name)) or 0
    known.level = math.min(capacity, math.max(0, known.level - used) + given.requests)
    known.window = known.window + 1
  end
  return known.level
end

-- Says which entry HAProxy is to count this request in.
function limits.prepare(txn, state, given)
  state.window = watch.now() // given.interval
  txn:set_var(table_for(given).variable, given.bucket .. "." .. state.window)
  txn:set_var("txn.gw_limited", true)
end

-- When the entry is found: whether there is a token.
function limits.take(txn, state, given)
  local count = txn.f:sc_inc_gpc0(1)
  -- What cannot be counted is not held up.
  return not count or count <= level_of(txn, given, state.window)
end

return limits
