/*
 * Whether a rule takes a request at all: by the client's address, a bucket of tokens, and the size of the body. The route brings the filters for that with it, and
 * the composite filter makes them when a request has found its route; without any it does nothing.
 *
 * A declared length is compared by the routes themselves (`bodyVariants`): too large a one is answered right away, and any other is held to by Envoy's parsers, so
 * such bodies stream. Only bodies of no declared length are collected before they go on, which is how Envoy can count them in time to say 413.
 */
import {
  encodeAddressRange,
  parseAddressRange,
  renderAddressRange,
  type ClientAddresses,
  type RateLimit,
  type RuleAction,
} from "../../../model/index.ts";
import type {
  Any,
  CidrRange,
  HeaderMatcher,
  HttpFilter,
  Principal,
  TypedExtensionConfig,
} from "../generated/messages.ts";
import { broughtAlong } from "./composite.ts";
import { noFault, refusing } from "./fault.ts";
import { isUsable, setHeader } from "./header-changes.ts";
import { clientAddressScript } from "./lua/client-addresses.ts";
import { luaFilter } from "./lua/lua-filter.ts";
import { httpFilterNames } from "./names.ts";
import { statusNames } from "./status-names.ts";

/** How the length of a request's body is told. */
export type BodyKind = "too large" | "declared" | "upgrade" | "counted";

/** Of Envoy's numbers. */
const most = 0xffff_ffff;

/** Which requests of a rule with a limit are which, in the order in which they are to be told. */
export function bodyVariants(maxBodySize: number): readonly {
  readonly kind: BodyKind;
  readonly headers: readonly HeaderMatcher[];
}[] {
  return [
    { kind: "too large", headers: [tooLarge(maxBodySize)] },
    { kind: "declared", headers: [{ name: "content-length", presentMatch: true }] },
    // Envoy takes the header away where it does not mean an upgrade.
    { kind: "upgrade", headers: [{ name: "upgrade", presentMatch: true }] },
    { kind: "counted", headers: [] },
  ];
}

/** The filters that the rule asks for; `undefined`: none. */
export function renderAdmission(action: RuleAction, kind: BodyKind | undefined): Any | undefined {
  const { clientAddresses, rateLimit, maxBodySize } = action;
  const typedConfig: readonly TypedExtensionConfig[] = [
    ...(clientAddresses ? [renderClientAddresses(clientAddresses)] : []),
    ...(rateLimit ? [renderRateLimit(rateLimit)] : []),
    ...(maxBodySize !== undefined && kind === "counted" ? [renderCounted(maxBodySize)] : []),
  ];
  if (typedConfig.length === 0) return undefined;
  return broughtAlong("admit", { filterChain: { typedConfig } });
}

function renderClientAddresses(given: ClientAddresses): TypedExtensionConfig {
  const { source, trustedProxies = [] } = given;
  return source === "forwarded" && trustedProxies.length > 0
    ? renderForwarded(given, trustedProxies)
    : renderPeer(given);
}

/** A range that cannot be read is nobody's in `allow`, and everybody's in `deny`. */
function renderPeer({ allow, deny = [] }: ClientAddresses): TypedExtensionConfig {
  const denied = deny.map((text) => cidrOf(text));
  const isClosed = denied.includes(undefined);
  const ids: readonly Principal[] = [
    ...(allow ? [anyOf(allow.flatMap((text) => cidrOf(text) ?? []))] : []),
    ...(deny.length > 0 ? [{ notId: anyOf(denied.flatMap((range) => range ?? [])) }] : []),
  ];
  const principal: Principal = isClosed
    ? { notId: { any: true } }
    : ids.length > 0
      ? { andIds: { ids } }
      : { any: true };
  return {
    name: "envoy.filters.http.rbac",
    typedConfig: {
      type: "envoy.extensions.filters.http.rbac.v3.RBAC",
      value: {
        rules: {
          action: "ALLOW",
          policies: new Map([["clients", { permissions: [{ any: true }], principals: [principal] }]]),
        },
      },
    },
  };
}

function anyOf(ranges: readonly CidrRange[]): Principal {
  if (ranges.length === 0) return { notId: { any: true } };
  return { orIds: { ids: ranges.map((range) => ({ directRemoteIp: range })) } };
}

function cidrOf(text: string): CidrRange | undefined {
  const range = parseAddressRange(text);
  if (!range) return undefined;
  const { address, length } = renderAddressRange(range);
  return { addressPrefix: address, prefixLen: length };
}

/** What proxies say of the client only a script can read as the model means it: Envoy's own reading is the listener's. */
function renderForwarded(
  { allow, deny = [] }: ClientAddresses,
  trusted: readonly string[],
): TypedExtensionConfig {
  const ranges = (texts: readonly string[]) => texts.map(encodeAddressRange);
  return {
    name: "envoy.filters.http.lua",
    typedConfig: luaFilter(clientAddressScript, {
      ...(allow ? { allow: ranges(allow) } : {}),
      deny: ranges(deny),
      trusted: ranges(trusted),
    }),
  };
}

function renderRateLimit({
  requests,
  interval,
  burst,
  statusCode,
  responseHeaders,
}: RateLimit): TypedExtensionConfig {
  const always = { defaultValue: { numerator: 100, denominator: "HUNDRED" } } as const;
  return {
    name: "envoy.filters.http.local_ratelimit",
    typedConfig: {
      type: "envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
      value: {
        statPrefix: "rules",
        status: { code: statusNames.get(statusCode) ?? "TooManyRequests" },
        tokenBucket: {
          maxTokens: Math.min(requests + burst, most),
          tokensPerFill: Math.min(requests, most),
          fillInterval: interval,
        },
        filterEnabled: always,
        filterEnforced: always,
        responseHeadersToAdd: responseHeaders
          .filter(isUsable)
          .slice(0, 10)
          .map(({ name, value }) => setHeader(name, value)),
      },
    },
  };
}

/** The buffer does not look at the last piece of a body, but then declares the length of the whole, for the filter behind it. */
function renderCounted(maxBodySize: number): TypedExtensionConfig {
  return {
    name: "envoy.filters.http.buffer",
    typedConfig: {
      type: "envoy.extensions.filters.http.buffer.v3.Buffer",
      value: { maxRequestBytes: Math.min(maxBodySize, most) },
    },
  };
}

/** Refuses what the buffer found to be too large. */
export const bodySizeFilter: HttpFilter = { name: httpFilterNames.bodySize, typedConfig: noFault };

/** For routes whose bodies are counted. */
export function renderBodySize({ maxBodySize }: RuleAction, kind: BodyKind | undefined): Any | undefined {
  if (maxBodySize === undefined || kind !== "counted") return undefined;
  return refusing(413, tooLarge(maxBodySize));
}

function tooLarge(maxBodySize: number): HeaderMatcher {
  return {
    name: "content-length",
    rangeMatch: { start: maxBodySize + 1, end: 9_223_372_036_854_775_807n },
  };
}
