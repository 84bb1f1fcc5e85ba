// What a rule of a layer has beyond an HTTPRoute's. A proxy that does not claim it answers the rule's requests with an error: a limit that
// is left out would open what it protects.

import type { RequestMatch, RuleAction, Timeouts } from "../model/index.ts";
import { lacks, type Refusal } from "./content-problems.ts";
import type { RuleExtras } from "./layers.ts";
import type { RouteContext } from "./route-context.ts";

interface TranslatedExtras {
  readonly action: Pick<RuleAction, "clientAddresses" | "rateLimit" | "maxBodySize">;
  readonly timeouts: Pick<Timeouts, "idle">;
  readonly blocked: string | undefined;
  readonly refusals: readonly Refusal[];
}

const features = {
  clientAddresses: "ClientAddressFilter",
  rateLimit: "LocalRateLimit",
  maxBodySize: "RequestBodyLimit",
  idleTimeout: "StreamIdleTimeout",
} as const;

export function translateExtras(context: RouteContext, extras: RuleExtras, field: string): TranslatedExtras {
  const missing = Object.entries(features).flatMap(([name, feature]) =>
    extras[name as keyof typeof features] === undefined ? [] : lacks(context, feature, field),
  );
  const { clientAddresses, rateLimit, maxBodySize, idleTimeout, blocked } = extras;
  return {
    action: {
      ...(clientAddresses && { clientAddresses }),
      ...(rateLimit && { rateLimit }),
      ...(maxBodySize !== undefined && { maxBodySize }),
    },
    timeouts: { ...(idleTimeout !== undefined && { idle: idleTimeout }) },
    blocked: blocked ?? missing[0]?.problem,
    // Why it is blocked was told by the layer.
    refusals: missing,
  };
}

interface TranslatedMatch {
  readonly match: RequestMatch;
  readonly refusals: readonly Refusal[];
}

/** What a layer asks of headers and parameters beside the rule's own matches. */
export function withMatch(
  context: RouteContext,
  translated: TranslatedMatch,
  more: RuleExtras["match"],
  field: string,
): TranslatedMatch {
  if (!more) return translated;
  const { match, refusals } = translated;
  const inverted = more.headers.some(({ invert }) => invert);
  return {
    match: {
      ...match,
      headers: [...match.headers, ...more.headers],
      queryParams: [...match.queryParams, ...more.queryParams],
    },
    refusals: [
      ...refusals,
      ...(inverted ? lacks(context, "InvertedHeaderMatch", `${field}.headers`) : []),
      ...(more.queryParams.length > 0
        ? lacks(context, "HTTPRouteQueryParamMatching", `${field}.queryParams`)
        : []),
    ],
  };
}

/**
 * The wildcards of the route stand for one label: a virtual host for `*.example.com` takes any number, so its rules look at the Host themselves.
 * That asks for no more than the hostname does, and weighs nothing.
 */
export function withOneLabel(
  { layered }: RouteContext,
  { match, refusals }: TranslatedMatch,
): TranslatedMatch {
  const hostnames = layered?.oneLabel
    ? (layered.route as { spec: { hostnames?: readonly string[] } }).spec
    : {};
  const suffixes = (hostnames.hostnames ?? []).filter((name) => name.startsWith("*."));
  if (suffixes.length === 0) return { match, refusals };
  const host = { name: "host", type: "regex", value: oneLabelExpression(hostnames.hostnames ?? []) } as const;
  return { match: { ...match, headers: [...match.headers, host] }, refusals };
}

/** Takes the Host of one of these names, whose wildcards stand for one label. */
export function oneLabelExpression(hostnames: readonly string[]): string {
  const names = hostnames.map((name) =>
    name.startsWith("*.") ? `[^.]+${literal(name.slice(1))}` : literal(name),
  );
  return `(?i)(${names.join("|")})\\.?(:[0-9]*)?`;
}

function literal(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9-]/g, String.raw`\$&`);
}
