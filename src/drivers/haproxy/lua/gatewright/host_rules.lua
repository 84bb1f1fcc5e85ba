-- The rules of a virtual host, filed so that few have to be asked: src/model/rule-table.ts says how, and what order means.
local expression = require("gatewright.expression")
local request_path = require("gatewright.request_path")
local store = require("gatewright.store")

local host_rules = {}

local find, sub = string.find, string.sub

local function file(filed, key, rule)
  local list = filed[key]
  if list then list[#list + 1] = rule else filed[key] = { rule } end
end

-- The program of a regular expression is read when it is first needed.
local function test_of(holder)
  local test = holder.test
  if not test then
    test = expression.compile(store.load(holder.program))
    holder.test = test
  end
  return test
end

local function holds(value, match)
  if value == nil then return false end
  if match.program then return test_of(match)(value) end
  return value == match.value
end

local function conditions_hold(rule, request)
  if rule.method and rule.method ~= request.method then return false end
  if rule.headers then
    for _, match in ipairs(rule.headers) do
      if holds(request:header(match.name), match) == (match.inverted == 1) then return false end
    end
  end
  if rule.params then
    for _, match in ipairs(rule.params) do
      if not holds(request_path.query_value(request.search, match.name), match) then return false end
    end
  end
  return true
end

-- The first of `rules` that takes the request, if it comes before `found`.
local function first_of(rules, request, found)
  if not rules then return found end
  for _, rule in ipairs(rules) do
    if found and rule.position > found.position then return found end
    if conditions_hold(rule, request) then return rule end
  end
  return found
end

function host_rules.compile(data)
  local exact, prefixes, patterns = {}, {}, {}
  for position, rule in ipairs(data.rules) do
    rule.position = position
    if rule.type == "exact" then
      file(exact, request_path.comparable(rule.path), rule)
    elseif rule.type == "prefix" then
      local prefix = request_path.comparable(rule.path)
      if sub(prefix, -1) == "/" then prefix = sub(prefix, 1, -2) end
      file(prefixes, prefix, rule)
    else
      patterns[#patterns + 1] = rule
    end
  end
  local host = { section = data.section }

  function host.find(request)
    local path = request_path.comparable(request.path)
    local found = first_of(exact[path], request, nil)
    if string.byte(path) == 0x2f then
      found = first_of(prefixes[""], request, found)
      local slash = find(path, "/", 2, true)
      while slash do
        found = first_of(prefixes[sub(path, 1, slash - 1)], request, found)
        slash = find(path, "/", slash + 1, true)
      end
      found = first_of(prefixes[path], request, found)
    end
    for _, rule in ipairs(patterns) do
      if found and rule.position > found.position then break end
      if test_of(rule)(request.path) and conditions_hold(rule, request) then return rule end
    end
    return found
  end

  return host
end

return host_rules
