-- Sections whose servers are chosen by a hash: each server has a score for the request's values, and the highest wins. So the same values stay with
-- their server, in every process, and when one goes, only its own requests move.
local request_path = require("gatewright.request_path")
local session = require("gatewright.session")
local store = require("gatewright.store")

local hashing = {}

local hashes = Map.new(os.getenv("GATEWRIGHT_MAPS") .. "/hashes.map", Map._str)
local sources = setmetatable({}, { __mode = "v" })

local function sources_of(section)
  local hash = hashes:lookup(section)
  if not hash then return nil end
  local known = sources[hash]
  if not known then
    known = store.load(hash)
    sources[hash] = known
  end
  return known
end

local function value_of(txn, source, request)
  if source.type == "source" then return txn.f:src() end
  if source.type == "header" then return request:header(source.name) end
  return request_path.query_value(request.search, source.name)
end

-- Good enough to spread servers: all bits of the result depend on all bits given (the finaliser of MurmurHash3).
local function mixed(number)
  number = (number ~ (number >> 33)) * -49064778989728563
  number = (number ~ (number >> 33)) * -4265267296055464877
  return (number ~ (number >> 33)) >> 1
end

local function number_of(text)
  local number = -3750763034362895579
  for index = 1, #text do number = (number ~ string.byte(text, index)) * 1099511628211 end
  return mixed(number)
end

local seeds = {}
local most_seeds = 10000
local seed_count = 0

local function seed_of(name)
  local seed = seeds[name]
  if not seed then
    if seed_count >= most_seeds then seeds, seed_count = {}, 0 end
    seed = number_of(name)
    seeds[name] = seed
    seed_count = seed_count + 1
  end
  return seed
end

-- The server for these values; nil: any.
function hashing.server_for(txn, section, request)
  local on = sources_of(section)
  if not on then return nil end
  local values = {}
  for index, source in ipairs(on) do
    local value = value_of(txn, source, request)
    if value then values[#values + 1] = index .. ":" .. #value .. ":" .. value end
  end
  if #values == 0 then return nil end
  local number = number_of(table.concat(values, "\0"))
  local best, best_score
  for _, server in ipairs(session.servers_of(section)) do
    local score = mixed(number ~ seed_of(server))
    if not best or score > best_score then best, best_score = server, score end
  end
  return best
end

return hashing
