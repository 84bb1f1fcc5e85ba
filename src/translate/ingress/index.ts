// Ingress as a layer.
//
//   ingresses ─► of our class ─┬─► canaries ─► their paths ─┐
//                              └─► all others ──────────────┴─► judged ─► listeners, routes ─► the translation
//                                                                 │                                 │
//                                                              remarks ─────► Events        outcomes ─► statuses
//
// A changed Ingress is judged anew, and so are those whose paths a changed canary shares; others are not looked at.

import type { Collection, Graph } from "../../incremental/index.ts";
import type { Ingress } from "../../resources/index.ts";
import { objectStatus, type ObjectStatus } from "../../status/index.ts";
import type { Layer, LayerInputs, LayerOutcome, Remark } from "../layers.ts";
import { canaryRemarks } from "./canary-paths.ts";
import type { JudgedIngress } from "./judged-ingress.ts";
import { judgedIngresses } from "./judged-ingresses.ts";
import { layeredRoutes, listenersOf } from "./layered-routes.ts";
import { outcomeRemarks } from "./outcomes.ts";
import { remarkKey } from "./remark-list.ts";
import { loserRemarks, matchKeys, winnersBy } from "./same-matches.ts";

export function ingressLayer(graph: Graph, inputs: LayerInputs): Layer {
  const { judged, canaries, mainPaths } = judgedIngresses(graph, inputs);
  const routes = graph.derive("Ingress routes", judged, (one) =>
    layeredRoutes(one).map((route) => [route.key, route] as const),
  );
  const ofCanaries = graph.derive("remarks on canaries", canaries, (ingress, read) =>
    canaryRemarks(ingress, (key) => read.all(mainPaths, key).length > 0),
  );
  const byMatch = graph.index("Ingresses by match", judged, (one) => [...new Set(matchKeys(one))]);
  return {
    name: "Ingress",
    routes,
    listeners: graph.derive("Ingress listeners", judged, (one) =>
      listenersOf(one).map(
        (listener) => [`Ingress/${keyOf(one.ingress)}/${listener.hostname}`, listener] as const,
      ),
    ),
    conclude(outcome) {
      const ofMains = graph.derive("remarks on Ingresses", judged, (one, read) => {
        const object = `Ingress/${keyOf(one.ingress)}`;
        const found = outcomeRemarks(
          one,
          read.all(outcome.routes, object),
          read.all(outcome.listeners, object),
        );
        const losers = loserRemarks(one, winnersBy(byMatch, read));
        return [...one.remarks, ...found, ...losers].map((remark) => [remarkKey(remark), remark] as const);
      });
      const remarks = graph.union("remarks of the Ingress layer", [ofMains, ofCanaries]);
      return { statuses: statuses(graph, { judged, canaries, remarks, outcome }), remarks };
    },
  };
}

function keyOf({ metadata }: Ingress): string {
  return `${metadata.namespace}/${metadata.name}`;
}

interface StatusInputs {
  readonly judged: Collection<JudgedIngress>;
  readonly canaries: Collection<Ingress>;
  readonly remarks: Collection<Remark>;
  readonly outcome: LayerOutcome;
}

/** Spec: where the load balancer is reached that serves it. What an Ingress has no field for is told in remarks, which `check` shows beside it. */
function statuses(
  graph: Graph,
  { judged, canaries, remarks, outcome }: StatusInputs,
): Collection<ObjectStatus> {
  const byObject = graph.index("remarks by Ingress", remarks, (one) => [
    `Ingress/${one.namespace}/${one.name}`,
  ]);
  const ofMains = graph.derive("Ingress statuses", judged, ({ ingress, gateway, hosts }, read, key) => {
    const object = `Ingress/${key}`;
    const isAttached = read.all(outcome.routes, object).some(({ accepted }) => accepted.status === "True");
    const answers = hosts.some(({ rules }) => rules.some(({ extras }) => extras.blocked === undefined));
    const isServed = isAttached && answers;
    const addresses = isServed ? (read.one(outcome.addresses, gateway) ?? []) : [];
    const content = {
      shape: "load-balancer",
      addresses,
      isServed,
      remarks: read.all(byObject, object).map(shortened),
    } as const;
    return [[object, objectStatus(ingress, content)] as const];
  });
  const ofCanaries = graph.derive("canary statuses", canaries, (ingress, read, key) => {
    const object = `Ingress/${key}`;
    const own = read.all(byObject, object).map(shortened);
    const content = { shape: "load-balancer", addresses: [], isServed: true, remarks: own } as const;
    return [[object, objectStatus(ingress, content)] as const];
  });
  return graph.union("statuses of Ingresses", [ofMains, ofCanaries]);
}

function shortened({ severity, reason, field, message }: Remark) {
  return { severity, reason, field, message };
}
