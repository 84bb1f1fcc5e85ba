-- Requests of rules that may be tried again go through two sections: the outer one repeats (HAProxy keeps the request and sends it
-- again when the answer is 425), the inner one, behind a private socket, is met by every try. Here is the inner side: it
-- counts the tries, waits before all but the first, gives each its time, and says by 425 that another is wanted. So
-- any status can be tried again, and the last answer is the backend's own.
--
-- What it must know travels in headers that clients cannot send: tries of one request may be in different threads.
local session = require("gatewright.session")
local watch = require("gatewright.watch")

local retry = {}

local threads = tonumber(os.getenv("GATEWRIGHT_THREADS") or "1")
local default_backoff = 25
local most_doublings = 5
local slots = 10

-- Outer side: the section is `action.via`. `name` is what HAProxy knows the inner one by.
function retry.prepare(txn, action, section, name, server, deadline)
  local given = action.retry
  local http = txn.http
  local codes = table.concat(given.statusCodes, ",")
  http:req_set_header("gatewright-backend", name)
  http:req_set_header("gatewright-section", section)
  if server then http:req_set_header("gatewright-server", server) end
  http:req_set_header("gatewright-id", txn.f:uuid())
  http:req_set_header("gatewright-retry", string.format(
    "%d %d %d %d ,%s,", given.attempts, given.backoff, action.tryTimeout or 0, deadline or 0, codes
  ))
end

-- How many requests and retries there were in the last while, in slices of it.
local function counter(interval)
  return { slice = math.max(1, interval // slots), start = 0, counts = {} }
end

local function count(of, add)
  local now = watch.now() // of.slice
  for slice in pairs(of.counts) do
    if slice <= now - slots then of.counts[slice] = nil end
  end
  of.counts[now] = (of.counts[now] or 0) + add
  local sum = 0
  for _, number in pairs(of.counts) do sum = sum + number end
  return sum
end

-- Of sections that have one: percent, interval, least retries, least interval.
local budget_map = Map.new(os.getenv("GATEWRIGHT_MAPS") .. "/budgets.map", Map._str)
local budgets = {}

local function budget_of(section)
  local text = budget_map:lookup(section)
  if not text then return nil end
  local known = budgets[section]
  if not known or known.text ~= text then
    local percent, interval, least, least_interval = string.match(text, "^(%d+),(%d+),(%d+),(%d+)$")
    known = {
      text = text, percent = tonumber(percent), least = math.ceil(tonumber(least) / threads),
      requests = counter(tonumber(interval)), retries = counter(tonumber(interval)), lately = counter(tonumber(least_interval)),
    }
    budgets[section] = known
  end
  return known
end

local function allows(budget)
  if not budget then return true end
  if count(budget.lately, 0) < budget.least then return true end
  return (count(budget.retries, 0) + 1) * 100 <= budget.percent * count(budget.requests, 0)
end

-- Inner side, before the request goes to its backend.
function retry.try(txn)
  local fetch = txn.f
  local attempts, backoff, try_timeout, deadline, codes =
    string.match(fetch:req_fhdr("gatewright-retry"), "^(%d+) (%d+) (%d+) (%d+) (.*)$")
  attempts, backoff, try_timeout, deadline = tonumber(attempts), tonumber(backoff), tonumber(try_timeout), tonumber(deadline)
  local tries = fetch:sc_get_gpc0(0) or 1
  txn:set_var("txn.gw_tried", true)
  local section = fetch:req_fhdr("gatewright-section")
  local budget = budget_of(section)
  if tries > 1 then
    local server = fetch:req_fhdr("gatewright-server")
    if server then txn:set_var("txn.gw_server", session.server_after(section, server, tries - 1)) end
    if budget then
      count(budget.retries, 1)
      count(budget.lately, 1)
    end
    local least = backoff > 0 and backoff or default_backoff
    core.msleep(math.ceil(least * 2 ^ math.min(tries - 2, most_doublings) * (1 + math.random() * 0.5)) + 1)
  elseif budget then
    count(budget.requests, 1)
  end
  local left = deadline > 0 and deadline - watch.now() or nil
  if left and left <= 0 then
    txn:done(txn:reply({ status = 504, headers = { ["content-length"] = { "0" } } }))
    return
  end
  local timeout = try_timeout > 0 and try_timeout or nil
  local is_last = tries > attempts
  if left and (not timeout or left < timeout) then
    -- When this one is given up, the time of all is over.
    timeout = left
    txn:set_var("txn.gw_final_timeout", true)
  end
  if timeout then txn:set_var("txn.gw_timeout", timeout) end
  if not is_last and allows(budget) then
    txn:set_var("txn.gw_left", true)
    txn:set_priv(codes)
  end
end

-- Inner side: whether the backend's answer is one to be tried again.
function retry.judge(txn)
  local codes = txn:get_priv()
  if codes and string.find(codes, "," .. txn.f:status() .. ",", 1, true) then txn:set_var("txn.gw_again", true) end
end

-- Outer side: an answer that was not, or could not be, tried again gets its own status back.
function retry.restore(txn)
  local values = txn.http:res_get_headers()["gatewright-status"]
  local status = values and tonumber(values[0])
  if status then txn.http:res_set_status(status) end
end

return retry
