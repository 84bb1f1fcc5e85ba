/*
 * How HTTP is read: limits, normalisation, what is said about the client, and how the scope of a request is found.
 *
 * Before anything else, a header of ours is set to `<path>%?<listener>|<authority> /.?`, on TLS to `<path>%?<listener>|<server name>|<authority> /.?`, whatever
 * the client sent under its name. What the request's scope is found by is cut out of it (`scopeFragments`).
 */
import type { Listener } from "../../../model/index.ts";
import type { Filter, HeaderMutation, TypedExtensionConfig } from "../generated/messages.ts";
import { renderAccessLog } from "./access-log.ts";
import { ads } from "./config-source.ts";
import { renderHttpFilters } from "./http-filters.ts";
import { localReplies } from "./local-replies.ts";
import { internalHeaders, internalPrefix, scopeSeparators } from "./names.ts";
import { requestLine } from "./refused-request.ts";
import type { RenderSettings } from "./settings.ts";

/** The same as those of the embedded gateway; ms and bytes. */
const limits = {
  headersTimeout: 10_000,
  keepAlive: 60_000,
  headKilobytes: 64,
  headers: 128,
  concurrentStreams: 128,
} as const;

export function renderHttpConnectionManager(listener: Listener, settings: RenderSettings): Filter {
  const { accessLog, statisticsPerBackend: hasBackendStatistics = false } = settings;
  const isTls = listener.protocol === "tls";
  return {
    name: "envoy.filters.network.http_connection_manager",
    typedConfig: {
      type: "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
      value: {
        statPrefix: "http",
        codecType: "AUTO",
        earlyHeaderMutationExtensions: [scopeHeader(listener)],
        scopedRoutes: {
          name: "virtual hosts",
          scopeKeyBuilder: {
            fragments: scopeSeparators.map((separator) => ({
              headerValueExtractor: { name: internalHeaders.scope, ...separator },
            })),
          },
          rdsConfigSource: ads,
          scopedRds: { scopedRdsConfigSource: ads },
        },
        httpFilters: renderHttpFilters({ isTls, isLogged: accessLog !== undefined, hasBackendStatistics }),
        localReplyConfig: localReplies,
        ...(accessLog === undefined ? {} : { accessLog: [renderAccessLog(listener, accessLog)] }),

        useRemoteAddress: true,
        xffNumTrustedHops: 0,
        // Nobody's address makes his word on retries and time-outs count.
        internalAddressConfig: {},
        forwardClientCertDetails: "SANITIZE",
        preserveExternalRequestId: true,
        requestIdExtension: {
          typedConfig: {
            type: "envoy.extensions.request_id.uuid.v3.UuidRequestIdConfig",
            value: { packTraceReason: false },
          },
        },
        serverHeaderTransformation: "PASS_THROUGH",

        normalizePath: true,
        mergeSlashes: true,
        pathWithEscapedSlashesAction: "KEEP_UNCHANGED",
        stripTrailingHostDot: true,

        // Until there is a route, which has a time-out of its own for silence: one timer instead of two.
        streamIdleTimeout: limits.headersTimeout,
        maxRequestHeadersKb: limits.headKilobytes,
        commonHttpProtocolOptions: {
          idleTimeout: limits.keepAlive,
          maxHeadersCount: limits.headers,
          headersWithUnderscoresAction: "ALLOW",
        },
        httpProtocolOptions: {
          acceptHttp10: true,
          enableTrailers: true,
          ignoreHttp11Upgrade: [{ safeRegex: { regex: otherThan("websocket") } }],
        },
        http2ProtocolOptions: {
          maxConcurrentStreams: limits.concurrentStreams,
          initialStreamWindowSize: 262_144,
          initialConnectionWindowSize: 1_048_576,
        },
        // A bad request over HTTP/2 ends its own stream, not those of the others on the connection.
        streamErrorOnInvalidHttpMessage: true,
        upgradeConfigs: [{ upgradeType: "websocket" }],
      },
    },
  };
}

/**
 * An expression for all words but one, in whatever case; RE2 cannot negate. Envoy would pass on any protocol that a client wants to
 * go over to, and a backend that took one up, HTTP/2 above all, would speak it past the rules.
 */
function otherThan(word: string): string {
  const parts = Array.from(word, (letter, index) => `${word.slice(0, index)}(?:[^${letter}].*)?`);
  return `(?is)${[...parts, `${word}.+`].join("|")}`;
}

function scopeHeader(listener: Listener): TypedExtensionConfig {
  const mutations: readonly HeaderMutation[] = [
    { removeOnMatch: { keyMatcher: { prefix: internalPrefix } } },
    overwrite(internalHeaders.scope, requestLine(listener)),
    overwrite("x-forwarded-host", "%REQ(:AUTHORITY)%"),
  ];
  return {
    name: "scope",
    typedConfig: {
      type: "envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation",
      value: { mutations },
    },
  };
}

function overwrite(key: string, value: string): HeaderMutation {
  return { append: { header: { key, value }, appendAction: "OVERWRITE_IF_EXISTS_OR_ADD" } };
}
