// Changes of headers, on a route or on a service.
//
// Spec: `set` and `remove`. Host is not a header like others: on requests it is what the backend is told, on responses it is refused.
// Values may hold variables. Those that are known when the proxy is configured (CONTOUR_NAMESPACE, and on services their name and port) are filled in. Those that Envoy fills
// in for each request are refused: a value that quietly stays `%REQ(x)%` is not what the user asked for. Anything else between percent signs is text, and so is `%%`.

import {
  isFieldName,
  isFieldValue,
  type HTTPHeaderFilter,
  type HTTPProxyHeadersPolicy,
} from "../../resources/index.ts";
import { isReservedHeader } from "../reserved-headers.ts";

export interface HeaderPolicy {
  readonly filter: HTTPHeaderFilter | undefined;
  /** What Host becomes. */
  readonly host: string | undefined;
}

export interface HeaderPolicyQuestion {
  readonly of: "request" | "response";
  /** Names without percent signs. */
  readonly variables: ReadonlyMap<string, string>;
}

export function judgeHeaderPolicy(
  policy: HTTPProxyHeadersPolicy | undefined,
  { of, variables }: HeaderPolicyQuestion,
): { readonly value: HeaderPolicy } | { readonly wrong: string } {
  const set = new Map<string, string>();
  let host: string | undefined;
  for (const { name, value } of policy?.set ?? []) {
    const lower = name.toLowerCase();
    if (!isFieldName(name))
      return { wrong: `set: ${JSON.stringify(name)} is not a name that a header can have` };
    if (set.has(lower) || (lower === "host" && host !== undefined))
      return { wrong: `set: header ${name} is there twice; keep one` };
    const filled = fillIn(value, variables);
    if ("variable" in filled) {
      return {
        wrong: `set: the value of ${name} has the variable ${filled.variable}, which is not known before a request comes; use a fixed text`,
      };
    }
    if (!isFieldValue(filled.text))
      return { wrong: `set: the value of ${name} has characters that no header can have` };
    if (lower !== "host") {
      if (isReservedHeader(name)) return { wrong: `set: ${name} is the gateway's own to set; leave it out` };
      set.set(lower, filled.text);
    } else if (of === "response") return { wrong: "set: a response has no Host header" };
    else host = filled.text;
  }
  const remove = new Set<string>();
  for (const name of policy?.remove ?? []) {
    const lower = name.toLowerCase();
    if (!isFieldName(name))
      return { wrong: `remove: ${JSON.stringify(name)} is not a name that a header can have` };
    if (lower === "host") return { wrong: "remove: Host cannot be removed" };
    if (isReservedHeader(name)) return { wrong: `remove: ${name} is the gateway's own to set; leave it out` };
    if (remove.has(lower)) return { wrong: `remove: header ${name} is there twice; keep one` };
    // Spec: set after remove is set.
    if (!set.has(lower)) remove.add(lower);
  }
  const filter: HTTPHeaderFilter | undefined =
    set.size + remove.size === 0
      ? undefined
      : {
          ...(set.size > 0 && { set: Array.from(set, ([name, value]) => ({ name, value })) }),
          ...(remove.size > 0 && { remove: [...remove] }),
        };
  return { value: { filter, host } };
}

/** Variables that Envoy knows and Contour hands on. */
const perRequest: ReadonlySet<string> = new Set([
  "DOWNSTREAM_REMOTE_ADDRESS",
  "DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT",
  "DOWNSTREAM_LOCAL_ADDRESS",
  "DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT",
  "DOWNSTREAM_LOCAL_PORT",
  "DOWNSTREAM_LOCAL_URI_SAN",
  "DOWNSTREAM_PEER_URI_SAN",
  "DOWNSTREAM_LOCAL_SUBJECT",
  "DOWNSTREAM_PEER_SUBJECT",
  "DOWNSTREAM_PEER_ISSUER",
  "DOWNSTREAM_TLS_SESSION_ID",
  "DOWNSTREAM_TLS_CIPHER",
  "DOWNSTREAM_TLS_VERSION",
  "DOWNSTREAM_PEER_FINGERPRINT_256",
  "DOWNSTREAM_PEER_FINGERPRINT_1",
  "DOWNSTREAM_PEER_SERIAL",
  "DOWNSTREAM_PEER_CERT",
  "DOWNSTREAM_PEER_CERT_V_START",
  "DOWNSTREAM_PEER_CERT_V_END",
  "HOSTNAME",
  "PROTOCOL",
  "RESPONSE_FLAGS",
  "RESPONSE_CODE_DETAILS",
  "UPSTREAM_REMOTE_ADDRESS",
]);

function fillIn(
  value: string,
  variables: ReadonlyMap<string, string>,
): { readonly text: string } | { readonly variable: string } {
  let variable: string | undefined;
  const text = value.replace(/%([A-Z0-9_]+)(\([^()%]*\))?%/g, (found, name: string, argument?: string) => {
    const known = argument === undefined ? variables.get(name) : undefined;
    if (known !== undefined) return known;
    if (name === "REQ" || perRequest.has(name)) variable ??= found;
    return found;
  });
  return variable === undefined ? { text } : { variable };
}
