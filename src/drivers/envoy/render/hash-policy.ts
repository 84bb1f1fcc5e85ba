import type { HashSource, HttpBackend } from "../../../model/index.ts";
import type { RouteAction, RouteActionHashPolicy } from "../generated/messages.ts";

/** What the backend with this key hashes on; undefined: it does not. */
export type HashOf = (backend: string) => readonly HashSource[] | undefined;

/** Envoy makes one hash for a request, before it has chosen among the route's backends: that of the first that hashes. */
export function renderHashPolicy(
  backends: readonly HttpBackend[],
  hashOf: HashOf,
): Pick<RouteAction, "hashPolicy"> {
  for (const { target } of backends) {
    const on = target.type === "backend" ? hashOf(target.backend) : undefined;
    if (on && on.length > 0) return { hashPolicy: on.map(renderSource) };
  }
  return {};
}

function renderSource(source: HashSource): RouteActionHashPolicy {
  switch (source.type) {
    case "header":
      return { header: { headerName: source.name === "host" ? ":authority" : source.name } };
    case "query":
      return { queryParameter: { name: source.name } };
    case "source":
      return { connectionProperties: { sourceIp: true } };
  }
}
