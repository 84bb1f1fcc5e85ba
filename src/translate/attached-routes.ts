import type { Collection, Graph, Read } from "../incremental/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import { routeKindConflicts, type RouteKindConflicts } from "./route-kind-conflicts.ts";
import type { Resources } from "./resources.ts";
import type { Attachment, RouteParent } from "./route-parents.ts";
import type { RouteTranslation } from "./route-translation.ts";

/** A parent of a route after everything has been weighed: its listeners, other routes, and what the route says. */
export interface AttachedRoute {
  readonly parent: RouteParent;
  /** Key of the route's translation for the parent's Gateway. */
  readonly translation: string;
  readonly accepted: Verdict;
  /** Where it serves; empty unless accepted. */
  readonly attachments: readonly Attachment[];
}

/** What the content of a route was judged to be. Apart from the content itself, so that a changed filter or backend stops here. */
export type RouteVerdicts = Pick<RouteTranslation, "accepted" | "resolvedRefs" | "partiallyInvalid">;

/** `<route>@<gateway>` */
export function translationKey(parent: RouteParent): string {
  return `${parent.route}@${parent.gateway ?? ""}`;
}

export function attachedRoutes(
  graph: Graph,
  resources: Resources,
  parents: Collection<RouteParent>,
  verdicts: Collection<RouteVerdicts>,
): Collection<AttachedRoute> {
  const conflicts = routeKindConflicts(graph, resources, parents);
  return graph.map("attached routes", parents, (parent, read) =>
    judgeAttached(parent, read, conflicts, verdicts),
  );
}

function judgeAttached(
  parent: RouteParent,
  read: Read,
  conflicts: RouteKindConflicts,
  verdicts: Collection<RouteVerdicts>,
): AttachedRoute {
  const translation = translationKey(parent);
  const refuse = (accepted: Verdict): AttachedRoute => ({ parent, translation, accepted, attachments: [] });
  if (parent.accepted.status !== "True") return refuse(parent.accepted);

  const refusal = read.one(verdicts, translation)?.accepted;
  if (refusal) return refuse(refusal);

  const winners = parent.attachments.map(({ section }) => conflicts.winnerOver(read, parent.route, section));
  const attachments = parent.attachments.filter((_, index) => winners[index] === undefined);
  const winner = winners.find((route) => route !== undefined);
  if (winner === undefined || attachments.length > 0) {
    return { parent, translation, accepted: parent.accepted, attachments };
  }
  const [kind, ...name] = winner.split("/");
  const message = `spec.hostnames: ${kind} ${name.join("/")} came first and has these hostnames on the same listener; HTTPRoutes and GRPCRoutes cannot share a hostname`;
  return refuse(verdict("Accepted", "False", "HostnameConflict", message));
}
