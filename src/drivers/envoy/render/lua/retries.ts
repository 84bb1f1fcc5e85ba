/*
 * Which answers of a backend are tried again, and when. This script stands between Envoy's router and the backend, so it sees each try.
 *
 * Envoy's own wait between tries is random and may be none at all, and its budgets bound how many retries are under way, not how many
 * there are. So the router only tries again what this script has marked; and before it marks an answer, the script has waited at least the rule's
 * back-off (which doubles with each try, with a random part on top) and asked the backend's budget.
 *
 * State: per worker and backend, requests and retries of the last interval, each in ten slots.
 *
 * Tries that end without an answer (no connection, a reset, too long) never come here: they are up to the router.
 */
import { delayClusterName, delayHeader } from "../../delay.ts";
import { internalHeaders } from "../names.ts";

export const retriesScript = `
local slots = 10

local function new_count(length)
  return { width = math.max(1, length / slots), slot = 0, total = 0, counts = {} }
end

local function advance(count, now)
  local slot = math.floor(now / count.width)
  if slot - count.slot >= slots then
    count.counts, count.total = {}, 0
  else
    for passed = count.slot + 1, slot do
      local index = passed % slots
      count.total = count.total - (count.counts[index] or 0)
      count.counts[index] = 0
    end
  end
  count.slot = slot
end

local function add(count, now)
  advance(count, now)
  local index = count.slot % slots
  count.counts[index] = (count.counts[index] or 0) + 1
  count.total = count.total + 1
end

local function total(count, now)
  advance(count, now)
  return count.total
end

local budget

local function budget_of(handle)
  local context = handle:filterContext()
  local percent = context:get("percent")
  if not percent then return end
  if not budget then
    budget = {
      percent = percent,
      min_retries = context:get("minRetries"),
      requests = new_count(context:get("interval")),
      retries = new_count(context:get("interval")),
      recent = new_count(context:get("minInterval")),
    }
  end
  return budget
end

local function takes(budget, now)
  local share = total(budget.requests, now) * budget.percent / 100
  if total(budget.retries, now) + 1 > share and total(budget.recent, now) >= budget.min_retries then return false end
  add(budget.retries, now)
  add(budget.recent, now)
  return true
end

function envoy_on_request(handle)
  local attempts = handle:metadata():get("retryAttempts")
  local state = handle:streamInfo():dynamicMetadata()
  local known = state:get("gatewright.retries")
  local attempt = (known and known.attempt or 0) + 1
  if attempts then state:set("gatewright.retries", "attempt", attempt) end
  local budget = budget_of(handle)
  if budget and attempt == 1 then add(budget.requests, handle:timestamp()) end
end

function envoy_on_response(handle)
  local headers = handle:headers()
  if headers:get("${internalHeaders.retry}") then headers:remove("${internalHeaders.retry}") end
  local settings = handle:metadata()
  local codes = settings:get("retryCodes")
  if not codes or not codes:find(" " .. headers:get(":status") .. " ", 1, true) then return end
  local attempts = settings:get("retryAttempts")
  local known = handle:streamInfo():dynamicMetadata():get("gatewright.retries")
  local attempt = known and known.attempt or 1
  if attempt > attempts then return end
  local budget = budget_of(handle)
  if budget and not takes(budget, handle:timestamp()) then return end
  local backoff = settings:get("retryBackoff") * 2 ^ math.min(attempt - 1, 5)
  local wait = math.ceil(backoff * (1 + math.random() * 0.5)) + 1
  handle:httpCall("${delayClusterName}", {
    [":method"] = "GET",
    [":path"] = "/",
    [":authority"] = "delay",
    ["${delayHeader}"] = string.format("%d", wait),
  }, nil, wait + 1000)
  handle:headers():replace("${internalHeaders.retry}", "1")
end
`;
