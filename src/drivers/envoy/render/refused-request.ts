/*
 * Requests that are refused whatever their route says:
 *
 * - malformed ones: a Host whose port is none, or with characters that no host has, and paths that the model's `refusedPathPattern` takes. One filter
 *   looks for both in the header that a scope is found by, before anybody else answers. Most requests pass no filter: those that find the scope of their
 *   exact host at once have nothing in host or path that could be wrong (`scopeFragments`);
 * - TRACE, which makes a backend show everything it received, credentials and the gateway's own headers among it. Only a rule that names the
 *   method lets it through: its route has a configuration for the filter that asks for nothing. An exact virtual host without such a rule
 *   answers by itself;
 * - over HTTP/2, a header with a blank at either end, which RFC 9113 (8.2.1) forbids and Envoy passes on, and a method that is not in capitals. A backend that
 *   trims the one, or does not care for the case of the other, would read what a rule has not seen. Only virtual hosts whose rules look at such a
 *   header, or at the method, look for it.
 */
import type { Listener, Rule } from "../../../model/index.ts";
import type { HttpFilter, Route } from "../generated/messages.ts";
import { directResponse, localTexts } from "./direct-response.ts";
import { refusing } from "./fault.ts";
import {
  httpFilterNames,
  internalHeaders,
  scopeHeaderEnd,
  scopeHeaderStart,
  scopeListener,
} from "./names.ts";
import { headerEquals } from "./route-match.ts";

/**
 * The header that a scope is found by: what is asked for, and the key of the scope (`scopeKeys.exact`). The path is the request's own, whatever a client says
 * of an original one.
 */
export function requestLine(listener: Pick<Listener, "key" | "protocol" | "port">): string {
  const serverName = listener.protocol === "tls" ? "|%REQUESTED_SERVER_NAME%" : "";
  const path = `%PATH(NQ:PATH)%${scopeHeaderStart.replace("%", "%%")}`;
  return `${path}${scopeListener(listener)}${serverName}|%REQ(:AUTHORITY)%${scopeHeaderEnd}`;
}

const notPort =
  "(?:[0-9]*[^0-9 ]|[0-9]{6}|6553[6-9]|655[4-9][0-9]|65[6-9][0-9]{2}|6[6-9][0-9]{3}|[7-9][0-9]{4})[^ ]*";
const badHost = `(?:[^ ]*[^]A-Za-z0-9_.:[ -][^ ]*|(?:[^:[ ]*|\\[[^] ]*\\]):${notPort}) .*`;
const hiddenDots = "[^?]*(?:/|%2[Ff]|%5[Cc])\\.\\.?(?:(?:;|%2[Ff]|%3[Bb]|%5[Cc]|/)[^?]*)?";
const strayPercent = "[^?]*%(?:[^0-9A-Fa-f?][^?]*|[0-9A-Fa-f](?:[^0-9A-Fa-f?][^?]*)?)?";
const badPath = `(?:${hiddenDots}|${strayPercent})%\\?.*`;

export const malformedPatterns = {
  http: `${badPath}|[^?]*\\?[^ |]*\\|${badHost}`,
  tls: `${badPath}|[^?]*\\?[^ |]*\\|[^ |]*\\|${badHost}`,
} as const;

export const malformedRequestFilters = {
  http: refusingMalformed(malformedPatterns.http),
  tls: refusingMalformed(malformedPatterns.tls),
} as const;

function refusingMalformed(regex: string): HttpFilter {
  return {
    name: httpFilterNames.malformed,
    typedConfig: refusing(400, { name: internalHeaders.scope, stringMatch: { safeRegex: { regex } } }),
  };
}

const isTrace = headerEquals(":method", "TRACE");

export const traceFilter: HttpFilter = { name: httpFilterNames.trace, typedConfig: refusing(400, isTrace) };

/** The first one of an exact virtual host. As no rule has made it, it has no name; scripts know TRACE by itself (`lua/hosts.ts`). */
export const traceRoute: Route = {
  match: { prefix: "", headers: [isTrace] },
  ...directResponse(404, localTexts.notFound),
};

/**
 * The routes of a virtual host's rules, with those among them that refuse: behind the first rule that looks at a field, so that a request that it takes costs nothing
 * more; before it where a field is to be different, which a spelling alone would make it. They have a name, so that no other virtual host is tried.
 */
export function withRefusals<Looking extends Pick<Rule, "match">>(
  rules: readonly Looking[],
  render: (rule: Looking) => readonly Route[],
): readonly Route[] {
  const seen = new Set<string>();
  const refuse = (fields: readonly string[]) =>
    fields.flatMap((field) => {
      if (seen.has(field)) return [];
      seen.add(field);
      return refusal(field);
    });
  return rules.flatMap((rule) => {
    const { headers, method } = rule.match;
    const before = refuse(headers.filter(({ invert }) => invert).map(({ name }) => name));
    const after = refuse([
      ...headers.map(({ name }) => name),
      ...(method === undefined ? [] : [methodField]),
    ]);
    return [...before, ...render(rule), ...after];
  });
}

function refusal(field: string): Route {
  const regex = field === methodField ? notInCapitals : blankAtEnd;
  return {
    name: "refused",
    match: { prefix: "", headers: [{ name: field, stringMatch: { safeRegex: { regex } } }] },
    ...directResponse(400, localTexts.badField),
  };
}

const methodField = ":method";
const blankAtEnd = "[ \\t].*|.*[ \\t]";
const notInCapitals = ".*[^A-Z_-].*";
