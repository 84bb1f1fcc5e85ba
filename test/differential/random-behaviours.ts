/** What a rule does beside matching, filters of the message and backends: authorization, sessions, retries, time-outs. */
import { authHeaders, grpcAuthServer, httpAuthServer } from "./auth-servers.ts";
import { pairBackend } from "./echo-backends.ts";
import type { Lots } from "./lots.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Behaviour {
  readonly retry?: Fields;
  readonly timeouts?: Fields;
  readonly sessionPersistence?: Fields;
}

/** Of sessions: what a client carries. */
export const sessionCookie = "sid";
export const sessionHeader = "x-sid";

/** Much more than an answer takes that is not asked to be late, also on a machine that has much else to do. */
const timeout = "5s";
/** In ms: much more than the time-out. */
export const lateAnswer = 20_000;

export function randomAuth(lots: Lots, needs: Set<string>): Fields {
  needs.add("HTTPRouteExternalAuth");
  const seen = lots.some(["x-auth", "env", "Cookie"], 3, 1);
  const externalAuth = lots.chance(60)
    ? {
        protocol: "HTTP",
        backendRef: { name: httpAuthServer, port: 80 },
        http: {
          ...(lots.chance(50) && { path: "/check" }),
          allowedHeaders: seen,
          allowedResponseHeaders: lots.some(authHeaders, 2, 1),
        },
      }
    : {
        protocol: "GRPC",
        backendRef: { name: grpcAuthServer, port: 80 },
        grpc: { allowedHeaders: seen },
      };
  return { type: "ExternalAuth", externalAuth };
}

export function randomBehaviour(lots: Lots, needs: Set<string>): Behaviour {
  const behaviour: { -readonly [Part in keyof Behaviour]: Behaviour[Part] } = {};
  if (lots.chance(12)) {
    needs.add("HTTPRouteRetry");
    const codes = lots.some([500, 502, 503], 2, 1);
    behaviour.retry = { codes, attempts: 1 + lots.below(3), backoff: "10ms" };
  }
  if (lots.chance(10)) {
    const way = lots.below(3);
    needs.add(way === 0 ? "HTTPRouteRequestTimeout" : "HTTPRouteBackendTimeout");
    behaviour.timeouts = way === 0 ? { request: timeout } : { backendRequest: timeout };
  }
  return behaviour;
}

/** Backends and session of a rule whose clients come back to where they were. */
export function randomSession(lots: Lots, needs: Set<string>): Fields {
  needs.add("SessionPersistence");
  const sessionPersistence = lots.pick<Fields>([
    { type: "Cookie", sessionName: sessionCookie },
    {
      type: "Cookie",
      sessionName: sessionCookie,
      absoluteTimeout: "1h",
      cookieConfig: { lifetimeType: "Permanent" },
    },
    { type: "Header", sessionName: sessionHeader },
  ]);
  return { backendRefs: [{ name: pairBackend, port: 80 }], sessionPersistence };
}
