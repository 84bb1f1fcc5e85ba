/*
 * The section that a TLS connection's server name belongs to, if the request is for another host: a client may send requests for several
 * hosts over one connection. If host and server name are the same, so are their sections, and there is nothing to look for: an exact host is then
 * found by itself, and switches these scripts off.
 *
 * Exact server names have scopes of their own, wildcards are in the listener's index. That is two looks, hence two filters: the first one
 * looks at the scope of the server name, the second one at the index if there was none (`next`, or else it is not even made); then it is back to the
 * scope of the host.
 */
import { internalHeaders } from "../names.ts";
import { hostFunctions } from "./hosts.ts";

const turnBack = `
local function turn_back(handle, headers, listener, section)
  if section then headers:replace("${internalHeaders.section}", section) end
  switch(handle, headers, exact_scope(listener, host_of(headers:get(":authority"))))
  headers:replace("${internalHeaders.next}", "?")
end
`;

export const serverNameScript = `${hostFunctions(true)}${turnBack}
function envoy_on_request(handle)
  local headers = handle:headers()
  local scope, authority = headers:get("${internalHeaders.scope}"), headers:get(":authority")
  if not scope or not authority then return end
  local shown = handle:streamInfo():requestedServerName()
  local name = shown:lower()
  local listener = parts_of(scope):match("^[^|~!]*")
  if name == host_of(authority) then
    -- The exact host is found by a server name in lower case alone.
    if name ~= shown then turn_back(handle, headers, listener) end
    return
  end
  switch(handle, headers, listener .. "!" .. name)
  local section = handle:metadata():get("section")
  if section then
    turn_back(handle, headers, listener, section)
  else
    switch(handle, headers, listener .. "~")
    headers:replace("${internalHeaders.next}", "!")
  end
end
`;

export const serverNameSectionScript = `${hostFunctions(true)}${turnBack}
function envoy_on_request(handle)
  local headers = handle:headers()
  local scope = headers:get("${internalHeaders.scope}")
  local listener, kind = parts_of(scope or ""):match("^([^|~!]*)(.)")
  if kind ~= "~" then return end
  local index = handle:metadata()
  local section
  each_suffix(handle:streamInfo():requestedServerName():lower(), function(suffix)
    section = index:get("!" .. suffix)
    return section
  end)
  turn_back(handle, headers, listener, section)
end
`;
