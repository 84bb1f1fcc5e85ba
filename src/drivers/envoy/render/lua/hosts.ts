/*
 * Which virtual host takes a request, for all that an exact scope does not decide by itself.
 *
 * A request comes with the key of the scope of its exact host. If there is none, or if none of its rules takes the request (its last
 * route says `miss`), the index of the listener tells which wildcards exist and to which section each belongs. The first that
 * there is, or the exact host, decides the section; the others of that section follow, in order, as long as each says `miss`.
 *
 * A script can look at one other route than the one it finds at its start. So there are three filters with this script in a row, each
 * going on where the one before stopped: the first one finds the index and the first wildcard, the others try two more each.
 *
 * On TLS, the section of the server name may have been put into a header (`server-names.ts`); another section is 421.
 *
 * The text is constant: nothing that a user wrote is ever part of it.
 */
import { internalHeaders } from "../names.ts";

/** What the scripts have in common. */
export const hostFunctions = `
local function host_of(authority)
  local host = authority:match("^%[[^%]]*%]") or authority:match("^[^:]*")
  return (host:gsub("%.$", "")):lower()
end

local function switch(handle, headers, scope)
  headers:replace("${internalHeaders.scope}", scope)
  handle:clearRouteCache()
end

-- Calls back with the suffix of each wildcard that would take the host, the longest first.
local function each_suffix(host, visit)
  if host:sub(1, 1) ~= "[" and not host:match("^%d+%.%d+%.%d+%.%d+$") and #host <= 253 then
    local dot = host:find(".", 1, true)
    while dot do
      if visit(host:sub(dot)) then return end
      dot = host:find(".", dot + 1, true)
    end
  end
  visit("*")
end
`;

export const hostsScript = `${hostFunctions}
local function is_misdirected(handle, headers, section)
  local wanted = headers:get("${internalHeaders.section}")
  if not wanted or wanted == section then return false end
  handle:respond({ [":status"] = "421", ["content-type"] = "text/plain; charset=utf-8" }, "this connection is not for that host\\n")
  return true
end

local function try_rest(handle, headers, rest)
  for turn = 1, 2 do
    local suffix, others = rest:match("^([^ ]*) ?(.*)$")
    local listener = headers:get("${internalHeaders.scope}"):match("^[^|~!]*")
    switch(handle, headers, listener .. "~" .. suffix)
    if others == "" then
      headers:remove("${internalHeaders.next}")
      return
    end
    headers:replace("${internalHeaders.next}", others)
    if turn == 2 then return end
    local miss = handle:metadata():get("miss")
    if not miss then
      headers:remove("${internalHeaders.next}")
      return
    end
    rest = others
  end
end

function envoy_on_request(handle)
  local headers = handle:headers()
  local scope = headers:get("${internalHeaders.scope}")
  if not scope then return end
  local section = handle:virtualHost():metadata():get("section")
  local miss = handle:route():metadata():get("miss")
  local rest = headers:get("${internalHeaders.next}")
  if rest then
    if miss then try_rest(handle, headers, rest) else headers:remove("${internalHeaders.next}") end
    return
  end
  local listener, kind, authority = scope:match("^([^|~!]*)(.)(.*)$")
  if kind ~= "|" then return end
  if section then
    if is_misdirected(handle, headers, section) or not miss then return end
  elseif authority:find("%u") then
    switch(handle, headers, listener .. "|" .. authority:lower())
    return
  end
  switch(handle, headers, listener .. "~")
  local index = handle:metadata()
  local first
  local others = {}
  local owner = section
  each_suffix(host_of(authority), function(suffix)
    local candidate = index:get(suffix)
    if not candidate or (owner and candidate ~= owner) then return end
    owner = candidate
    if first then others[#others + 1] = suffix else first = suffix end
  end)
  if owner and not section and is_misdirected(handle, headers, owner) then return end
  if not first then
    switch(handle, headers, scope)
    return
  end
  if #others > 0 then headers:replace("${internalHeaders.next}", table.concat(others, " ")) end
  switch(handle, headers, listener .. "~" .. first)
end
`;
