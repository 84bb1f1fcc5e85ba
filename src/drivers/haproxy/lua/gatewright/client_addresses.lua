-- Which clients a rule takes, by their address: src/model/client-addresses.ts says how, this does the same. Ranges come as 32
-- hexadecimal digits and a length.
local client_addresses = {}

local function parse_short(text)
  local a, b, c, d = text:match("^(%d+)%.(%d+)%.(%d+)%.(%d+)$")
  if not a then return end
  local bytes = {}
  for _, part in ipairs({ a, b, c, d }) do
    if #part > 3 or (#part > 1 and part:sub(1, 1) == "0") or tonumber(part) > 255 then return end
    bytes[#bytes + 1] = string.format("%02x", tonumber(part))
  end
  return table.concat(bytes)
end

local function parse_groups(text, is_end)
  if text == "" then return "" end
  local hex = {}
  local groups = {}
  for group in (text .. ":"):gmatch("([^:]*):") do groups[#groups + 1] = group end
  for index, group in ipairs(groups) do
    if group:match("^%x%x?%x?%x?$") then
      hex[#hex + 1] = string.format("%04x", tonumber(group, 16))
    else
      local short = is_end and index == #groups and parse_short(group)
      if not short then return end
      hex[#hex + 1] = short
    end
  end
  return table.concat(hex)
end

local function parse_address(text)
  local plain, zone = text:match("^([^%%]*)(%%?.*)$")
  if not plain:find(":", 1, true) then
    if zone ~= "" then return end
    local short = parse_short(plain)
    return short and ("00000000000000000000ffff" .. short)
  end
  local from, to = plain:find("::", 1, true)
  if not from then
    local all = parse_groups(plain, true)
    return all and #all == 32 and all or nil
  end
  if plain:find("::", from + 1, true) then return end
  local head = parse_groups(plain:sub(1, from - 1), false)
  local tail = parse_groups(plain:sub(to + 1), true)
  if not head or not tail or #head + #tail > 28 then return end
  return head .. string.rep("0", 32 - #head - #tail) .. tail
end

local mapped = "00000000000000000000ffff"

local function is_in_range(address, range)
  local digits, length = range:match("^(%x+)/(%d+)$")
  if not digits then return false end
  length = tonumber(length)
  if length < 96 and address:sub(1, 24) == mapped then return false end
  local whole = math.floor(length / 4)
  if address:sub(1, whole) ~= digits:sub(1, whole) then return false end
  local rest = length % 4
  if rest == 0 then return true end
  local unit = 2 ^ (4 - rest)
  local function top(text) return math.floor(tonumber(text:sub(whole + 1, whole + 1), 16) / unit) end
  return top(address) == top(digits)
end

local function is_in(address, ranges)
  for _, range in ipairs(ranges) do
    if is_in_range(address, range) then return true end
  end
  return false
end

-- `forwarded`: what came in X-Forwarded-For, asked for only if need be.
local function client_of(peer, trusted, forwarded)
  local address = parse_address(peer)
  if not address or not is_in(address, trusted) then return address end
  local said = forwarded()
  if not said then return address end
  local entries = {}
  for entry in string.gmatch(said .. ",", "([^,]*),") do entries[#entries + 1] = string.match(entry, "^%s*(.-)%s*$") end
  for index = #entries, 1, -1 do
    address = parse_address(entries[index])
    if not address or not is_in(address, trusted) then return address end
  end
  return address
end

function client_addresses.take(given, peer, forwarded)
  for _, range in ipairs(given.deny) do
    if range == "unreadable" then return false end
  end
  local address = client_of(peer, given.trusted, forwarded)
  if not address or is_in(address, given.deny) then return false end
  return not given.allow or is_in(address, given.allow)
end

return client_addresses
