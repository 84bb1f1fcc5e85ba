/*
 * Which virtual host takes a request, for all that an exact scope does not decide by itself.
 *
 * A request comes with the key of the scope of its exact host. If there is none, or if none of its rules takes the request (there is
 * no route then), the index of the listener tells which wildcards exist and to which section each belongs. The first that
 * there is, or the exact host, decides the section; the others of that section follow, in order, as long as each says `miss`. A request that
 * is not written as plainly as it could be (capitals, another port, an escape in the path) has not found its exact host yet.
 *
 * A script sees the route that there was when the filters were made, and can look at one more, after it has changed the scope. So
 * several filters with this script stand in a row, each going on where the one before stopped; those behind the first are made only for
 * requests with something left to do (`next`):
 *
 *   scope            next        what the filter does
 *   <id>|<host>                  at home: takes the section, or goes to the index and reads it at once
 *   <id>|<host>      ?           the scope was changed: looks, and leaves the index to the next filter
 *   <id>~            @<section>  reads the index, goes to the first wildcard, and notes the others
 *   <id>~<suffix>    <suffixes>  goes to the next wildcard if this one says `miss`
 *
 * With a port that clients name, <id> ends with it, and so does the exact host's scope. On TLS that is <id>|<host>|<host>, and the section of the server name may have been put into a header (`server-names.ts`); another
 * section is 421.
 *
 * The text is constant: nothing that a user wrote is ever part of it.
 */
import { internalHeaders, scopeHeaderEnd, scopeHeaderStart } from "../names.ts";

/** What the scripts have in common. */
export const hostFunctions = (isTls: boolean) => `
local function host_of(authority)
  local host = authority:match("^%[[^%]]*%]") or authority:match("^[^:]*")
  return (host:gsub("%.$", "")):lower()
end

-- With the port that the listener's clients name.
local function exact_scope(listener, host)
  return listener .. "|" .. host${isTls ? ' .. "|" .. host' : ""} .. (listener:match(":%d+$") or "")
end

-- The key of a scope, and the request's path before it, which has no question mark.
local function parts_of(header)
  local path, scope = header:match("^([^?]*)%%%?([^ ]*)")
  return scope or "", path or ""
end

-- Of the host as it should be written, with nothing in the path that needs a look: others find no scope at first.
local function was_looked_for(header, wanted)
  local scope, path = parts_of(header)
  return scope == wanted and not path:find("%", 1, true) and not path:find("/.", 1, true)
end

local function switch(handle, headers, scope)
  headers:replace("${internalHeaders.scope}", "${scopeHeaderStart}" .. scope .. "${scopeHeaderEnd}")
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

const hostsScript = (isTls: boolean) => `${hostFunctions(isTls)}
local scope_header, next_header, section_header = "${internalHeaders.scope}", "${internalHeaders.next}", "${internalHeaders.section}"

local function answer(handle, status, text)
  handle:respond({ [":status"] = status, ["content-type"] = "text/plain; charset=utf-8" }, text .. "\\n")
end

local function is_misdirected(handle, headers, section)
  local wanted = headers:get(section_header)
  if not wanted or wanted == section then return false end
  answer(handle, "421", "this connection is not for that host")
  return true
end

local function is_host(host)
  return host:match("^[%w_][%w_.-]*$") or host:match("^%[[%x:.]+%]$")
end

local function choose(handle, headers, listener, host, section)
  local index = handle:metadata()
  local owner = section
  local found = {}
  each_suffix(host, function(suffix)
    local candidate = index:get(suffix)
    if candidate and (not owner or candidate == owner) then
      owner = candidate
      found[#found + 1] = suffix
    end
  end)
  headers:remove(next_header)
  if not section and owner and is_misdirected(handle, headers, owner) then return end
  -- Without any, the index stays, whose answer is 404.
  if #found == 0 then return end
  switch(handle, headers, listener .. "~" .. found[1])
  if #found > 1 then headers:replace(next_header, table.concat(found, " ", 2)) end
end

local function go_on(handle, headers, listener, rest)
  local miss = handle:metadata():get("miss")
  headers:remove(next_header)
  if not miss then return end
  local suffix, others = rest:match("^([^ ]*) ?(.*)$")
  switch(handle, headers, listener .. "~" .. suffix)
  if others ~= "" then headers:replace(next_header, others) end
end

local function start(handle, headers, listener, host, is_elsewhere)
  if is_elsewhere then handle:metadata() end
  local virtual_host = handle:virtualHost():metadata()
  local section = virtual_host:get("section")
  -- Its answer to TRACE, where no rule takes that, is no miss.
  local miss = handle:streamInfo():routeName() == "" and (virtual_host:get("trace") or headers:get(":method") ~= "TRACE")
  if section then
    if is_misdirected(handle, headers, section) or not miss then
      headers:remove(next_header)
      return
    end
  elseif not is_elsewhere then
    if not is_host(host) then
      answer(handle, "400", "the host is malformed")
      return
    end
    local exact = exact_scope(listener, host)
    if not was_looked_for(headers:get(scope_header), exact) then
      switch(handle, headers, exact)
      headers:replace(next_header, "?")
      return
    end
  end
  switch(handle, headers, listener .. "~")
  if is_elsewhere then
    headers:replace(next_header, "@" .. (section or ""))
  else
    choose(handle, headers, listener, host, section)
  end
end

function envoy_on_request(handle)
  local headers = handle:headers()
  local scope, authority = headers:get(scope_header), headers:get(":authority")
  if not scope or not authority then return end
  local listener, kind, suffix = parts_of(scope):match("^([^|~!]*)(.)(.*)$")
  local state = headers:get(next_header)
  if kind == "|" then
    start(handle, headers, listener, host_of(authority), state == "?")
  elseif state and suffix == "" then
    local section = state:sub(2)
    choose(handle, headers, listener, host_of(authority), section ~= "" and section or nil)
  elseif state then
    go_on(handle, headers, listener, state)
  end
end
`;

export const hostsScripts = { http: hostsScript(false), tls: hostsScript(true) } as const;
