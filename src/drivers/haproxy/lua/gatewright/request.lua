-- What of a request decides where it goes, read once.
local hostname = require("gatewright.hostname")
local request_path = require("gatewright.request_path")
local reply = require("gatewright.reply")

local request = {}
request.__index = request

-- Gives nil if the request must be refused with 400.
function request.read(txn)
  local fetch = txn.f
  local result = setmetatable({ http = txn.http, method = fetch:method() }, request)
  result.is_grpc = reply.is_grpc(fetch:req_fhdr("content-type"))
  local authority = fetch:req_fhdr("host")
  local target = fetch:url()
  if target and target ~= "*" and string.byte(target) ~= 0x2f then
    local named = string.match(target, "^[Hh][Tt][Tt][Pp][Ss]?://([^/?#]*)")
    if not named then return nil, result end
    if named ~= authority then
      -- Over HTTP/2, HAProxy has put the target together: what is in an authority beyond a host would be in the path now.
      if fetch:req_ver() == "2.0" then return nil, result end
      -- The host of an absolute target takes the place of the Host header (RFC 9112 3.2.2).
      authority = named
      txn.http:req_set_header("host", named)
    end
  end
  result.authority = authority or ""
  local host = authority and hostname.normalize(authority)
  local path, search = request_path.normalize(target or "")
  -- HAProxy shows `*` of HTTP/2 as a target without a path.
  if target and fetch:req_ver() == "2.0" and string.find(target, "^%a[%w+.-]*://[^/?#]*$") then path, search = "*", "" end
  if not host or not path or string.find(result.method, "[^A-Z_-]") then return nil, result end
  result.host, result.path, result.search, result.target = host, path, search, target
  return result
end

-- All headers by their lower-case names, values in order.
function request:all()
  local headers = self.headers
  if not headers then
    headers = self.http:req_get_headers()
    self.headers = headers
  end
  return headers
end

-- The value of a header by its lower-case name; values of a repeated header are joined.
function request:header(name)
  local values = self:all()[name]
  if not values then return nil end
  if not values[1] then return values[0] end
  local joined = values[0]
  for index = 1, #values do joined = joined .. (name == "cookie" and "; " or ", ") .. values[index] end
  return joined
end

return request
