/*
 * TLS, TCP and UDP: which route takes the connections. Spec: where several routes claim the same, the one with the most specific hostname
 * serves alone, of those the oldest; all of them stay accepted.
 */
import type { Collection, Graph } from "../incremental/index.ts";
import {
  compareHostnames,
  type ServerName,
  type ServerNameAction,
  type StreamRoute,
} from "../model/index.ts";
import type { Section } from "./section.ts";
import { terminatesTls, type ResolvedSection } from "./listeners.ts";
import { isLayered, layerRanks, type LayerRoute } from "./layers.ts";
import { ageOf, compareAge, type Aged } from "./object-age.ts";
import type { Resources } from "./resources.ts";
import { hostnameBehind } from "./route-parents.ts";
import type { StreamRule } from "./route-translation.ts";
import { groundOf, groundOfSection } from "./served-hostnames.ts";
import type { HostInputs } from "./virtual-hosts.ts";

interface StreamClaim {
  readonly section: string;
  readonly listener: string;
  readonly hostname: string;
  /** The route's own, from which it comes. */
  readonly own: string;
  readonly age: Aged;
  /** `layerRanks`; 0 for the Gateway API. */
  readonly layer: number;
  readonly stream: StreamRule;
}

export interface StreamInputs extends HostInputs {
  readonly resources: Resources;
  readonly sections: Collection<Section>;
  /** Names whose certificates a route has brought. */
  readonly certifiedNames: Collection<ServerName>;
  readonly layerRoutes: Collection<LayerRoute>;
}

export function streamRoutes(graph: Graph, inputs: StreamInputs) {
  const { resources, attached, serving, owners, layerRoutes } = inputs;
  const claims = graph.derive("stream claims", attached, function* ({ route: key, parents }, read): Generator<
    [string, StreamClaim]
  > {
    if (!parents.some(({ translation }) => translation && translation.streams.length > 0)) return;
    const layered = isLayered(key) ? read.one(layerRoutes, key) : undefined;
    const route = layered?.route ?? read.one(resources.routes, key);
    const layer = layered ? layerRanks[layered.layer] : 0;
    for (const { translation, attachments } of parents) {
      const stream = translation?.streams[0];
      if (!route || !stream) continue;
      const age = ageOf(route.metadata);
      for (const attachment of attachments) {
        const { section, listener, hostnames } = attachment;
        for (const hostname of hostnames) {
          const ground = groundOf(read, owners, listener, hostname);
          if (section !== ground?.first && (layered || section !== ground?.section)) continue;
          const own = hostnameBehind(attachment, hostname);
          yield [`${section}|${hostname}|${key}`, { section, listener, hostname, own, age, layer, stream }];
        }
      }
    }
  });
  const claimsByHostname = graph.index("stream claims by hostname", claims, ({ listener, hostname }) => [
    `${listener}|${hostname}`,
  ]);
  const winners = graph.map("stream winners", claimsByHostname, (group) =>
    group.reduce((oldest, claim) => (compareClaims(claim, oldest) < 0 ? claim : oldest)),
  );

  const routedNames = graph.map(
    "routed server names",
    winners,
    (claim, read, key): ServerName | undefined => {
      const section = read.one(serving, claim.section);
      if (section?.section.spec.protocol !== "TLS") return undefined;
      const { listener, hostname } = claim;
      return { key, listener, hostname, section: claim.section, action: streamAction(section, claim.stream) };
    },
  );
  const ownNames = graph.derive("server names of listeners", serving, (resolved, read) => {
    const { listener, hostname, spec } = resolved.section;
    const section = groundOfSection(read, owners, resolved.section);
    if (spec.protocol !== "HTTPS" && spec.protocol !== "TLS") return [];
    // Only routes bring certificates: nobody else can be served.
    if (spec.protocol === "HTTPS" && resolved.certificates.length === 0) return [];
    const key = `${listener}|${hostname}`;
    const action: ServerNameAction =
      spec.protocol === "HTTPS"
        ? { type: "http", certificates: resolved.certificates }
        : streamAction(resolved, undefined);
    return [[key, { key, listener, hostname, section, action }] as [string, ServerName]];
  });
  const serverNames = graph.union("server names", [routedNames, inputs.certifiedNames, ownNames]);

  const streams = graph.derive("stream routes", winners, ({ listener, section, stream }, read) => {
    const protocol = read.one(serving, section)?.section.spec.protocol;
    if (protocol !== "TCP" && protocol !== "UDP") return [];
    const { route, backends } = stream;
    return [[listener, { key: listener, listener, section, route, backends }] as [string, StreamRoute]];
  });
  return { serverNames, streamRoutes: streams };
}

function compareClaims(a: StreamClaim, b: StreamClaim): number {
  return compareHostnames(a.own, b.own) || a.layer - b.layer || compareAge(a.age, b.age);
}

function streamAction(resolved: ResolvedSection, stream: StreamRule | undefined): ServerNameAction {
  const route = stream?.route;
  return terminatesTls(resolved.section)
    ? { type: "terminate", certificates: resolved.certificates, route, backends: stream?.terminated ?? [] }
    : { type: "passthrough", route, backends: stream?.backends ?? [] };
}
