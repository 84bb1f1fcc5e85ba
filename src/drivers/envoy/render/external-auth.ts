/*
 * External authorization. A rule, or one backend of it, brings the whole configuration of the filter with it: Envoy's composite filter makes
 * the filter when a request has found its route. Envoy fails closed by default: no answer in time, no connection and 5xx are 403.
 *
 * A header that the server may set is taken off the client's request first, unless the server is to see what the client said.
 */
import type { ExternalAuth } from "../../../model/index.ts";
import type { Any, ExtAuthz, HeaderMutation, ListStringMatcher } from "../generated/messages.ts";
import { constant } from "../messages/index.ts";
import { broughtAlong } from "./composite.ts";
import { untouchable } from "./header-changes.ts";
import { internalPrefix } from "./names.ts";

const timeout = 5_000;

/**
 * With `all`, headers of the server's answer that are about the user and not about the answer. RE2 cannot say "all but these", so it is
 * the names that begin with `x-` and the few others that carry an identity.
 */
const aboutTheUser = "x-.+|authorization|cookie|forwarded|remote-user|user";

/**
 * What an answer of either kind does not change: Envoy would take over another length or host as readily as a user's name, and the backend would
 * read another request than the client was allowed. The rest of such an answer counts.
 */
const ownRules = constant({
  decoderHeaderMutationRules: {
    disallowSystem: true,
    disallowExpression: { regex: `(?i)${[...untouchable, `${internalPrefix}.*`].join("|")}` },
  },
});

/** The configuration of a route for the composite filter; `undefined` where the authorization itself cannot be used. */
export function renderExternalAuth(auth: ExternalAuth): Any | undefined {
  if (auth.target.type === "error") return undefined;
  return perRoute(
    auth.protocol === "grpc" ? renderGrpc(auth, auth.target.backend) : renderHttp(auth, auth.target.backend),
  );
}

/** What must not come from the client. */
export function headersOfServer(auth: ExternalAuth | undefined): readonly HeaderMutation[] {
  if (!auth || auth.protocol === "grpc" || auth.responseHeaders === "all") return [];
  const { requestHeaders } = auth;
  return auth.responseHeaders
    .filter((name) => name !== "host" && requestHeaders !== "all" && !requestHeaders.includes(name))
    .map((name) => ({ remove: name }));
}

/** What Envoy's own client adds to the server's answer: it must not reach those who are refused. */
export function headersOfClient(auths: readonly (ExternalAuth | undefined)[]): readonly HeaderMutation[] {
  return auths.some((auth) => auth?.protocol === "http") ? [{ remove: "x-envoy-upstream-service-time" }] : [];
}

function renderGrpc(auth: ExternalAuth, cluster: string): ExtAuthz {
  return {
    transportApiVersion: "V3",
    grpcService: { envoyGrpc: { clusterName: cluster, authority: "authorization" }, timeout },
    ...(auth.requestHeaders === "all" ? {} : { allowedHeaders: namesOf(auth.requestHeaders) }),
    ...bodyOf(auth),
    ...ownRules,
  };
}

function renderHttp(auth: ExternalAuth, cluster: string): ExtAuthz {
  const { requestHeaders, responseHeaders } = auth;
  return {
    transportApiVersion: "V3",
    httpService: {
      serverUri: { uri: "http://authorization", cluster, timeout },
      ...(pathPrefix(auth) === "" ? {} : { pathPrefix: pathPrefix(auth) }),
      authorizationResponse: {
        allowedUpstreamHeaders:
          responseHeaders === "all"
            ? { patterns: [{ safeRegex: { regex: aboutTheUser } }] }
            : namesOf(responseHeaders),
      },
    },
    allowedHeaders:
      requestHeaders === "all" ? { patterns: [{ safeRegex: { regex: ".*" } }] } : namesOf(requestHeaders),
    ...bodyOf(auth),
    ...ownRules,
  };
}

function bodyOf({ maxBodySize }: ExternalAuth): Pick<ExtAuthz, "withRequestBody"> {
  return maxBodySize === 0
    ? {}
    : { withRequestBody: { maxRequestBytes: maxBodySize, allowPartialMessage: false } };
}

/** An empty list of patterns is none at all to Envoy: a name that no header has keeps it from that. */
function namesOf(names: readonly string[]): ListStringMatcher {
  return {
    patterns: (names.length > 0 ? names : [":none"]).map((name) => ({ exact: name, ignoreCase: true })),
  };
}

/** Only what a path may have; the API asks for this beside its own validation. */
function pathPrefix({ pathPrefix: given }: ExternalAuth): string {
  const safe = given.replace(/\/$/, "").replace(/[^-A-Za-z0-9/._~!$&'()*+,;=:@%]/g, "");
  return safe === "" || safe.startsWith("/") ? safe : `/${safe}`;
}

function perRoute(value: ExtAuthz): Any {
  const typedConfig = { type: "envoy.extensions.filters.http.ext_authz.v3.ExtAuthz", value } as const;
  return broughtAlong("authorize", { typedConfig: { name: "envoy.filters.http.ext_authz", typedConfig } });
}
