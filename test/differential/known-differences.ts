/**
 * Where a driver is known to answer differently, and why. Each stands in docs/deviations.md too: what is not there must not be here.
 */
import type { Outcome } from "./client.ts";
import { changedHeaders, httpsPort } from "./random-objects.ts";
import type { DifferentialRequest } from "./random-requests.ts";

interface KnownDifference {
  readonly driver: string;
  readonly reason: string;
  /** `part` is one that `comparable` names. */
  readonly concerns: (request: DifferentialRequest, part: string, found: Outcome) => boolean;
}

const pathOf = ({ target }: DifferentialRequest): string => target.split("?", 1)[0]!;
/** The header that a match may want a value with a comma of. */
const commaHeader = "x-user";
const hostParts = ["seen header host", "seen header x-forwarded-host"];

export const knownDifferences: readonly KnownDifference[] = [
  {
    driver: "embedded",
    reason: "Over HTTP/2, Node sends one User-Agent only; the first counts",
    concerns: (_, part) => ["answer user-agent", "seen header user-agent"].includes(part),
  },
  {
    driver: "envoy",
    reason: "Envoy reads a backslash in a path as a slash",
    concerns: (request) => pathOf(request).includes("\\"),
  },
  {
    driver: "envoy",
    reason: "Envoy merges the slashes of a path that has nothing else to two, not to one",
    concerns: (request) => /^[/.]*\/\/[/.]*$/.test(pathOf(request)),
  },
  {
    driver: "envoy",
    reason: "Envoy takes the dot off the end of a host before it passes it on",
    concerns: ({ host }, part) => /\.(?::|$)/.test(host) && hostParts.includes(part),
  },
  {
    driver: "envoy",
    reason:
      "Envoy's answers to pre-flight requests have none of the rule's header changes, and tell refused origins what is allowed to others",
    concerns: (request, part) =>
      isPreflight(request) &&
      part.startsWith("answer ") &&
      !["answer access-control-allow-origin", "answer vary"].includes(part),
  },
  {
    driver: "envoy",
    reason:
      "Requests that Envoy refuses before routing are answered with the header changes of the rule that would have taken them",
    concerns: (_, part, found) =>
      part.startsWith("answer ") && found.type === "answer" && [400, 421].includes(found.status),
  },
  {
    driver: "envoy",
    reason: "Envoy joins the lines of a repeated header with a comma and no space before it matches them",
    concerns: ({ headers }) => headers.filter(([name]) => name.toLowerCase() === commaHeader).length > 1,
  },
  {
    driver: "envoy",
    reason:
      "Envoy's redirects spell the host as the client did, and keep a question mark with nothing behind it",
    concerns: ({ host, target }, part) =>
      part === "answer location" && (host !== host.toLowerCase() || target.endsWith("?")),
  },
  {
    driver: "envoy",
    reason:
      "Where an authorization server refuses for a rule, Envoy makes the header changes of the backend too that would have been chosen",
    concerns: (_, part, found) =>
      changedHeaders.some((name) => part === `answer ${name.toLowerCase()}`) &&
      [302, 401, 403].some((status) => isOwnError(found, status)),
  },
  {
    driver: "envoy",
    reason: "A host that was not sent in lower case falls through three wildcards of its section at most",
    concerns: ({ host }, part, found) =>
      part === "status" && host !== host.toLowerCase() && isOwnError(found, 404),
  },
  {
    driver: "nginx",
    reason: "NGINX refuses paths that climb above the root",
    concerns: (request, part) => part === "status" && climbs(pathOf(request)),
  },
  {
    driver: "haproxy",
    reason: "Answers of HAProxy itself, where no endpoint answers, have no header changes and CORS headers",
    concerns: (_, part, found) =>
      part.startsWith("answer ") && (isOwnError(found, 503) || isOwnError(found, 504)),
  },
  {
    driver: "haproxy",
    reason: "To gRPC clients of a rule that is not gRPC's, HAProxy itself answers with HTTP's status",
    concerns: ({ headers }, part, found) =>
      part === "status" &&
      headers.some(([name, value]) => name === "content-type" && value === "application/grpc") &&
      isOwnError(found, 503),
  },
  {
    driver: "haproxy",
    reason: "HAProxy takes the scheme's own port off the authority of HTTP/2 requests",
    concerns: ({ version, host, port }, part) =>
      version === 2 && host.endsWith(port === httpsPort ? ":443" : ":80") && hostParts.includes(part),
  },
];

/** Of the gateway, not of a backend. */
function isOwnError(found: Outcome, status: number): boolean {
  return (
    found.type === "answer" &&
    found.status === status &&
    !found.headers.some(([name]) => name === "x-served-by")
  );
}

function isPreflight({ method, headers }: DifferentialRequest): boolean {
  const names = headers.map(([name]) => name);
  return method === "OPTIONS" && names.includes("origin") && names.includes("access-control-request-method");
}

/** By NGINX's count, which takes empty segments for none. */
function climbs(path: string): boolean {
  let depth = 0;
  for (const segment of path.replace(/%2e/gi, ".").split("/")) {
    if (segment === "..") depth--;
    else if (segment !== "" && segment !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}
