import type { Backend, EndpointSet } from "./backend.ts";
import type { Certificate } from "./certificate.ts";
import type { Listener, ServerName, StreamRoute } from "./listener.ts";
import type { VirtualHost } from "./virtual-host.ts";

/** The kinds of items a model is made of, each keyed. */
export interface ModelItems {
  readonly certificates: Certificate;
  readonly backends: Backend;
  readonly endpoints: EndpointSet;
  readonly listeners: Listener;
  readonly serverNames: ServerName;
  readonly virtualHosts: VirtualHost;
  readonly streamRoutes: StreamRoute;
}

export type ModelKind = keyof ModelItems;

/** In the order in which items may refer to each other: what is referred to comes first. */
export const modelKinds = [
  "certificates",
  "backends",
  "endpoints",
  "listeners",
  "serverNames",
  "virtualHosts",
  "streamRoutes",
] as const satisfies readonly ModelKind[];

/** What became different, by key; `undefined` means removed. Everything in one batch belongs together. */
export type ModelChanges = {
  readonly [Kind in ModelKind]: ReadonlyMap<string, ModelItems[Kind] | undefined>;
};

/** One of something for each kind. */
export function perModelKind<T>(make: (kind: ModelKind) => T): Record<ModelKind, T> {
  return Object.fromEntries(modelKinds.map((kind) => [kind, make(kind)])) as Record<ModelKind, T>;
}
