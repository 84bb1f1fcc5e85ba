-- Sessions that stay with an endpoint: the client keeps a token that names the endpoint without saying its address. It is good if
-- this gateway made it, if it is not too old, and if its endpoint is one that the rule's backends have right now.
--
-- Token: time of issue in seconds (8 hex digits), name of section and server as a keyed hash (24), signature (32).
local store = require("gatewright.store")

local session = {}

local secret = store.secret("session-secret")
local servers = Map.new(os.getenv("GATEWRIGHT_MAPS") .. "/servers.map", Map._str)

local function hex(text)
  return (string.gsub(text, ".", function(character) return string.format("%02x", string.byte(character)) end))
end

local function keyed_hash(txn, text, length)
  return string.sub(hex(txn.c:hmac(text, "sha256", secret)), 1, length)
end

local hashes = {}

-- The same for as long as there is such a server.
local function endpoint_hash(txn, section, server)
  local of_section = hashes[section]
  if not of_section then
    of_section = {}
    hashes[section] = of_section
  end
  local hash = of_section[server]
  if not hash then
    hash = keyed_hash(txn, "endpoint " .. section .. " " .. server, 24)
    of_section[server] = hash
  end
  return hash
end

local function signature(txn, given, content)
  return keyed_hash(txn, "session " .. given.type .. " " .. given.name .. " " .. content, 32)
end

-- The servers of a section, as a list; the list in force is in a map.
local lists = {}

function session.servers_of(section)
  local text = servers:lookup(section) or "-"
  local known = lists[section]
  if not known or known.text ~= text then
    known = { text = text, turn = known and known.turn or 0 }
    for name in string.gmatch(text, "[^,]+") do
      if name ~= "-" then known[#known + 1] = name end
    end
    lists[section] = known
    hashes[section] = nil
  end
  return known
end

-- Tokens that the request carries; of cookies there may be several of one name.
local function tokens_of(given, request)
  if given.type == "header" then return { request:header(given.name) } end
  local tokens = {}
  for pair in string.gmatch(request:header("cookie") or "", "[^;]+") do
    local name, value = string.match(pair, "^%s*([^=]-)=(.-)%s*$")
    if name == given.name then tokens[#tokens + 1] = value end
  end
  return tokens
end

local function read_token(txn, given, token, choices)
  if #token ~= 64 or not string.find(token, "^%x+$") then return nil end
  if signature(txn, given, string.sub(token, 1, 32)) ~= string.sub(token, 33) then return nil end
  local age = core.now().sec - tonumber(string.sub(token, 1, 8), 16)
  if given.absoluteTimeout and age * 1000 >= given.absoluteTimeout then return nil end
  local wanted = string.sub(token, 9, 32)
  for _, choice in ipairs(choices) do
    if choice.backend then
      for _, server in ipairs(session.servers_of(choice.backend)) do
        if endpoint_hash(txn, choice.backend, server) == wanted then return choice, server end
      end
    end
  end
  return nil
end

-- The backend and server of the request's session, if it has one.
function session.find(txn, given, request, choices)
  for _, token in ipairs(tokens_of(given, request)) do
    local choice, server = read_token(txn, given, token, choices)
    if choice then return choice, server end
  end
  return nil
end

-- The server whose turn it is.
function session.next_server(section)
  local list = session.servers_of(section)
  if #list == 0 then return nil end
  list.turn = list.turn % #list + 1
  return list[list.turn]
end

-- Where a session goes whose server failed so many times.
function session.server_after(section, server, failures)
  local list = session.servers_of(section)
  for position, name in ipairs(list) do
    if name == server then return list[(position - 1 + failures) % #list + 1] end
  end
  return server
end

-- Name and value of the header that gives the client its token.
function session.header(txn, given, section, server, scheme)
  local content = string.format("%08x", core.now().sec) .. endpoint_hash(txn, section, server)
  local token = content .. signature(txn, given, content)
  if given.type == "header" then return given.name, token end
  local cookie = given.name .. "=" .. token
  if given.path then cookie = cookie .. "; Path=" .. given.path end
  cookie = cookie .. "; HttpOnly; SameSite=Strict"
  if scheme == "https" then cookie = cookie .. "; Secure" end
  if given.maxAge then cookie = cookie .. "; Max-Age=" .. given.maxAge end
  return "set-cookie", cookie
end

return session
