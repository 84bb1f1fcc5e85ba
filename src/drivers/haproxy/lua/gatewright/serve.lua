-- What happens to a request, step by step; the order is that of src/drivers/embedded/http/serve-request.ts.
local authorization = require("gatewright.authorization")
local balance = require("gatewright.balance")
local client_addresses = require("gatewright.client_addresses")
local cors = require("gatewright.cors")
local hashing = require("gatewright.hashing")
local header_changes = require("gatewright.header_changes")
local limits = require("gatewright.limits")
local reply = require("gatewright.reply")
local request_type = require("gatewright.request")
local request_path = require("gatewright.request_path")
local retry = require("gatewright.retry")
local routing = require("gatewright.routing")
local sections = require("gatewright.sections")
local session = require("gatewright.session")
local watch = require("gatewright.watch")

local serve = {}

-- What only the access log asks for is kept only for it.
local logs = os.getenv("GATEWRIGHT_LOGS") == "yes"

local default_ports = { http = 80, https = 443 }

-- What is done to the answer, whoever gives it.
local function decorated(state, fields)
  local result = fields
  if state.cors then
    for _, field in ipairs(state.cors) do result[#result + 1] = field end
    result[#result + 1] = { "vary", "Origin" }
  end
  result = header_changes.list(result, state.backend_headers)
  result = header_changes.list(result, state.action.responseHeaders)
  for _, field in ipairs(state.extra or {}) do result[#result + 1] = field end
  return result
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

local function client_of(txn, state)
  local fetch = txn.f
  local version = fetch:req_ver()
  return {
    id = state.request_id, scheme = state.scheme, size = fetch:req_body_size() or 0,
    protocol = version == "2.0" and "HTTP/2" or "HTTP/" .. version,
    address = fetch:src() or "", port = fetch:src_port() or 0,
    local_address = fetch:dst() or "", local_port = fetch:dst_port() or 0,
  }
end

-- True: the request is answered, because it was not a clear yes.
local function refuses(txn, state, auth)
  if not auth then return false end
  local request = state.request
  local body = ""
  if auth.maxBodySize > 0 then
    local size = txn.f:req_body_size() or 0
    body = txn.f:req_body() or ""
    -- What is not all there is more than can be kept.
    if size > auth.maxBodySize or #body > auth.maxBodySize or #body < size or #body >= state.most_body then
      answer(txn, state, 413, "the body is larger than the authorization of this route allows")
      return true
    end
  end
  local decision = authorization.ask(auth, request, body, client_of(txn, state))
  if not decision.is_allowed then
    if request.is_grpc then
      answer(txn, state, decision.status, "the request is not authorized")
    else
      local fields = {}
      for _, field in ipairs(decision.fields) do fields[#fields + 1] = { field[1], field[2] } end
      reply.send(txn, request, decision.status, decision.body, decorated(state, fields))
    end
    return true
  end
  for name in pairs(decision.remove) do txn.http:req_del_header(name) end
  for _, field in ipairs(decision.add) do txn.http:req_add_header(field[1], field[2]) end
  request.headers = nil
  for _, field in ipairs(decision.answer) do
    state.extra = state.extra or {}
    state.extra[#state.extra + 1] = field
  end
  return false
end

-- What a Connection header may name without effect: framing, the host, and what HAProxy sees to by itself.
local kept_tokens = {
  close = true, ["keep-alive"] = true, upgrade = true, host = true, ["content-length"] = true, ["transfer-encoding"] = true,
  te = true,
}

-- Headers that the other side named as belonging to its connection go, and so does the list: the next hop would delete by it what the gateway has set (RFC 9110
-- 7.6.1). HAProxy has read `close` and `keep-alive` before this. Gives whether an upgrade is in the list.
local function drop_listed(values, delete)
  local upgrades = false
  for _, value in pairs(values) do
    for token in string.gmatch(string.lower(value), "[^%s,]+") do
      if token == "upgrade" then upgrades = true end
      if not kept_tokens[token] then delete(token) end
    end
  end
  return upgrades
end

local function drop_named(txn, request)
  if txn.f:req_fhdr_cnt("connection") == 0 then return end
  local http, headers = txn.http, request:all()
  local upgrades = drop_listed(headers["connection"], function(name) http:req_del_header(name) end)
  if upgrades and headers["upgrade"] then
    http:req_set_header("connection", "upgrade")
  else
    http:req_del_header("connection")
  end
  request.headers = nil
end

-- The same for answers.
function serve.drop_named(txn)
  local http = txn.http
  local headers = http:res_get_headers()
  local upgrades = drop_listed(headers["connection"] or {}, function(name) http:res_del_header(name) end)
  if upgrades and headers["upgrade"] then
    http:res_set_header("connection", "upgrade")
  else
    http:res_del_header("connection")
  end
end

-- What the gateway knows of the client. X-Forwarded-For is added to; the rest is the gateway's word alone.
-- What the client calls its request, if that may be passed on, or a name for it.
local function identify(txn, request)
  local id = txn.f:req_fhdr("x-request-id", 1)
  local is_unnamed = not id or #id > 128 or not string.find(id, "^[%w._~:+/=@-]+$")
  request.id = is_unnamed and txn.f:uuid() or id
  request.is_renamed = is_unnamed or txn.f:req_fhdr_cnt("x-request-id") > 1
end

local function tell_of_client(txn, state)
  local fetch, http, request = txn.f, txn.http, state.request
  local address = fetch:src() or ""
  local before = fetch:req_fhdr_cnt("x-forwarded-for") > 0 and request:header("x-forwarded-for")
  http:req_set_header("x-forwarded-for", before and before .. ", " .. address or address)
  http:req_set_header("x-forwarded-proto", state.scheme)
  http:req_set_header("x-forwarded-host", request.authority)
  if not request.id then identify(txn, request) end
  if request.is_renamed then http:req_set_header("x-request-id", request.id) end
  state.request_id = request.id
  request.headers = nil
end

local function mirrors_of(action, chosen)
  local names
  for _, list in ipairs({ action.mirrors or {}, chosen.mirrors or {} }) do
    for _, mirror in ipairs(list) do
      if balance.takes(mirror) and mirror.backend then
        names = names or {}
        names[#names + 1] = sections.name_of(mirror.backend)
      end
    end
  end
  return names
end

local function send_on(txn, state, chosen, server)
  local request, action = state.request, state.action
  local deadline = action.requestTimeout and state.started + action.requestTimeout or nil
  local mirrors = (action.mirrors or chosen.mirrors) and not request:header("upgrade") and mirrors_of(action, chosen) or nil
  local section = sections.name_of(chosen.backend)
  if action.via then
    retry.prepare(txn, action, chosen.backend, section, server, deadline)
    section = action.via
    txn:set_var("txn.gw_retries", true)
    local timeout = state.idle and action.requestTimeout or not state.idle and action.wholeTimeout
    if timeout then txn:set_var("txn.gw_timeout", timeout) end
  else
    if server then txn:set_var("txn.gw_server", server) end
    local timeout = state.idle and action.answerTimeout or not state.idle and action.serverTimeout
    if timeout then txn:set_var("txn.gw_timeout", timeout) end
    -- Without retries there is one try, which ends with its answer.
    if action.tryTimeout then
      local try_deadline = watch.now() + action.tryTimeout
      if not deadline or try_deadline < deadline then deadline = try_deadline end
    end
  end
  if action.idle then txn:set_var("txn.gw_idle", action.idle) end
  if deadline or mirrors or state.idle or state.most then
    watch.expect(txn, { deadline = deadline, mirrors = mirrors, idle = state.idle, most = state.most, upgrades = state.most and request:header("upgrade") })
  end
  if logs then txn:set_var("txn.gw_target", chosen.backend) end
  txn:set_var("txn.gw_backend", section)
end

local function forward(txn, state, chosen, server)
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
  if action.session then
    state.session_server = server
    state.session_section = chosen.backend
    server = server or session.next_server(chosen.backend)
  end
  server = server or hashing.server_for(txn, chosen.backend, request)
  send_on(txn, state, chosen, server)
  if state.cors or state.backend_headers or action.responseHeaders or state.extra or action.session then
    txn:set_var("txn.gw_respond", true)
  end
end

-- The client and what came in, before anything else is done. True: the request is answered.
local function is_unwelcome(txn, state)
  local given, request = state.action.clientAddresses, state.request
  if not given then return false end
  local function forwarded() return request:header("x-forwarded-for") end
  if client_addresses.take(given, txn.f:src() or "", forwarded) then return false end
  answer(txn, state, 403, "this client is not allowed here")
  return true
end

-- Over HTTP/2 a body needs no word about it.
local function may_have_body(txn, request)
  return request:header("transfer-encoding") ~= nil or (txn.f:req_ver() == "2.0" and not request:header("upgrade"))
end

-- A length that is declared is enough; any other body is counted on its way.
local function is_too_large(txn, state)
  local most, request = state.action.maxBodySize, state.request
  if not most then return false end
  local length = tonumber(request:header("content-length") or "")
  if length then
    if length <= most then return false end
    answer(txn, state, 413, "the body is larger than this route allows")
    return true
  end
  if may_have_body(txn, request) then state.most = most end
  return false
end

-- Bytes of head and body that HAProxy's buffer has room for in any case.
local most_kept = 50000
local bodiless = { GET = true, HEAD = true, OPTIONS = true, DELETE = true, TRACE = true, CONNECT = true }

-- Of a rule that does not wait for ever: a short body is waited for here, so that the backend's time begins with the whole request. True: the client has not gone
-- on, and is answered. Others are watched on their way.
local function is_silent(txn, state)
  local idle, request = state.action.idle, state.request
  if not idle then return false end
  local length = tonumber(request:header("content-length") or "")
  if length == 0 then return false end
  if not length and not request:header("transfer-encoding") and (bodiless[request.method] or not may_have_body(txn, request)) then
    return false
  end
  local fetch, size, since = txn.f, 0, watch.now()
  if not length or length + #(fetch:req_hdrs() or "") >= most_kept or request:header("expect") then
    state.idle = idle
    return false
  end
  while true do
    local known = fetch:req_body_len() or 0
    if known >= length then return false end
    if known > size then
      size, since = known, watch.now()
    elseif watch.now() - since >= idle then
      answer(txn, state, 408, "the request took too long to arrive", { { "connection", "close" } })
      return true
    end
    core.msleep(math.min(20, idle))
  end
end

-- All that may need the request's body.
local function go_on(txn, state)
  local action = state.action
  if answers_cors(txn, state, action.cors) then return end
  if refuses(txn, state, action.auth) then return end
  if action.redirect then return redirect(txn, state, action.redirect) end
  local chosen, server
  if action.session then chosen, server = session.find(txn, action.session, state.request, action.backends) end
  chosen = chosen or balance.next(action.backends)
  if not chosen then return answer(txn, state, 500, "the route has no backends") end
  state.backend_headers = chosen.responseHeaders
  if answers_cors(txn, state, chosen.cors) then return end
  if refuses(txn, state, chosen.auth) then return end
  return forward(txn, state, chosen, server)
end

local function admit(txn, state)
  if is_too_large(txn, state) or is_silent(txn, state) then return end
  if state.action.needsBody then
    txn:set_var("txn.gw_body", true)
    return
  end
  return go_on(txn, state)
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
  if not request then return reply.text(txn, refused, 400, "the request's method, target or host is malformed") end
  if logs then
    txn:set_var("txn.gw_path", request.path)
    txn:set_var("txn.gw_host", request.host)
    identify(txn, request)
    txn:set_var("txn.gw_id", request.id)
  end
  local rule, status = routing.find(request, listener, section)
  if not rule then
    local text = status == 421 and "this connection is not for that host" or "no route for this request"
    return reply.text(txn, request, status, text)
  end
  local action = routing.action_of(rule)
  local state = {
    request = request, scheme = scheme, port = tonumber(port), mapped_ports = mapped_ports(mapped), action = action,
    most_body = 56000,
  }
  if action.requestTimeout then state.started = watch.now() end
  txn:set_priv(state)
  if is_unwelcome(txn, state) then return end
  drop_named(txn, request)
  tell_of_client(txn, state)
  if logs then
    txn:set_var("txn.gw_route", action.route)
    txn:set_var("txn.gw_rule", action.rule)
  end
  if action.rateLimit then return limits.prepare(txn, state, action.rateLimit) end
  return admit(txn, state)
end

-- The same request, when the table where it is counted has been looked up.
function serve.limited(txn)
  local state = txn:get_priv()
  if not state then return reply.text(txn, { method = "GET" }, 500, "the gateway failed") end
  local given = state.action.rateLimit
  if not limits.take(txn, state, given) then
    local fields = {}
    for _, field in ipairs(given.responseHeaders) do fields[#fields + 1] = { field[1], field[2] } end
    return answer(txn, state, given.statusCode, "too many requests", fields)
  end
  return admit(txn, state)
end

-- The same request, when its body has been waited for.
function serve.with_body(txn)
  local state = txn:get_priv()
  if not state then return reply.text(txn, { method = "GET" }, 500, "the gateway failed") end
  return go_on(txn, state)
end

local function mentions_origin(vary)
  for token in string.gmatch(string.lower(vary), "[^%s,]+") do
    if token == "origin" or token == "*" then return true end
  end
  return false
end

local function mark_cors(http, fields)
  local headers = http:res_get_headers()
  for name in pairs(headers) do
    if string.sub(name, 1, 15) == "access-control-" then http:res_del_header(name) end
  end
  for _, field in ipairs(fields) do http:res_set_header(field[1], field[2]) end
  for _, value in pairs(headers["vary"] or {}) do
    if mentions_origin(value) then return end
  end
  http:res_add_header("vary", "Origin")
end

function serve.respond(txn)
  local state = txn:get_priv()
  if not state then return end
  local http, action = txn.http, state.action
  if state.cors then mark_cors(http, state.cors) end
  header_changes.response(http, state.backend_headers)
  header_changes.response(http, action.responseHeaders)
  for _, field in ipairs(state.extra or {}) do http:res_add_header(field[1], field[2]) end
  if action.session then
    local told = action.via and http:res_get_headers()["gatewright-server"]
    local server = action.via and told and told[0] or not action.via and txn.f:srv_name()
    if server and server ~= state.session_server then
      http:res_add_header(session.header(txn, action.session, state.session_section, server, state.scheme))
    end
  end
end

return serve
