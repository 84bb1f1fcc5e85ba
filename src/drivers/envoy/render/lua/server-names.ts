/*
 * The section that a TLS connection's server name belongs to, if the request is for another host: a client may send requests for several
 * hosts over one connection. If host and server name are the same, so are their sections, and there is nothing to look for.
 *
 * Exact server names have scopes of their own, wildcards are in the listener's index. That is two looks, hence two filters: the first one
 * looks at the scope of the server name, the second one at the index if there was none; then it is back to the scope of the host.
 */
import { internalHeaders } from "../names.ts";
import { hostFunctions } from "./hosts.ts";

const turnBack = `
local function turn_back(handle, headers, listener, section)
  if section then headers:replace("${internalHeaders.section}", section) end
  switch(handle, headers, listener .. "|" .. host_of(headers:get(":authority")))
  headers:replace("${internalHeaders.next}", "?")
end
`;

export const serverNameScript = `${hostFunctions}${turnBack}
function envoy_on_request(handle)
  local headers = handle:headers()
  local scope, authority = headers:get("${internalHeaders.scope}"), headers:get(":authority")
  if not scope or not authority then return end
  local name = handle:streamInfo():requestedServerName():lower()
  if name == host_of(authority) then return end
  local listener = scope:match("^[^|~!]*")
  switch(handle, headers, listener .. "!" .. name)
  local section = handle:metadata():get("section")
  if section then turn_back(handle, headers, listener, section) else switch(handle, headers, listener .. "~") end
end
`;

export const serverNameSectionScript = `${hostFunctions}${turnBack}
function envoy_on_request(handle)
  local headers = handle:headers()
  local scope = headers:get("${internalHeaders.scope}")
  local listener, kind = (scope or ""):match("^([^|~!]*)(.)")
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
