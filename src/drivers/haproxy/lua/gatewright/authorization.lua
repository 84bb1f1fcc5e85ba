-- External authorization: a server is asked before the request goes on. Anything but a clear yes refuses the request.
-- What is asked, and what counts as a yes, is as in src/drivers/embedded/http/external-auth-http.ts and -grpc.ts.
local inside = require("gatewright.inside")
local protobuf = require("gatewright.protobuf")
local sections = require("gatewright.sections")

local authorization = {}

local timeout = 5
local most_answer = 65536
local framing = {
  connection = true, ["content-length"] = true, host = true, ["http2-settings"] = true, ["keep-alive"] = true, ["proxy-connection"] = true,
  te = true, trailer = true, ["transfer-encoding"] = true, upgrade = true,
}
local not_copied = { date = true, server = true, vary = true, etag = true, expires = true, ["cache-control"] = true }

local function denied(status, text)
  return { status = status, fields = { { "content-type", "text/plain; charset=utf-8" } }, body = text }
end

local unavailable = denied(403, "the request could not be authorized\n")
local misconfigured = denied(500, "the authorization of this route is not configured correctly\n")

local function set_of(list)
  local set = {}
  for _, name in ipairs(list) do set[name] = true end
  return set
end

local function without_framing(fields)
  local kept = {}
  for _, field in ipairs(fields) do
    if not framing[field[1]] then kept[#kept + 1] = field end
  end
  return kept
end

-- The headers as the backend would get them, in order of their names.
local function headers_of(request)
  local list = {}
  for name, values in pairs(request:all()) do
    if not framing[name] and name ~= "expect" and string.sub(name, 1, 11) ~= "gatewright-" then
      for index = 0, #values do list[#list + 1] = { name, values[index] } end
    end
  end
  return list
end

local function ask_http(auth, request, body)
  local fields = { { "host", request.authority } }
  local listed = auth.requestHeaders ~= "all" and set_of(auth.requestHeaders)
  for _, field in ipairs(headers_of(request)) do
    if not listed or field[1] == "authorization" or listed[field[1]] then fields[#fields + 1] = field end
  end
  return inside.ask({
    backend = sections.name_of(auth.backend), method = request.method, target = auth.pathPrefix .. request.path .. request.search,
    fields = fields, body = body, timeout = timeout, most = most_answer,
  })
end

local function judge_http(auth, answer)
  if answer.status == 200 then
    local wanted = auth.responseHeaders ~= "all" and set_of(auth.responseHeaders)
    local decision = { is_allowed = true, remove = {}, add = {}, answer = {} }
    -- Named headers are the server's to say, even if it has nothing to say.
    if wanted then
      for name in pairs(wanted) do
        if not framing[name] then decision.remove[name] = true end
      end
    end
    for _, field in ipairs(answer.fields) do
      local name = field[1]
      local is_wanted
      if wanted then
        is_wanted = wanted[name]
      else
        is_wanted = not not_copied[name] and string.sub(name, 1, 8) ~= "content-" and string.sub(name, 1, 15) ~= "access-control-"
      end
      if is_wanted and not framing[name] then
        decision.remove[name] = true
        decision.add[#decision.add + 1] = field
      end
    end
    return decision
  end
  if answer.status >= 300 and answer.status < 500 then
    return { status = answer.status, fields = without_framing(answer.fields), body = answer.body }
  end
  return unavailable
end

local function peer(address, port)
  local socket = protobuf.text(2, address) .. protobuf.number(3, port)
  return protobuf.message(1, protobuf.message(1, socket))
end

local function check_request(auth, request, body, client)
  local target = request.path .. request.search
  local http = protobuf.text(1, client.id) .. protobuf.text(2, request.method)
  local sent, order = {}, {}
  local function add(name, value)
    if not sent[name] then order[#order + 1] = name end
    sent[name] = sent[name] and sent[name] .. "," .. value or value
  end
  local listed = auth.requestHeaders ~= "all" and set_of(auth.requestHeaders)
  if not listed then
    add(":authority", request.authority)
    add(":method", request.method)
    add(":path", target)
    add(":scheme", client.scheme)
  end
  for _, field in ipairs(headers_of(request)) do
    if not listed or listed[field[1]] then add(field[1], field[2]) end
  end
  for _, name in ipairs(order) do
    http = http .. protobuf.message(3, protobuf.text(1, name) .. protobuf.text(2, sent[name]))
  end
  http = http .. protobuf.text(4, target) .. protobuf.text(5, request.authority) .. protobuf.text(6, client.scheme)
  http = http .. protobuf.number(9, client.size) .. protobuf.text(10, client.protocol)
  if #body > 0 then http = http .. protobuf.message(utf8.len(body) and 11 or 12, body) end
  local time = core.now()
  local stamp = protobuf.number(1, time.sec) .. protobuf.number(2, time.usec * 1000)
  local attributes = protobuf.message(1, peer(client.address, client.port))
    .. protobuf.message(2, peer(client.local_address, client.local_port))
    .. protobuf.message(4, protobuf.message(1, stamp) .. protobuf.message(2, http))
  return protobuf.message(1, attributes)
end

local function ask_grpc(auth, request, body, client)
  local message = check_request(auth, request, body, client)
  return inside.ask({
    backend = sections.name_of(auth.backend), method = "POST", target = "/envoy.service.auth.v3.Authorization/Check",
    fields = {
      { "host", auth.authority }, { "content-type", "application/grpc" }, { "te", "trailers" },
      { "grpc-timeout", timeout .. "S" },
    },
    body = "\0" .. string.pack(">I4", #message) .. message, timeout = timeout, most = most_answer,
  })
end

local function header_options(fields, number)
  local options = {}
  for _, field in ipairs(fields) do
    if field[1] == number then
      local option = type(field[2]) == "string" and protobuf.read(field[2])
      local header = option and protobuf.read(protobuf.last(option, 1, "string") or "")
      if not header then return nil end
      local name = string.lower(protobuf.last(header, 1, "string") or "")
      local value = protobuf.last(header, 3, "string") or protobuf.last(header, 2, "string") or ""
      if not string.find(name, "^[!#$%%&'*+.^_`|~%w-]+$") or string.find(value, "[%z\1-\8\10-\31\127]") then return nil end
      local wrapped = protobuf.last(option, 2, "string")
      local append
      if wrapped then
        local given = protobuf.read(wrapped)
        if not given then return nil end
        append = protobuf.last(given, 1, "number") == 1
      else
        append = protobuf.last(option, 3, "number") == 0
      end
      if not framing[name] then options[#options + 1] = { name, value, append } end
    end
  end
  return options
end

local function judge_check(text)
  local fields = protobuf.read(text)
  if not fields then return unavailable end
  local status, no, yes = protobuf.last(fields, 1, "string"), protobuf.last(fields, 2, "string"), protobuf.last(fields, 3, "string")
  if not status and not yes then return unavailable end
  local code = protobuf.read(status or "")
  if not code then return unavailable end
  if (protobuf.last(code, 1, "number") or 0) == 0 and not no then
    local said = protobuf.read(yes or "")
    local changes = said and header_options(said, 2)
    local answer = said and header_options(said, 6)
    if not changes or not answer then return unavailable end
    local decision = { is_allowed = true, remove = {}, add = {}, answer = answer }
    for _, field in ipairs(said) do
      if field[1] == 5 and type(field[2]) == "string" and not framing[string.lower(field[2])] then
        decision.remove[string.lower(field[2])] = true
      end
    end
    for _, change in ipairs(changes) do
      if not change[3] then decision.remove[change[1]] = true end
      decision.add[#decision.add + 1] = change
    end
    return decision
  end
  local said = protobuf.read(no or "")
  local fields_of_answer = said and header_options(said, 2)
  local given = said and protobuf.read(protobuf.last(said, 1, "string") or "")
  if not fields_of_answer or not given then return unavailable end
  local answer_status = protobuf.last(given, 1, "number") or 0
  -- A no that looks like a yes to the client is still a no.
  if answer_status < 300 or answer_status > 599 then answer_status = 403 end
  return { status = answer_status, fields = fields_of_answer, body = protobuf.last(said, 3, "string") or "" }
end

local function judge_grpc(answer)
  local trailers = answer.trailers
  local status = inside.value_of(trailers and #trailers > 0 and trailers or answer.fields, "grpc-status")
  if answer.status ~= 200 or status ~= "0" then return unavailable end
  local body = answer.body
  -- One frame, not compressed.
  if #body < 5 or string.byte(body) ~= 0 or string.unpack(">I4", body, 2) ~= #body - 5 then return unavailable end
  return judge_check(string.sub(body, 6))
end

function authorization.ask(auth, request, body, client)
  if not auth.backend then return misconfigured end
  local is_grpc = auth.protocol == "grpc"
  local answer = is_grpc and ask_grpc(auth, request, body, client) or not is_grpc and ask_http(auth, request, body)
  if not answer then return unavailable end
  if is_grpc then return judge_grpc(answer) end
  return judge_http(auth, answer)
end

return authorization
