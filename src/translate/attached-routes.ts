import type { Collection, Graph, Read } from "../incremental/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import type { ContentInputs } from "./content-inputs.ts";
import type { GatewayView } from "./gateway-view.ts";
import { isLayered, type LayerRoute } from "./layers.ts";
import { kept, none, withoutGaps } from "./lists.ts";
import { routeKindConflicts, type RouteKindConflicts } from "./route-kind-conflicts.ts";
import type { Resources } from "./resources.ts";
import type { Attachment, RouteParent } from "./route-parents.ts";
import { translateRoute, type RouteTranslation } from "./route-translation.ts";

/** A route of which at least one parent is ours to judge. */
export interface AttachedRoute {
  /** Its key. */
  readonly route: string;
  readonly parents: readonly AttachedParent[];
  /** Its content, once for each Gateway that it has. */
  readonly translations: readonly RouteTranslation[];
  /** Of these, those of Gateways that it serves on. Whoever is let in nowhere brings nothing into the model. */
  readonly served: readonly RouteTranslation[];
}

/** A parent of a route after everything has been weighed: its listeners, other routes, and what the route says. */
export interface AttachedParent extends Pick<RouteParent, "ref" | "controllerName"> {
  readonly accepted: Verdict;
  /** Where it serves; empty unless accepted. */
  readonly attachments: readonly Attachment[];
  /** The content as the parent's Gateway serves it; `undefined` where there is no Gateway. */
  readonly translation: RouteTranslation | undefined;
}

export interface AttachmentInputs {
  readonly resources: Resources;
  readonly parents: Collection<readonly RouteParent[]>;
  readonly layerRoutes: Collection<LayerRoute>;
  readonly gatewayViews: Collection<GatewayView>;
  readonly content: ContentInputs;
}

export function attachedRoutes(graph: Graph, inputs: AttachmentInputs): Collection<AttachedRoute> {
  const { resources, parents, layerRoutes, gatewayViews, content } = inputs;
  const conflicts = routeKindConflicts(graph, resources, parents, (read, route, gateway) => {
    const view = read.one(gatewayViews, gateway);
    return view !== undefined && translateRoute(route, view, read, content).accepted === undefined;
  });
  return graph.map("attached routes", parents, (list, read, key) => {
    const layered = isLayered(key) ? read.one(layerRoutes, key) : undefined;
    const route = layered?.route ?? read.one(resources.routes, key);
    if (!route) return undefined;
    const views = gatewaysOf(list).map((gateway) => read.one(gatewayViews, gateway));
    const translations = withoutGaps(views).map((view) =>
      translateRoute(route, view, read, content, layered),
    );
    const judged = list.map((parent): AttachedParent => {
      const { ref, controllerName } = parent;
      const translation = translations.find(({ gateway }) => gateway.key === parent.gateway);
      const { accepted, attachments } = judgeAttached(key, parent, translation, read, conflicts);
      return { ref, controllerName, accepted, attachments, translation };
    });
    const served = kept(translations, (one) =>
      judged.some(({ attachments, translation }) => translation === one && attachments.length > 0),
    );
    return { route: key, parents: judged, translations, served };
  });
}

function gatewaysOf(parents: readonly RouteParent[]): readonly string[] {
  const gateways = withoutGaps(parents.map(({ gateway }) => gateway));
  return gateways.length > 1 ? [...new Set(gateways)] : gateways;
}

function judgeAttached(
  route: string,
  parent: RouteParent,
  translation: RouteTranslation | undefined,
  read: Read,
  conflicts: RouteKindConflicts,
): Pick<AttachedParent, "accepted" | "attachments"> {
  const refuse = (accepted: Verdict) => ({ accepted, attachments: none });
  if (parent.accepted.status !== "True") return refuse(parent.accepted);
  if (translation?.accepted) return refuse(translation.accepted);

  const yields = new Set<string>();
  const attachments = kept(parent.attachments, ({ section }) => {
    const winner = conflicts.winnerOver(read, route, section);
    if (winner !== undefined) yields.add(describeYield(section, winner));
    return winner === undefined;
  });
  if (yields.size === 0) return { accepted: parent.accepted, attachments };
  const why = `${[...yields].join("; ")}. HTTPRoutes and GRPCRoutes cannot share a hostname on a listener, and the older route (then the first by name) keeps it; give one of them other hostnames or another sectionName`;
  if (attachments.length === 0)
    return refuse(verdict("Accepted", "False", "HostnameConflict", `spec.hostnames: ${why}`));
  return {
    accepted: { ...parent.accepted, message: `The route is accepted, but not everywhere: ${why}` },
    attachments,
  };
}

function describeYield(section: string, winner: string): string {
  const [kind, namespace, name] = winner.split("/");
  return `${kind} ${namespace}/${name} has the hostnames on listener ${section.slice(section.lastIndexOf("/") + 1)}`;
}
