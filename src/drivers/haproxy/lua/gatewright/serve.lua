-- What happens to a request, step by step; the order is that of src/drivers/embedded/http/serve-request.ts.
local balance = require("gatewright.balance")
local cors = require("gatewright.cors")
local header_changes = require("gatewright.header_changes")
local reply = require("gatewright.reply")
local request_type = require("gatewright.request")
local request_path = require("gatewright.request_path")
local routing = require("gatewright.routing")

local serve = {}

local default_ports = { http = 80, https = 443 }

-- What is done to the answer, whoever gives it.
local function decorated(state, fields)
  local result = fields
  if state.cors then
    for _, field in ipairs(state.cors) do result[#result + 1] = field end
    result[#result + 1] = { "vary", "Origin" }
  end
  result = header_changes.list(result, state.backend_headers)
  return header_changes.list(result, state.action and state.action.responseHeaders)
end

local function answer(txn, state, status, text, fields)
  reply.text(txn, state.request, status, text, decorated(state, fields or {}))
end

local function redirect(txn, state, given)
  local request = state.request
  local scheme = given.scheme or state.scheme
  local port = given.port == 0 and state.port or given.port
  port = state.mapped_ports[port] or port
  local path = given.path and request_path.change(request.path, given.path) or request.path
  local shown = port == default_ports[scheme] and "" or ":" .. port
  local query = request.search == "?" and "" or request.search
  local location = scheme .. "://" .. (given.hostname or request.host) .. shown .. path .. query
  reply.send(txn, request, given.statusCode, "", decorated(state, { { "location", location } }))
end

-- True: it was a pre-flight request, which is answered now.
local function answers_cors(txn, state, policy)
  if not policy then return false end
  local headers, is_preflight = cors.judge(policy, state.request)
  if not headers then return false end
  state.cors = headers
  if is_preflight then reply.send(txn, state.request, 200, "", decorated(state, {})) end
  return is_preflight
end

-- Headers that the client named as belonging to its connection.
local function drop_named(txn, request)
  local connection = request:header("connection")
  if not connection then return end
  for token in string.gmatch(string.lower(connection), "[^%s,]+") do
    if token ~= "close" and token ~= "keep-alive" and token ~= "upgrade" and token ~= "host"
      and string.sub(token, 1, 12) ~= "x-forwarded-" and token ~= "content-length"
      and token ~= "transfer-encoding" and token ~= "te" and token ~= "x-request-id" then
      txn.http:req_del_header(token)
    end
  end
end

local function forward(txn, state, chosen)
  local request, action = state.request, state.action
  if chosen.redirect then return redirect(txn, state, chosen.redirect) end
  if chosen.status then return answer(txn, state, chosen.status, "a backend of the route is not usable") end
  local http = txn.http
  header_changes.request(http, action.requestHeaders)
  header_changes.request(http, chosen.requestHeaders)
  local rewrite, own = action.rewrite, chosen.rewrite
  local path = request.path
  if rewrite and rewrite.path then path = request_path.change(path, rewrite.path) end
  if own and own.path then path = request_path.change(path, own.path) end
  local target = path .. request.search
  if target ~= request.target then http:req_set_uri(target) end
  local host = (own and own.hostname) or (rewrite and rewrite.hostname)
  if host then http:req_set_header("host", host) end
  txn:set_var("txn.gw_backend", chosen.backend)
  if action.serverTimeout then txn:set_var("txn.gw_timeout", action.serverTimeout) end
  if state.cors or state.backend_headers or action.responseHeaders then
    txn:set_var("txn.gw_respond", true)
  end
end

local mappings = {}

-- "80=8080,443=8443", or "-" for none.
local function mapped_ports(text)
  local ports = mappings[text]
  if not ports then
    ports = {}
    for from, to in string.gmatch(text, "(%d+)=(%d+)") do ports[tonumber(from)] = tonumber(to) end
    mappings[text] = ports
  end
  return ports
end

function serve.route(txn, listener, scheme, section, port, mapped)
  local request, refused = request_type.read(txn)
  if not request then return reply.text(txn, refused, 400, "the request's target or host is malformed") end
  local state = { request = request, scheme = scheme, port = tonumber(port), mapped_ports = mapped_ports(mapped) }
  local rule, status = routing.find(request, listener, section)
  if not rule then
    local text = status == 421 and "this connection is not for that host" or "no route for this request"
    return reply.text(txn, request, status, text)
  end
  local action = routing.action_of(rule)
  state.action = action
  txn:set_var("txn.gw_route", action.route)
  txn:set_var("txn.gw_rule", action.rule)
  txn:set_var("txn.gw_path", request.path)
  txn:set_var("txn.gw_host", request.host)
  txn:set_priv(state)
  if answers_cors(txn, state, action.cors) then return end
  if action.redirect then return redirect(txn, state, action.redirect) end
  local chosen = balance.next(action.backends)
  if not chosen then return answer(txn, state, 500, "the route has no backends") end
  state.backend_headers = chosen.responseHeaders
  if answers_cors(txn, state, chosen.cors) then return end
  drop_named(txn, request)
  return forward(txn, state, chosen)
end

local function mentions_origin(vary)
  for token in string.gmatch(string.lower(vary), "[^%s,]+") do
    if token == "origin" or token == "*" then return true end
  end
  return false
end

function serve.respond(txn)
  local state = txn:get_priv()
  if not state then return end
  local http = txn.http
  if state.cors then
    local headers = http:res_get_headers()
    for name in pairs(headers) do
      if string.sub(name, 1, 15) == "access-control-" then http:res_del_header(name) end
    end
    for _, field in ipairs(state.cors) do http:res_set_header(field[1], field[2]) end
    local has_origin = false
    for _, value in pairs(headers["vary"] or {}) do
      if mentions_origin(value) then has_origin = true end
    end
    if not has_origin then http:res_add_header("vary", "Origin") end
  end
  header_changes.response(http, state.backend_headers)
  header_changes.response(http, state.action.responseHeaders)
end

return serve
