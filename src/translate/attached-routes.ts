import type { Collection, Graph, Read } from "../incremental/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import { kept, none } from "./lists.ts";
import { routeKindConflicts, type RouteKindConflicts } from "./route-kind-conflicts.ts";
import type { Resources } from "./resources.ts";
import type { Attachment, RouteParent } from "./route-parents.ts";
import type { RouteTranslation } from "./route-translation.ts";

export interface AttachedRoute {
  /** Its key. */
  readonly route: string;
  readonly parents: readonly AttachedParent[];
}

/**
 * A parent of a route after everything has been weighed: its listeners, other routes, and what the route says. Of the content
 * it has the verdicts only, so that a changed filter or backend stops here.
 */
export interface AttachedParent extends Pick<RouteParent, "ref" | "gateway" | "controllerName"> {
  readonly accepted: Verdict;
  readonly resolvedRefs: Verdict | undefined;
  readonly partiallyInvalid: Verdict | undefined;
  /** Where it serves; empty unless accepted. */
  readonly attachments: readonly Attachment[];
}

/** The content of each route, once for each Gateway that it has. */
export type RouteTranslations = Collection<readonly RouteTranslation[]>;

/** The content of a route as a Gateway serves it. */
export function translationFor(
  translations: readonly RouteTranslation[] | undefined,
  gateway: string | undefined,
): RouteTranslation | undefined {
  return translations?.find((translation) => translation.gateway.key === gateway);
}

export function attachedRoutes(
  graph: Graph,
  resources: Resources,
  parents: Collection<readonly RouteParent[]>,
  translations: RouteTranslations,
): Collection<AttachedRoute> {
  const conflicts = routeKindConflicts(graph, resources, parents);
  return graph.map("attached routes", parents, (list, read, route) => {
    const contents = read.one(translations, route);
    const judge = (parent: RouteParent) => {
      const content = translationFor(contents, parent.gateway);
      const { ref, gateway, controllerName } = parent;
      const { accepted, attachments } = judgeAttached(route, parent, content, read, conflicts);
      const { resolvedRefs, partiallyInvalid } = content ?? {};
      return { ref, gateway, controllerName, accepted, resolvedRefs, partiallyInvalid, attachments };
    };
    return { route, parents: list.map(judge) };
  });
}

function judgeAttached(
  route: string,
  parent: RouteParent,
  content: RouteTranslation | undefined,
  read: Read,
  conflicts: RouteKindConflicts,
): Pick<AttachedParent, "accepted" | "attachments"> {
  const refuse = (accepted: Verdict) => ({ accepted, attachments: none });
  if (parent.accepted.status !== "True") return refuse(parent.accepted);
  if (content?.accepted) return refuse(content.accepted);

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
