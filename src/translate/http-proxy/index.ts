// HTTPProxy as a layer.
//
//   httpProxies ─► of our class ─► judged routes ─┐
//                        │                         ├─► judged roots (a tree each) ─► listeners, routes ─► the translation
//                        └──────────► roots ───────┘            │                                              │
//                                                              findings ─────────► statuses ◄──── outcomes ◄───┘
//
// A changed HTTPProxy is judged anew, and so are the trees that it is in; others are not looked at.

import type { Collection, Graph, Index, Read } from "../../incremental/index.ts";
import type { ObjectName } from "../../model/index.ts";
import type { HTTPProxy } from "../../resources/index.ts";
import { objectStatus, type ObjectStatus } from "../../status/index.ts";
import type { Layer, LayerInputs, LayerListener, LayerOutcome, LayerRoute } from "../layers.ts";
import { isOurs } from "./classes.ts";
import { joinFindings, type Findings } from "./findings.ts";
import { keyOf } from "./inclusion-tree.ts";
import { layeredRoutes, listenerOf } from "./layered-routes.ts";
import { judgeRoot } from "./roots.ts";
import { judgeRoutes } from "./routes.ts";
import { mayUse, secretInputs, secretNameOf, secretReference, type SecretInputs } from "./secrets.ts";
import { judgeStatus, keepsAddress, outcomeFindings } from "./statuses.ts";
import { mayBeRoot } from "./virtual-hosts.ts";

export function httpProxyLayer(graph: Graph, given: LayerInputs): Layer {
  const { resources, layers } = given;
  const { httpProxies: settings } = layers;
  const proxies = graph.map("HTTPProxies of ours", resources.httpProxies, (proxy) =>
    settings && isOurs(proxy, settings) ? proxy : undefined,
  );
  const inputs = { ...secretInputs(graph, given), services: resources.services };
  const judgedRoutes = graph.map("HTTPProxy routes", proxies, (proxy, read) =>
    judgeRoutes(proxy, read, inputs),
  );
  const byName = graph.index("HTTPProxy roots by name", proxies, (proxy) => {
    const { virtualhost } = proxy.spec;
    return virtualhost && mayBeRoot(proxy, settings?.rootNamespaces) ? [virtualhost.fqdn.toLowerCase()] : [];
  });
  const roots = graph.map("HTTPProxy trees", proxies, (proxy, read) =>
    judgeRoot(proxy, read, {
      ...inputs,
      proxies,
      judgedRoutes,
      claimants: (reading: Read, fqdn) => reading.all(byName, fqdn).map(keyOf),
      rootNamespaces: settings?.rootNamespaces,
    }),
  );
  const { gateway } = layers;
  const listeners = graph.derive(
    "HTTPProxy listeners",
    roots,
    (root): (readonly [string, LayerListener])[] => {
      const listener = listenerOf(root, gateway);
      return listener ? [[`HTTPProxy/${keyOf(root.root)}/${listener.hostname}`, listener]] : [];
    },
  );
  const routes = graph.derive("HTTPProxy layer routes", roots, (root, read) =>
    layeredRoutes(root, gateway, (key) => read.one(proxies, key)).map((route) => [route.key, route] as const),
  );
  const findings = graph.derive("HTTPProxy findings", roots, ({ root, findings: all }) =>
    all.map(([proxy, found]) => [`${proxy}|${keyOf(root)}`, { proxy, found }] as const),
  );
  const findingsByProxy = graph.index("findings by HTTPProxy", findings, ({ proxy }) => [proxy]);
  return {
    name: "HTTPProxy",
    listeners,
    routes,
    references: references(graph, proxies, inputs),
    conclude: (outcome) => ({
      statuses: statuses(graph, { proxies, routes, gateway, findingsByProxy, outcome }),
    }),
  };
}

/** The Secrets that are named and may be. */
function references(
  graph: Graph,
  proxies: Collection<HTTPProxy>,
  inputs: SecretInputs,
): Collection<ObjectName> {
  return graph.derive("references of HTTPProxies", proxies, ({ metadata, spec }, read) => {
    const services = [
      ...(spec.routes ?? []).flatMap((route) => route.services ?? []),
      ...(spec.tcpproxy?.services ?? []),
    ];
    const named = [
      spec.virtualhost?.tls?.secretName ?? "",
      ...services.map(({ validation }) => validation?.caSecret ?? ""),
    ].filter((text) => text !== "");
    return named
      .map((text) => secretNameOf(text, metadata.namespace))
      .filter((secret) => mayUse(read, inputs, secret, metadata.namespace))
      .map((secret) => [`Secret/${secret.namespace}/${secret.name}`, secretReference(secret)] as const);
  });
}

interface StatusInputs {
  readonly proxies: Collection<HTTPProxy>;
  readonly routes: Collection<LayerRoute>;
  readonly gateway: string;
  readonly findingsByProxy: Index<{ readonly found: Findings }>;
  readonly outcome: LayerOutcome;
}

function statuses(graph: Graph, inputs: StatusInputs): Collection<ObjectStatus> {
  const { proxies, routes, gateway, findingsByProxy, outcome } = inputs;
  return graph.derive("HTTPProxy statuses", proxies, (proxy, read, key) => {
    const object = `HTTPProxy/${key}`;
    const found = read.all(findingsByProxy, key);
    const outcomes = read.all(outcome.routes, object);
    const isServed = outcomes.some(
      ({ key: route, accepted }) => accepted.status === "True" && answers(read.one(routes, route)),
    );
    const later = outcomeFindings(outcomes, read.all(outcome.listeners, object));
    const status = judgeStatus(
      found.length === 0 ? "orphaned" : joinFindings([...found.map((one) => one.found), later]),
    );
    const addresses = keepsAddress(status) ? (read.one(outcome.addresses, gateway) ?? []) : [];
    return [[object, objectStatus(proxy, { shape: "http-proxy", ...status, isServed, addresses })] as const];
  });
}

/** Whether a rule of it does more than tell of an error. */
function answers(route: LayerRoute | undefined): boolean {
  const rules = route?.route.spec.rules ?? [];
  return rules.some((_rule, index) => route?.extras?.[index]?.blocked === undefined);
}
