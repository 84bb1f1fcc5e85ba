-- Requests of the gateway's own: copies for mirrors, questions to authorization servers. They go through a frontend behind a
-- private socket, so that backends are reached as they must be (TLS, HTTP/2, balancing), whoever asks.
local inside = {}

local address = "unix@" .. os.getenv("GATEWRIGHT_FOLDER") .. "/inside"
local most_lines = 300

function inside.connect(timeout)
  local socket = core.tcp()
  socket:settimeout(timeout)
  if not socket:connect(address) then return nil end
  return socket
end

-- `fields`: a list of {name, value}, which are fit for a header.
function inside.head(backend, method, target, fields)
  local lines = { method .. " " .. target .. " HTTP/1.1", "gatewright-backend: " .. backend }
  for _, field in ipairs(fields) do lines[#lines + 1] = field[1] .. ": " .. field[2] end
  return table.concat(lines, "\r\n") .. "\r\n"
end

local function read_fields(socket)
  local fields = {}
  for _ = 1, most_lines do
    local line = socket:receive("*l")
    if not line then return nil end
    line = string.gsub(line, "\r$", "")
    if line == "" then return fields end
    local name, value = string.match(line, "^([^:]+):%s*(.-)%s*$")
    if not name then return nil end
    fields[#fields + 1] = { string.lower(name), value }
  end
  return nil
end

function inside.value_of(fields, name)
  for _, field in ipairs(fields) do
    if field[1] == name then return field[2] end
  end
  return nil
end

local function read_chunks(socket, most)
  local parts, size = {}, 0
  while true do
    local line = socket:receive("*l")
    local length = line and tonumber(string.match(line, "^%x+") or "", 16)
    if not length then return nil end
    if length == 0 then
      local trailers = read_fields(socket)
      if not trailers then return nil end
      return table.concat(parts), trailers
    end
    size = size + length
    if size > most then return nil end
    local data = socket:receive(length)
    if not data or #data ~= length then return nil end
    parts[#parts + 1] = data
    if not socket:receive("*l") then return nil end
  end
end

-- The whole answer, or nil: too slow, too large, broken off.
local function read_answer(socket, most, is_head)
  local status
  repeat
    local line = socket:receive("*l")
    status = line and tonumber(string.match(line, "^HTTP/1%.[01] (%d%d%d)"))
    if not status then return nil end
    if status < 200 and not read_fields(socket) then return nil end
  until status >= 200
  local fields = read_fields(socket)
  if not fields then return nil end
  local answer = { status = status, fields = fields, body = "" }
  if is_head or status == 204 or status == 304 then return answer end
  local coding, length = inside.value_of(fields, "transfer-encoding"), inside.value_of(fields, "content-length")
  if coding then
    answer.body, answer.trailers = read_chunks(socket, most)
    if not answer.body then return nil end
  elseif length then
    length = tonumber(length)
    if not length or length > most then return nil end
    if length > 0 then
      answer.body = socket:receive(length)
      if not answer.body or #answer.body ~= length then return nil end
    end
  else
    answer.body = socket:receive("*a") or ""
    if #answer.body > most then return nil end
  end
  return answer
end

-- `question`: backend, method, target, fields, body, timeout (seconds), most (bytes of the answer).
function inside.ask(question)
  local socket = inside.connect(question.timeout)
  if not socket then return nil end
  local head = inside.head(question.backend, question.method, question.target, question.fields)
  local framing = ""
  if #question.body > 0 or question.method == "POST" or question.method == "PUT" or question.method == "PATCH" then
    framing = "content-length: " .. #question.body .. "\r\n"
  end
  local answer
  if socket:send(head .. framing .. "connection: close\r\n\r\n" .. question.body) then
    answer = read_answer(socket, question.most, question.method == "HEAD")
  end
  socket:close()
  return answer
end

return inside
