-- Where the connections of TCP and TLS listeners go. No backend: the configuration rejects the connection.
local balance = require("gatewright.balance")
local hostname = require("gatewright.hostname")
local sections = require("gatewright.sections")
local store = require("gatewright.store")

local streams = {}

local routes = Map.new(os.getenv("GATEWRIGHT_MAPS") .. "/streams.map", Map._str)
local loaded = {}

local function backends_of(key)
  local hash = routes:lookup(key)
  local known = loaded[key]
  if not hash then
    if known then loaded[key] = nil end
    return nil
  end
  if not known or known.hash ~= hash then
    known = store.load(hash)
    known.hash = hash
    loaded[key] = known
  end
  return known
end

local function choose(txn, route)
  local chosen = route and balance.next(route.backends)
  if chosen and chosen.backend then txn:set_var("txn.gw_backend", sections.name_of(chosen.backend)) end
end

function streams.stream(txn, listener)
  choose(txn, backends_of(listener))
end

-- The name in the ClientHello; a connection without one is taken by `*` alone.
function streams.server_name(txn, listener)
  local name = txn.f:req_ssl_sni()
  local host = name and name ~= "" and hostname.normalize(name)
  local route
  if host then
    route = hostname.each_candidate(host, function(candidate) return backends_of(listener .. "|" .. candidate) end)
  else
    route = backends_of(listener .. "|*")
  end
  choose(txn, route)
end

return streams
