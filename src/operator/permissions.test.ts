/** The chart's permissions for the operator are what it uses: to give roles it must hold what is in them, and it may touch no others. */
import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import type { KubernetesClient } from "../kubernetes/index.ts";
import { kubernetesProfile } from "./profiles/kubernetes.ts";
import { userRoles } from "./roles/user-roles.ts";

interface Rule {
  readonly why?: string;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const read = (name: string) =>
  load(readFileSync(new URL(`../../charts/gatewright/files/${name}`, import.meta.url), "utf8"));
const rules = read("operator-permissions.yaml") as readonly Rule[];
const ofController = read("permissions.yaml") as Record<"cluster" | "namespaced" | "own", readonly Rule[]>;
const flat = (some: readonly Rule[]) =>
  some.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}.${group}`)),
    ),
  );
const { words } = kubernetesProfile({} as KubernetesClient, "general");

describe("the operator's permissions", () => {
  it("are enough for the roles that it gives, and for no more", () => {
    const given = flat(userRoles(words).flatMap(({ object }) => object["rules"] as readonly Rule[]));
    const held = new Set([...flat(rules), ...flat(ofController.cluster), ...flat(ofController.namespaced)]);
    expect(given.filter((permission) => !held.has(permission))).toEqual([]);
    const ofUsers = rules.filter(({ verbs }) => verbs.includes("deletecollection"));
    expect(flat(ofUsers).filter((permission) => !given.includes(permission))).toEqual([]);
  });

  it("name the roles and policies that it may change", () => {
    const names = (resource: string) =>
      rules
        .filter(({ resources, verbs }) => resources.includes(resource) && verbs.includes("update"))
        .map(({ resourceNames }) => resourceNames);
    expect(names("clusterroles")).toEqual([[words.adminRole, words.viewRole]]);
    expect(names("validatingadmissionpolicies")).toEqual([
      [words.policyName, "safe-upgrades.gateway.networking.k8s.io"],
    ]);
  });

  it("have no wildcard, no right to escalate, and a reason each", () => {
    expect(flat(rules).filter((permission) => /[*]|^(escalate|bind|impersonate) /.test(permission))).toEqual(
      [],
    );
    expect(flat(rules)).not.toContain("delete customresourcedefinitions.apiextensions.k8s.io");
    expect(rules.filter(({ why }) => !why)).toEqual([]);
  });
});
