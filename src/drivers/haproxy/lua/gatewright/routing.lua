-- Which rule takes a request: the most specific virtual host for its host, then the less specific ones of the same section.
-- On TLS the section must be that of the connection, else 421.
local hostname = require("gatewright.hostname")
local host_rules = require("gatewright.host_rules")
local store = require("gatewright.store")

local routing = {}

-- Of each host on each listener what is in force; HAProxy's map says what that is.
local hosts = Map.new(os.getenv("GATEWRIGHT_MAPS") .. "/hosts.map", Map._str)
local compiled = {}

local function host_of(listener, name)
  local key = listener .. "|" .. name
  local hash = hosts:lookup(key)
  local known = compiled[key]
  if not hash then
    if known then compiled[key] = nil end
    return nil
  end
  if not known or known.hash ~= hash then
    known = host_rules.compile(store.load(hash))
    known.hash = hash
    compiled[key] = known
  end
  return known
end

-- TRACE and CONNECT only where a rule names them.
local function allowed(rule, request)
  local method = request.method
  if (method == "TRACE" or method == "CONNECT") and rule.method ~= method then return nil end
  return rule
end

-- Gives the rule, or nil and the status of the answer.
function routing.find(request, listener, section)
  local first
  local status = 404
  local rule = hostname.each_candidate(request.host, function(name)
    local host = host_of(listener, name)
    if not host then return nil end
    if not first then
      first = host
      if section ~= "-" and host.section ~= section then
        status = 421
        return "none"
      end
    elseif host.section ~= first.section then
      return nil
    end
    return host.find(request)
  end)
  if not rule or rule == "none" then return nil, status end
  rule = allowed(rule, request)
  return rule, 404
end

-- What the rule does; all matches of a rule share it.
local actions = setmetatable({}, { __mode = "v" })

function routing.action_of(rule)
  local action = rule.loaded
  if not action then
    action = actions[rule.action]
    if not action then
      action = store.load(rule.action)
      actions[rule.action] = action
    end
    rule.loaded = action
  end
  return action
end

return routing
