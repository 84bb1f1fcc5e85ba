/*
 * What a session's token says before Envoy's own (`session.ts`): taken off what a client brings, put before what it is given. A token
 * that is too old, or is none of ours, is taken away, and the client gets a new session.
 *
 * Also: takes the port off the Location of redirects that must not show one (`redirect.ts`).
 */
import { internalHeaders } from "../names.ts";

export const sessionsScript = `
local function read_token(handle, token, timeout)
  local time, backend, rest = token:match("^(%d+)%.(%w+)%.(.+)$")
  if not time or #time > 12 then return end
  if timeout and handle:timestamp() - tonumber(time) * 1000 >= timeout then return end
  return backend, rest
end

local function read_cookie(handle, headers, name, timeout)
  local cookie = headers:get("cookie")
  if not cookie then return end
  local kept = {}
  local found
  for part in cookie:gmatch("[^;,]+") do
    local pair = part:match("^%s*(.-)%s*$")
    if pair:sub(1, #name + 1) ~= name .. "=" then
      kept[#kept + 1] = pair
    elseif not found then
      local backend, rest = read_token(handle, pair:sub(#name + 2), timeout)
      if backend then
        found = backend
        kept[#kept + 1] = name .. "=" .. rest
      end
    end
  end
  if #kept > 0 then headers:replace("cookie", table.concat(kept, "; ")) else headers:remove("cookie") end
  return found
end

local function read_header(handle, headers, name, timeout)
  local token = headers:get(name)
  if not token then return end
  local backend, rest = read_token(handle, token, timeout)
  if backend then headers:replace(name, rest) else headers:remove(name) end
  return backend
end

function envoy_on_request(handle)
  local settings = handle:metadata()
  local name = settings:get("sessionName")
  if not name then return end
  local timeout = settings:get("sessionTimeout")
  local read = settings:get("sessionType") == "cookie" and read_cookie or read_header
  local headers = handle:headers()
  local backend = read(handle, headers, name, timeout)
  if not backend then return end
  headers:replace("${internalHeaders.session}", backend)
  handle:clearRouteCache()
end

local function write_cookie(headers, name, prefix, max_age)
  local cookies = {}
  local changed = false
  for index = 0, headers:getNumValues("set-cookie") - 1 do
    local cookie = headers:getAtIndex("set-cookie", index)
    if cookie then
      local value = cookie:match('^[^=;]*="?([^";]*)"?')
      if cookie:sub(1, #name + 1) == name .. "=" and value then
        local attributes = cookie:match(";.*$") or ""
        cookie = name .. "=" .. prefix .. value .. attributes
        if max_age then cookie = cookie .. string.format("; Max-Age=%d", max_age) end
        changed = true
      end
      cookies[#cookies + 1] = cookie
    end
  end
  if not changed then return end
  headers:remove("set-cookie")
  for _, cookie in ipairs(cookies) do headers:add("set-cookie", cookie) end
end

function envoy_on_response(handle)
  local settings = handle:metadata()
  local headers = handle:headers()
  local strip_port = settings:get("stripPort")
  if strip_port then
    local location = headers:get("location")
    if location then
      local scheme, authority, rest = location:match("^(%a[%w+.-]*://)([^/?#]*)(.*)$")
      if authority then headers:replace("location", scheme .. authority:gsub(":%d*$", "") .. rest) end
    end
  end
  local name = settings:get("sessionName")
  local backend = headers:get("${internalHeaders.session}")
  if backend then headers:remove("${internalHeaders.session}") end
  if not name or not backend then return end
  local prefix = string.format("%d.%s.", math.floor(handle:timestamp() / 1000), backend)
  if settings:get("sessionType") == "cookie" then
    local max_age = settings:get("sessionMaxAge")
    write_cookie(headers, name, prefix, max_age)
    return
  end
  local token = headers:get(name)
  if token then headers:replace(name, prefix .. token) end
end
`;
