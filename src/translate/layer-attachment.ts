/*
 * Where a route of a layer attaches: to the sections of the Gateway that serves it whose protocol is one of its own and whose hostname covers one of its
 * hostnames. Its class is the permission: `allowedRoutes` is not asked.
 */
import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import { hostnameCandidates } from "../model/index.ts";
import { verdict } from "../status/index.ts";
import type { GatewayView } from "./gateway-view.ts";
import { intersectHostnames } from "./hostname-intersection.ts";
import type { LayerRoute } from "./layers.ts";
import { none } from "./lists.ts";
import type { Attachment, RouteParent } from "./route-parents.ts";
import type { Section } from "./section.ts";
import { gatewayGroup, type TranslateSettings } from "./settings.ts";

export interface LayerAttachmentInputs {
  readonly routes: Collection<LayerRoute>;
  readonly gatewayViews: Collection<GatewayView>;
  /** Those of Gateways and ListenerSets. */
  readonly sectionsByGateway: Index<Section>;
  /** Those of layers, by `<gateway>|<hostname>`. */
  readonly layerSectionsByHostname: Index<Section>;
  readonly settings: TranslateSettings;
}

export function layerParents(
  graph: Graph,
  inputs: LayerAttachmentInputs,
): Collection<readonly RouteParent[]> {
  return graph.map("layer route parents", inputs.routes, (route, read) => [judgeParent(route, read, inputs)]);
}

function judgeParent(route: LayerRoute, read: Read, inputs: LayerAttachmentInputs): RouteParent {
  const [namespace = "", name = ""] = route.gateway.split("/");
  const ref = { group: gatewayGroup, kind: "Gateway", namespace, name };
  const view = read.one(inputs.gatewayViews, route.gateway);
  const controllerName = view?.controllerName ?? inputs.settings.controllerNames[0] ?? "";
  const refuse = (message: string) => ({
    ref,
    gateway: view?.key,
    controllerName,
    accepted: verdict("Accepted", "False", "NoMatchingParent", message),
    attachments: none,
  });
  if (!view) return refuse(`Gateway ${route.gateway} is not there, or not of a class of ours`);
  if (!view.accepted) return refuse(`Gateway ${route.gateway} is not accepted; see its status`);
  const attachments = attachmentsOf(route, read, inputs);
  if (attachments.length === 0) {
    const protocols = route.protocols.join(" or ");
    const names = hostnamesOf(route).map((one) =>
      one === "*" ? "requests without a hostname of their own" : one,
    );
    return refuse(`Gateway ${route.gateway} has no ${protocols} listener for ${names.join(", ")}`);
  }
  const accepted = verdict("Accepted", "True", "Accepted", `Gateway ${route.gateway} serves it`);
  return { ref, gateway: view.key, controllerName, accepted, attachments };
}

function hostnamesOf({ route }: LayerRoute): readonly string[] {
  const given = "hostnames" in route.spec ? (route.spec.hostnames ?? []) : [];
  return given.length > 0 ? given.map((name) => name.toLowerCase()) : ["*"];
}

function attachmentsOf(route: LayerRoute, read: Read, inputs: LayerAttachmentInputs): readonly Attachment[] {
  const { gateway, protocols } = route;
  const wanted: ReadonlySet<string> = new Set(protocols);
  const bySection = new Map<string, { readonly listener: string; readonly hostnames: string[] }>();
  const take = ({ key, listener, spec, refusal }: Section, hostname: string) => {
    if (refusal || !wanted.has(spec.protocol)) return;
    const known = bySection.get(key);
    if (known) known.hostnames.push(hostname);
    else bySection.set(key, { listener, hostnames: [hostname] });
  };
  const own = read.all(inputs.sectionsByGateway, gateway);
  for (const hostname of hostnamesOf(route)) {
    for (const section of own) {
      if (intersectHostnames(section.hostname, hostname) === hostname) take(section, hostname);
    }
    for (const candidate of hostnameCandidates(hostname)) {
      for (const section of read.all(inputs.layerSectionsByHostname, `${gateway}|${candidate}`)) {
        take(section, hostname);
      }
    }
  }
  return [...bySection].map(([section, { listener, hostnames }]) => ({ section, listener, hostnames }));
}
