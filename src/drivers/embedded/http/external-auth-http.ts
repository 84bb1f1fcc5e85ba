/*
 * Authorization by HTTP: the request's method and path (behind the configured prefix) with few headers. 200 is a yes.
 * Whatever else the server answers goes to the client, except 5xx, which is a failure and not a verdict, and other 2xx,
 * which are no yes and must not look like one: those are 403.
 */
import type { ExternalAuth } from "../../../model/index.ts";
import type { HeaderList, UpstreamBackend, UpstreamRequest } from "../upstream/index.ts";
import {
  framing,
  unavailable,
  withoutFraming,
  type AuthAnswer,
  type AuthDecision,
  type AuthQuestion,
} from "./auth-decision.ts";

export function httpRequest(
  { auth, request, headers }: AuthQuestion,
  backend: UpstreamBackend,
  body: Buffer,
): UpstreamRequest {
  const sent: HeaderList = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!;
    if (auth.requestHeaders === "all" || name === "authorization" || auth.requestHeaders.includes(name)) {
      sent.push(name, headers[index + 1]!);
    }
  }
  const prefix = auth.pathPrefix.endsWith("/") ? auth.pathPrefix.slice(0, -1) : auth.pathPrefix;
  return {
    method: request.method,
    scheme: backend.scheme,
    authority: request.authority,
    path: `${safePrefix(prefix)}${request.path}${request.search}`,
    headers: sent,
    body: body.length,
  };
}

/** Only what a path may have; the API asks for this beside its own validation. */
function safePrefix(prefix: string): string {
  const safe = prefix.replace(/[^-A-Za-z0-9/._~!$&'()*+,;=:@%]/g, "");
  return safe === "" || safe.startsWith("/") ? safe : `/${safe}`;
}

/** About the authorization server's answer itself, not about the user. */
const notCopied = /^(?:host|date|server|vary|etag|expires|cache-control|content-.*|access-control-.*)$/;

export function judgeHttp(auth: ExternalAuth, answer: AuthAnswer): AuthDecision {
  const { status, headers, body } = answer;
  if (status === 200) {
    const wanted = auth.responseHeaders;
    const append: HeaderList = [];
    // Named headers are the server's to say: what the client wrote there goes, even if the server has nothing to say.
    const remove = new Set(wanted === "all" ? [] : wanted.filter((name) => name !== "host"));
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index]!;
      const isWanted = wanted === "all" ? !notCopied.test(name) : remove.has(name);
      if (!isWanted || framing.has(name)) continue;
      remove.add(name);
      append.push(name, headers[index + 1]!);
    }
    return { type: "allowed", remove, append, responseHeaders: [] };
  }
  if (status >= 300 && status < 500) {
    return { type: "denied", status, headers: withoutFraming(headers), body };
  }
  return unavailable;
}
