/*
 * Session persistence. Envoy's own filter keeps a client on an endpoint of a cluster; which of a rule's backends the session is with, and
 * when it began, a script of ours puts before Envoy's token (`lua/sessions.ts`):
 *
 *   <seconds since the epoch>.<id of the backend>.<Envoy's token>
 *
 * A token leads only to a backend of the rule, and there only to an endpoint that the backend has right now; anything else is as good as no
 * token. Unlike the embedded gateway's, it is not signed: who can read it sees the address of the endpoint, and who makes one up can
 * choose among the endpoints that he might have been given anyway.
 */
import type { HttpBackend, SessionPersistence } from "../../../model/index.ts";
import type { Any, HeaderMatcher, HttpFilter, JsonObject } from "../generated/messages.ts";
import { broughtAlong, compositeFilter } from "./composite.ts";
import { luaFilter } from "./lua/lua-filter.ts";
import { sessionsScript } from "./lua/sessions.ts";
import { httpFilterNames, internalHeaders } from "./names.ts";
import { headerEquals } from "./route-match.ts";

const chain = "sessions";

/** The script, for routes that ask for it. */
export const sessionsFilter: HttpFilter = compositeFilter(httpFilterNames.sessions, {
  chains: new Map([[chain, [{ name: chain, typedConfig: luaFilter(sessionsScript) }]]]),
});

/** For a route that has something to tell the script. */
export const withSessionsScript: Any = broughtAlong(chain, { filterChainName: chain });

export function renderSession(session: SessionPersistence, scheme: "http" | "https"): Any {
  return {
    type: "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute",
    value: {
      statefulSession: {
        sessionState:
          session.type === "cookie"
            ? { name: "envoy.http.stateful_session.cookie", typedConfig: cookieState(session, scheme) }
            : {
                name: "envoy.http.stateful_session.header",
                typedConfig: {
                  type: "envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState",
                  value: { name: session.name.toLowerCase() },
                },
              },
      },
    },
  };
}

function cookieState(session: SessionPersistence, scheme: "http" | "https"): Any {
  const path = /^(\/[\x21-\x3a\x3c-\x7e]*)?$/.test(session.path) ? session.path : "/";
  return {
    type: "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
    value: {
      cookie: {
        name: session.name,
        // Envoy's own field for it also keeps sessions from paths that are spelled otherwise (`%c3` for `%C3`).
        attributes: [
          ...(path === "" ? [] : [{ name: "Path", value: path }]),
          { name: "SameSite", value: "Strict" },
          ...(scheme === "https" ? [{ name: "Secure" }] : []),
        ],
      },
    },
  };
}

/** For the script. */
export function sessionMetadata(session: SessionPersistence): JsonObject {
  const { absoluteTimeout, lifetime, type } = session;
  return {
    sessionType: type,
    sessionName: type === "cookie" ? session.name : session.name.toLowerCase(),
    ...(absoluteTimeout === undefined || absoluteTimeout <= 0 ? {} : { sessionTimeout: absoluteTimeout }),
    ...(lifetime === "permanent" && absoluteTimeout !== undefined
      ? { sessionMaxAge: Math.floor(absoluteTimeout / 1000) }
      : {}),
  };
}

export function sessionIs(backend: HttpBackend): HeaderMatcher {
  return headerEquals(internalHeaders.session, sessionId(backend));
}

/** Short, the same for the same backend (FNV-1a). */
export function sessionId({ target }: HttpBackend): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(target.type === "backend" ? target.backend : target.reason)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
