-- Hosts: src/model/hostname.ts says what a host is and which configured names take it.
local hostname = {}

local find, sub, byte = string.find, string.sub, string.byte
local longest = 253

-- The name in a Host header, or nil for what is no host.
function hostname.normalize(authority)
  local length = #authority
  if length == 0 or length > longest + 7 then return nil end
  local name, port
  if byte(authority) == 0x5b then
    name, port = string.match(authority, "^(%[[%x:.]+%])(.*)$")
    if not name or #name < 4 or #name > 47 then return nil end
  else
    name, port = string.match(authority, "^([^:]*)(.*)$")
    if byte(name, -1) == 0x2e then name = sub(name, 1, -2) end
    if #name > longest or not find(name, "^[%w_][%w_.-]*$") or find(name, "..", 1, true) then return nil end
    if byte(name, -1) == 0x2e then return nil end
  end
  if port ~= "" then
    local digits = string.match(port, "^:(%d*)$")
    if not digits or #digits > 5 or (tonumber(digits) or 0) > 65535 then return nil end
  end
  return string.lower(name)
end

function hostname.is_address(host)
  return byte(host) == 0x5b or find(host, "^%d%d?%d?%.%d%d?%d?%.%d%d?%d?%.%d%d?%d?$") ~= nil
end

-- Calls `visit` with the names that would take `host`, most specific first, until it gives something.
function hostname.each_candidate(host, visit)
  local found = visit(host)
  if found then return found end
  if #host <= longest and not hostname.is_address(host) then
    local dot = find(host, ".", 1, true)
    while dot do
      found = visit("*" .. sub(host, dot))
      if found then return found end
      dot = find(host, ".", dot + 1, true)
    end
  end
  return visit("*")
end

return hostname
