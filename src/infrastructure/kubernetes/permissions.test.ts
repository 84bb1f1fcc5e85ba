/** The chart's permissions are exactly what the program uses: what sources read and write, what fleets consist of. */
import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { kinds } from "../../resources/index.ts";
import { fleetTypes, pods } from "./resource-types.ts";

interface Rule {
  readonly why: string;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const file = new URL("../../../charts/gatewright/files/permissions.yaml", import.meta.url);
const permissions = load(readFileSync(file, "utf8")) as Record<
  "cluster" | "namespaced" | "clusterEvents" | "own",
  Rule[]
>;

const flat = (rules: readonly Rule[]) =>
  rules
    .flatMap(({ apiGroups, resources, resourceNames = [""], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          resourceNames.flatMap((name) =>
            verbs.map((verb) => `${verb} ${resource}.${group} ${name}`.trimEnd()),
          ),
        ),
      ),
    )
    .toSorted();

const read = ["get", "list", "watch"];
const statusGroups = [
  "gateway.networking.k8s.io",
  "gateway.networking.x-k8s.io",
  "gatewright.dev",
  "networking.k8s.io",
  "projectcontour.io",
];
/** Whose statuses say nothing. */
const silentKinds: readonly string[] = [
  "IngressClass",
  "ProxyConfig",
  "ReferenceGrant",
  "TLSCertificateDelegation",
];

function ofKinds(namespaced: boolean): string[] {
  const some = [...kinds.values()].filter((kind) => kind.namespaced === namespaced);
  return some.flatMap(({ kind, plural, group }) => [
    ...read.map((verb) => `${verb} ${plural}.${group}`),
    ...(statusGroups.includes(group) && !silentKinds.includes(kind)
      ? [`patch ${plural}/status.${group}`]
      : []),
  ]);
}

describe("the chart's permissions", () => {
  it("are those of the kinds without namespaces", () => {
    const crds = ["list", "watch"].map((verb) => `${verb} customresourcedefinitions.apiextensions.k8s.io`);
    const mesh = "create xmeshes.gateway.networking.x-k8s.io";
    expect(flat(permissions.cluster)).toEqual([...ofKinds(false), ...crds, mesh].toSorted());
  });

  it("are those of the kinds with namespaces, of fleets and of events", () => {
    const fleets = fleetTypes.flatMap(({ plural, group }) =>
      [...read, "create", "delete", "patch"].map((verb) => `${verb} ${plural}.${group}`),
    );
    const ofPods = ["list", "watch"].map((verb) => `${verb} ${pods.plural}.${pods.group}`);
    const events = ["create events.events.k8s.io", "patch events.events.k8s.io"];
    const used = new Set([...ofKinds(true), ...fleets, ...ofPods, ...events]);
    expect(flat(permissions.namespaced)).toEqual([...used].toSorted());
  });

  it("are in default those of events on what has no namespace", () => {
    expect(flat(permissions.clusterEvents)).toEqual([
      "create events.events.k8s.io",
      "patch events.events.k8s.io",
    ]);
  });

  it("are in its own namespace those of one Lease and one Secret", () => {
    expect(flat(permissions.own)).toEqual([
      "create leases.coordination.k8s.io",
      "create secrets.",
      "get leases.coordination.k8s.io gatewright-controller",
      "get secrets. gatewright-channel-authority",
      "list secrets. gatewright-channel-authority",
      "update leases.coordination.k8s.io gatewright-controller",
      "watch secrets. gatewright-channel-authority",
    ]);
  });

  it("have no wildcard, and a reason each", () => {
    const rules = Object.values(permissions).flat();
    expect(flat(rules).filter((permission) => permission.includes("*"))).toEqual([]);
    expect(rules.filter(({ why }) => !why)).toEqual([]);
  });
});
