/*
 * What users of namespaces may do with the Gateway API, added to Kubernetes' own roles by aggregation:
 *
 *                  Gateways   routes, policies, ListenerSets   ReferenceGrants        GatewayClasses
 *   admin, edit    read       all                              none, or all           none
 *   view           read       read                             none, or read          none
 *
 * ReferenceGrants are none of theirs unless that is said: whoever may write them opens a namespace to others. Who makes Gateways needs a role of their own.
 */
import { gatewayApiGroup } from "../crds/crd-facts.ts";
import type { KeptObject } from "../kept-objects.ts";
import { clusterRoles } from "../resource-types.ts";

export interface UserRoleWords {
  readonly adminRole: string;
  readonly viewRole: string;
  readonly givesReferenceGrants: boolean;
}

/** A label more would give the rules to others. */
const aggregation = "rbac.authorization.k8s.io/aggregate-to-";
const read = ["get", "list", "watch"];
const all = [...read, "create", "update", "patch", "delete", "deletecollection"];
const ownOfUsers = [
  "httproutes",
  "grpcroutes",
  "backendtlspolicies",
  "listenersets",
  "tlsroutes",
  "tcproutes",
  "udproutes",
];

export function userRoles({
  adminRole,
  viewRole,
  givesReferenceGrants,
}: UserRoleWords): readonly KeptObject[] {
  const resources = givesReferenceGrants ? [...ownOfUsers, "referencegrants"] : ownOfUsers;
  const gateways = rule(["gateways"], read);
  return [
    role(adminRole, ["admin", "edit"], [gateways, rule(resources, all)]),
    role(viewRole, ["view"], [gateways, rule(resources, read)]),
  ];
}

const rule = (resources: readonly string[], verbs: readonly string[]) => ({
  apiGroups: [gatewayApiGroup],
  resources,
  verbs,
});

function role(name: string, aggregatesTo: readonly string[], rules: readonly object[]): KeptObject {
  const labels = aggregatesTo.map((to) => [`${aggregation}${to}`, "true"]);
  return {
    type: clusterRoles,
    // A role that were itself made of others would have rules that nobody here wrote.
    fields: ["rules", "aggregationRule"],
    ownLabels: aggregation,
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name, labels: Object.fromEntries(labels) as Record<string, string> },
      rules,
    },
  };
}
