/*
 * The locations of a profile. A try that may be followed by another one hands a failure, or an answer that is tried again, to the location in
 * `gw_next`; the last one (or the only one) does not. Tries after the first wait and choose an endpoint first: `/again`.
 */
import { block, directive, variable, type Directive } from "./directive.ts";
import type { ListenerShape } from "./listener-shape.ts";
import { failed, nameOfProfile, type Profile } from "./profile.ts";
import { mostMirrors } from "./script-variables.ts";

export interface LocationContext {
  readonly shape: ListenerShape;
  readonly backendTls: (
    module: "proxy" | "grpc",
    trusted: string,
    name: string,
    certificate: string,
  ) => readonly Directive[];
}

interface Variant {
  readonly suffix: string;
  readonly isLast: boolean;
  readonly isMirrored: boolean;
  readonly isAgain: boolean;
  /** Nothing is to be done to the head of the answer but to look whether it is one. */
  readonly isPlain: boolean;
}

const variants: readonly Variant[] = [false, true].flatMap((isLast) => [
  ...[false, true].flatMap((isMirrored) =>
    [false, true].map((isPlain) => ({
      suffix: `${isMirrored ? ".mirrored" : ""}${isLast ? ".last" : ""}${isPlain ? ".plain" : ""}`,
      isLast,
      isMirrored,
      isAgain: false,
      isPlain,
    })),
  ),
  { suffix: `.again${isLast ? ".last" : ""}`, isLast, isMirrored: false, isAgain: true, isPlain: false },
]);

export function profileLocations(profile: Profile, context: LocationContext): Directive[] {
  return variants
    .filter(({ isMirrored }) => !isMirrored || context.shape.mirrors.size > 0)
    .map((variant) =>
      block(
        "location",
        [`@${nameOfProfile(profile)}${variant.suffix}`],
        [
          ...(variant.isMirrored ? mirrors : []),
          ...(variant.isAgain ? [directive("auth_request", "/again")] : []),
          directive("js_header_filter", variant.isPlain ? "requests.check" : "requests.decorate"),
          ...(profile.timeout
            ? [directive("js_body_filter", "requests.checkDeadline", "buffer_type=buffer")]
            : []),
          ...passing(profile, variant, context),
        ],
      ),
    );
}

const mirrors: readonly Directive[] = Array.from({ length: mostMirrors }, (_, index) =>
  directive("mirror", `/mirror/${index}`),
);

/** NGINX's for none. */
const longest = 24 * 60 * 60 * 1000;

function passing(profile: Profile, variant: Variant, { shape, backendTls }: LocationContext): Directive[] {
  const { kind, trust, timeout, codes, mostBody } = profile;
  const module = kind === "g" ? "grpc" : "proxy";
  const isSecure = trust !== undefined;
  const answers = [failed, ...(codes ?? [])].map(String);
  const failures = codes ? ["error", "timeout", "non_idempotent"] : ["error"];
  const following = variant.isLast
    ? kind === "b"
      ? [
          // The bridge's word for a failure has to be intercepted, so no status may be named that a backend can give.
          directive("proxy_intercept_errors", "on"),
          directive("error_page", String(failed), "=", "@unreachable"),
        ]
      : [
          directive("error_page", "502", "503", "=", "@unreachable"),
          directive("error_page", "504", "=", "@tooSlow"),
        ]
    : [
        directive(`${module}_intercept_errors`, "on"),
        directive("error_page", ...answers, "=", [variable("gw_next")]),
      ];
  return [
    // What is sent again has to be there as a whole.
    ...(codes && kind !== "g" ? [directive("proxy_request_buffering", "on")] : []),
    directive(`${module}_next_upstream`, ...(variant.isLast ? ["error"] : failures)),
    ...(timeout === undefined
      ? []
      : [directive(`${module}_read_timeout`, `${timeout === 0 ? longest : timeout}ms`)]),
    ...following,
    ...(mostBody === undefined
      ? []
      : [
          directive("client_max_body_size", String(mostBody)),
          directive("error_page", "413", "=", "@tooLarge"),
        ]),
    ...(kind === "g"
      ? grpcPass(shape, trust, backendTls)
      : kind === "b"
        ? bridgePass(trust, variant)
        : [
            ...(isSecure
              ? backendTls("proxy", shape.trusts.get(trust)!, "gw_tls_name", "gw_tls_certificate")
              : []),
            directive("proxy_pass", [
              isSecure ? "https://" : "http://",
              variable("gw_up"),
              variable("gw_target"),
            ]),
          ]),
  ];
}

function grpcPass(
  shape: ListenerShape,
  trust: number | undefined,
  backendTls: LocationContext["backendTls"],
): Directive[] {
  return [
    directive("grpc_set_header", "Host", [variable("gw_host")]),
    ...shape.headerNames.map((name, index) =>
      directive("grpc_set_header", name, [variable(`gw_header_${index}`)]),
    ),
    directive("grpc_buffer_size", "32k"),
    directive("grpc_send_timeout", "300s"),
    ...(trust === undefined
      ? []
      : backendTls("grpc", shape.trusts.get(trust)!, "gw_tls_name", "gw_tls_certificate")),
    directive("grpc_pass", [trust === undefined ? "grpc://" : "grpcs://", variable("gw_up")]),
  ];
}

function bridgePass(trust: number | undefined, { isLast }: Variant): Directive[] {
  return [
    directive("proxy_set_header", "Host", [variable("gw_head")]),
    directive("proxy_set_header", "Connection", ""),
    directive("proxy_set_header", "X-Gatewright-Upstream", [variable("gw_up")]),
    directive("proxy_set_header", "X-Gatewright-Name", [variable("gw_tls_name")]),
    directive("proxy_set_header", "X-Gatewright-Certificate", [variable("gw_tls_certificate")]),
    directive("proxy_pass", [`http://${isLast ? "l" : "f"}bridge${trust ?? ""}`, variable("gw_target")]),
  ];
}

/** A mirror's answer goes nowhere, so there is nothing to decide after it. */
export function mirrorLocations({ shape, backendTls }: LocationContext): Directive[] {
  if (shape.mirrors.size === 0) return [];
  const indexes = Array.from({ length: mostMirrors }, (_, index) => index);
  const entries = indexes.map((index) =>
    block(
      "location",
      ["=", `/mirror/${index}`],
      [
        directive("internal"),
        directive("error_page", "418", "=", [variable(`gw_mirror_${index}`)]),
        block("if", [["(", variable(`gw_mirror_${index}`)], "=", "", ")"], [directive("return", "204")]),
        directive("return", "418"),
      ],
    ),
  );
  const passes = [...shape.mirrors].flatMap((kind) =>
    indexes.map((index) => {
      const trust = kind.length > 1 ? Number(kind.slice(1)) : undefined;
      const up = variable(`gw_mirror_up_${index}`);
      const isBridge = kind.startsWith("b");
      return block(
        "location",
        [`@mirror.${kind}.${index}`],
        [
          directive("proxy_read_timeout", "60s"),
          ...(isBridge
            ? [
                directive("proxy_set_header", "Host", [variable("gw_head")]),
                directive("proxy_set_header", "Connection", ""),
                directive("proxy_set_header", "X-Gatewright-Upstream", [up]),
                directive("proxy_set_header", "X-Gatewright-Name", [variable(`gw_mirror_name_${index}`)]),
                directive("proxy_set_header", "X-Gatewright-Certificate", [
                  variable(`gw_mirror_certificate_${index}`),
                ]),
                directive("proxy_pass", [`http://lbridge${trust ?? ""}`, variable("gw_target")]),
              ]
            : [
                ...(trust === undefined
                  ? []
                  : backendTls(
                      "proxy",
                      shape.trusts.get(trust)!,
                      `gw_mirror_name_${index}`,
                      `gw_mirror_certificate_${index}`,
                    )),
                directive("proxy_pass", [
                  trust === undefined ? "http://" : "https://",
                  up,
                  variable("gw_target"),
                ]),
              ]),
        ],
      );
    }),
  );
  return [...entries, ...passes];
}
