import type { Collection, Graph, Index } from "../incremental/index.ts";
import type { ConfigMap, EndpointSlice, Secret, Service } from "../resources/index.ts";
import { tlsPolicies, type TlsPolicies } from "./backend-tls-policies.ts";
import { trafficPolicies, type TrafficPolicies } from "./backend-traffic-policies.ts";
import { refusedEndpoints, slicesByService } from "./endpoints.ts";
import { referencePermissions, type ReferencePermissions } from "./reference-grants.ts";
import type { Resources } from "./resources.ts";
import type { TranslateSettings } from "./settings.ts";
import { judgedXBackends, type JudgedXBackend } from "./xbackends.ts";

/** What the content of routes is looked up in. Keys are `namespace/name` unless said otherwise. */
export interface ContentInputs {
  readonly resources: Resources;
  readonly services: Collection<Service>;
  readonly configMaps: Collection<ConfigMap>;
  readonly secrets: Collection<Secret>;
  readonly permissions: ReferencePermissions;
  readonly endpointSlicesByService: Index<EndpointSlice>;
  /** What is said of Services with endpoints that are left out. */
  readonly refusedEndpoints: Collection<string>;
  /** `byTarget`: by `targetKey`. */
  readonly tlsPolicies: TlsPolicies;
  /** `byTarget`: by `targetKey`. */
  readonly trafficPolicies: TrafficPolicies;
  readonly xBackends: Collection<JudgedXBackend>;
  readonly settings: TranslateSettings;
}

export function contentInputs(
  graph: Graph,
  resources: Resources,
  settings: TranslateSettings,
): ContentInputs {
  const { services, configMaps, secrets } = resources;
  const permissions = referencePermissions(graph, resources.referenceGrants);
  const trust = { configMaps, invalidObjects: resources.invalidObjects };
  const endpointSlicesByService = slicesByService(graph, resources.endpointSlices);
  return {
    resources,
    services,
    configMaps,
    secrets,
    permissions,
    endpointSlicesByService,
    refusedEndpoints: refusedEndpoints(graph, endpointSlicesByService, settings),
    tlsPolicies: tlsPolicies(graph, resources.backendTlsPolicies, trust),
    trafficPolicies: trafficPolicies(graph, resources.xBackendTrafficPolicies),
    xBackends: judgedXBackends(graph, resources.xBackends, { ...trust, secrets, permissions, settings }),
    settings,
  };
}
