/*
 * CORS as `judgeCors` in the model says it. Envoy's filter answers pre-flight requests and marks answers; two things it does not do are
 * done by the route: taking off what the backend says of CORS (also to origins that are refused), and `Vary: Origin`. Both belong only
 * to requests with an Origin, so a rule with CORS is two routes.
 */
import type { CorsPolicy } from "../../../model/index.ts";
import type { Any, HeaderMatcher, HeaderMutation, StringMatcher } from "../generated/messages.ts";

export const hasOrigin: HeaderMatcher = { name: "origin", stringMatch: { safeRegex: { regex: ".+" } } };

export const corsResponseHeaders: readonly string[] = [
  "access-control-allow-origin",
  "access-control-allow-credentials",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-expose-headers",
  "access-control-max-age",
];

/** For the filter that changes headers, which sees the answers of the CORS filter too. */
export const varyByOrigin: HeaderMutation = {
  append: { header: { key: "vary", value: "Origin" }, appendAction: "APPEND_IF_EXISTS_OR_ADD" },
};

export function renderCors(policy: CorsPolicy): Any {
  const { allowMethods, allowHeaders, exposeHeaders, allowCredentials } = policy;
  const exposed = listOf(exposeHeaders);
  return {
    type: "envoy.extensions.filters.http.cors.v3.CorsPolicy",
    value: {
      allowOriginStringMatch: policy.allowOrigins.map(renderOrigin),
      allowMethods: listOf(allowMethods),
      allowHeaders: listOf(allowHeaders),
      // With credentials `*` would mean a header of that name.
      ...(exposed === "" || (exposed === "*" && allowCredentials) ? {} : { exposeHeaders: exposed }),
      maxAge: String(policy.maxAge),
      allowCredentials,
      forwardNotMatchingPreflights: false,
    },
  };
}

function listOf(values: readonly string[]): string {
  return values.includes("*") ? "*" : values.join(", ");
}

const originForm = /^(https?):\/\/([a-z0-9._*-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/;
const anyHost = "(?:[a-z0-9._*-]+|\\[[0-9a-f:.]+\\])";
const ownPorts: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** Schemes and hosts have no case; the scheme's own port may be left out; `*` in a host stands for at least one character of it. */
function renderOrigin(pattern: string): StringMatcher {
  if (pattern === "*") return { safeRegex: { regex: ".+" } };
  const parts = originForm.exec(pattern.toLowerCase());
  if (!parts) return { exact: pattern };
  const [, scheme, host, port = ownPorts[scheme!]!] = parts;
  const hostPattern = host === "*" ? anyHost : escape(host!).replace("\\*", "[a-z0-9._*-]+");
  const portPattern = port === ownPorts[scheme!] ? `(?::${port})?` : `:${port}`;
  return { safeRegex: { regex: `(?i)${scheme}://${hostPattern}${portPattern}` } };
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
