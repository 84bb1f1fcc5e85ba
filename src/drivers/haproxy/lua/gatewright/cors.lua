-- Cross-origin requests: src/model/cors.ts has the rules.
local cors = {}

local function parse_origin(origin)
  local scheme, host, port = string.match(string.lower(origin), "^(https?)://([a-z0-9._*-]+)(.*)$")
  if not scheme then
    scheme, host, port = string.match(string.lower(origin), "^(https?)://(%[[0-9a-f:.]+%])(.*)$")
  end
  if not scheme then return nil end
  if port == "" then return scheme, host, scheme == "https" and "443" or "80" end
  port = string.match(port, "^:(%d+)$")
  if not port or #port > 5 then return nil end
  return scheme, host, port
end

local function allows_origin(pattern, origin)
  if pattern == "*" or pattern == origin then return true end
  local wanted_scheme, wanted_host, wanted_port = parse_origin(pattern)
  local scheme, host, port = parse_origin(origin)
  if not wanted_scheme or not scheme or wanted_scheme ~= scheme or wanted_port ~= port then return false end
  local star = string.find(wanted_host, "*", 1, true)
  if not star then return wanted_host == host end
  local before, after = string.sub(wanted_host, 1, star - 1), string.sub(wanted_host, star + 1)
  return #host > #before + #after
    and string.sub(host, 1, #before) == before
    and string.sub(host, #host - #after + 1) == after
end

-- As a header value, with `instead` for a list that allows everything.
local function list_of(values, instead)
  for _, value in ipairs(values) do
    if value == "*" then return instead end
  end
  return table.concat(values, ", ")
end

-- Gives nil if the request has nothing to do with CORS; else the headers, and whether it is a pre-flight request.
function cors.judge(policy, request)
  local origin = request:header("origin")
  if not origin or origin == "" then return nil end
  local allowed = false
  for _, pattern in ipairs(policy.allowOrigins) do
    if allows_origin(pattern, origin) then allowed = true end
  end
  local wanted = request:header("access-control-request-method")
  local is_preflight = request.method == "OPTIONS" and wanted ~= nil and wanted ~= ""
  local headers = {}
  local function add(name, value)
    if value and value ~= "" then headers[#headers + 1] = { "access-control-" .. name, value } end
  end
  if allowed then
    add("allow-origin", origin)
    if policy.allowCredentials == 1 then add("allow-credentials", "true") end
    if is_preflight then
      add("allow-methods", list_of(policy.allowMethods, wanted))
      add("allow-headers", list_of(policy.allowHeaders, request:header("access-control-request-headers")))
      add("max-age", tostring(policy.maxAge))
    end
    add("expose-headers", list_of(policy.exposeHeaders, policy.allowCredentials ~= 1 and "*" or nil))
  end
  return headers, is_preflight
end

return cors
