/*
 * The section that a TLS connection's server name belongs to, if the request is for another host: a client may send requests for several
 * hosts over one connection. If host and server name are the same, so are their sections, and there is nothing to look for.
 *
 * Exact server names have scopes of their own, wildcards are in the listener's index. That is two looks, hence two filters: the first one
 * turns to the scope of the server name, the second one reads it and turns back to the scope of the host.
 */
import { internalHeaders } from "../names.ts";
import { hostFunctions } from "./hosts.ts";

export const serverNameScript = `${hostFunctions}
function envoy_on_request(handle)
  local headers = handle:headers()
  local scope = headers:get("${internalHeaders.scope}")
  local authority = headers:get(":authority")
  if not scope or not authority then return end
  local name = handle:streamInfo():requestedServerName():lower()
  if name == host_of(authority) then return end
  switch(handle, headers, scope:match("^[^|~!]*") .. "!" .. name)
end
`;

export const serverNameSectionScript = `${hostFunctions}
function envoy_on_request(handle)
  local headers = handle:headers()
  local scope = headers:get("${internalHeaders.scope}")
  if not scope then return end
  local listener, kind, name = scope:match("^([^|~!]*)(.)(.*)$")
  if kind ~= "!" then return end
  local section = handle:virtualHost():metadata():get("section")
  if not section then
    switch(handle, headers, listener .. "~")
    local index = handle:metadata()
    each_suffix(name, function(suffix)
      section = index:get("!" .. suffix)
      return section
    end)
  end
  if section then headers:replace("${internalHeaders.section}", section) end
  switch(handle, headers, listener .. "|" .. headers:get(":authority"))
end
`;
