import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { need } from "../test/components/need.ts";
import { projectFolder } from "./command.mjs";
import { renderChart, renderManifests } from "./manifests.mjs";

const permissions = load(
  readFileSync(join(projectFolder, "charts/gatewright/files/permissions.yaml"), "utf8"),
);
const operatorPermissions = load(
  readFileSync(join(projectFolder, "charts/gatewright/files/operator-permissions.yaml"), "utf8"),
);
const withoutReasons = (rules) => rules.map(({ why: _why, ...rule }) => rule);

async function objectsOf(context, ...args) {
  const rendered = await renderChart(need(context, "helm"), args);
  return loadAll(rendered).filter(Boolean);
}

const find = (objects, kind, name) =>
  objects.find((object) => object.kind === kind && (!name || object.metadata.name === name));
const argumentsOf = (objects) => find(objects, "Deployment").spec.template.spec.containers[0].args;

describe("the chart", () => {
  it("gives the controller exactly the permissions that are written down", async (context) => {
    const objects = await objectsOf(context);
    expect(find(objects, "ClusterRole").rules).toEqual(
      withoutReasons([...permissions.cluster, ...permissions.namespaced]),
    );
    const roles = objects.filter(({ kind }) => kind === "Role");
    expect(roles.map(({ metadata, rules }) => [metadata.namespace, rules])).toEqual([
      ["gatewright-system", withoutReasons(permissions.own)],
    ]);
  });

  it("gives it Roles only where it looks, if that is said", async (context) => {
    const objects = await objectsOf(context, "--set", "watchNamespaces={shop,blog}");
    expect(find(objects, "ClusterRole").rules).toEqual(withoutReasons(permissions.cluster));
    const roles = objects.filter(({ kind }) => kind === "Role");
    expect(roles.map(({ metadata }) => metadata.namespace)).toEqual([
      "gatewright-system",
      "shop",
      "blog",
      "default",
    ]);
    expect(roles[1].rules).toEqual(withoutReasons(permissions.namespaced));
    expect(roles[3].rules).toEqual(withoutReasons(permissions.clusterEvents));
    const bound = objects.filter(({ kind }) => kind === "RoleBinding");
    expect(bound.map(({ metadata, subjects }) => [metadata.namespace, subjects[0].namespace])).toEqual([
      ["gatewright-system", "gatewright-system"],
      ["shop", "gatewright-system"],
      ["blog", "gatewright-system"],
      ["default", "gatewright-system"],
    ]);
    const looksThere = await objectsOf(context, "--set", "watchNamespaces={default}");
    const namespacesOfRoles = looksThere
      .filter(({ kind }) => kind === "Role")
      .map(({ metadata }) => metadata.namespace);
    expect(namespacesOfRoles).toEqual(["gatewright-system", "default"]);
    expect(argumentsOf(objects)).toEqual(
      expect.arrayContaining(["--watch-namespace=shop", "--watch-namespace=blog"]),
    );
  });

  it("runs the operator if asked, with what it may do besides, and the class as part of Platform", async (context) => {
    const objects = await objectsOf(
      context,
      "--set",
      "operator.enabled=true",
      "--set",
      "proxyConfig.replicas=2",
    );
    expect(argumentsOf(objects)[0]).toBe("operator");
    expect(find(objects, "ClusterRole").rules).toEqual(
      withoutReasons([...permissions.cluster, ...permissions.namespaced, ...operatorPermissions]),
    );
    expect(find(objects, "GatewayClass")).toBeUndefined();
    expect(find(objects, "ProxyConfig", "gatewright")).toBeDefined();
    expect(find(objects, "Platform", "cluster").spec).toEqual({
      defaultClass: {
        name: "gatewright",
        proxyConfig: { name: "gatewright", namespace: "gatewright-system" },
      },
    });
    await expect(
      objectsOf(context, "--set", "operator.enabled=true", "--set", "watchNamespaces={shop}"),
    ).rejects.toThrow(/watchNamespaces must be empty/);
  });

  it("runs the controller without privileges", async (context) => {
    const { spec } = find(await objectsOf(context), "Deployment").spec.template;
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });

  it("tells the controller where proxies find it", async (context) => {
    const objects = await objectsOf(context);
    expect(argumentsOf(objects)).toContain(
      "--channel-host=gatewright.gatewright-system.svc.cluster.local:18000",
    );
    expect(find(objects, "Service", "gatewright").spec.ports).toMatchObject([{ port: 18000 }]);
  });

  it("5.23 makes a GatewayClass with the settings for its proxies, or none", async (context) => {
    const objects = await objectsOf(context, "--set", "proxyConfig.replicas=2");
    expect(find(objects, "ProxyConfig").spec).toEqual({ replicas: 2 });
    expect(find(objects, "GatewayClass").spec.parametersRef).toEqual({
      group: "gatewright.dev",
      kind: "ProxyConfig",
      name: "gatewright",
      namespace: "gatewright-system",
    });
    expect(find(await objectsOf(context, "--set", "gatewayClass.create=false"), "GatewayClass")).toBe(
      undefined,
    );
  });

  it("protects two controllers from being taken away at once", async (context) => {
    const objects = await objectsOf(context, "--set", "replicas=2");
    expect(find(objects, "PodDisruptionBudget").spec.maxUnavailable).toBe(1);
  });

  it("never runs two at once without an election", async (context) => {
    const objects = await objectsOf(context, "--set", "leaderElection.enabled=false");
    expect(argumentsOf(objects)).toContain("--no-leader-election");
    expect(find(objects, "Deployment").spec.strategy.type).toBe("Recreate");
  });

  it("hands the settings file over", async (context) => {
    const objects = await objectsOf(context, "--set", "config.listenerPolicy=contour");
    expect(find(objects, "ConfigMap").data["config.yaml"]).toBe("listenerPolicy: contour\n");
    expect(argumentsOf(objects)).toContain("--config=/etc/gatewright/config.yaml");
  });

  it("refuses what cannot be meant", async (context) => {
    const refused = (...args) => objectsOf(context, ...args);
    await expect(refused("--set", "replica=2")).rejects.toThrow(/replica/);
    await expect(refused("--set", "proxies.driver=apache")).rejects.toThrow(/driver/);
    // The controller could not read the ProxyConfig.
    const unreadable = ["--set", "watchNamespaces={shop}", "--set", "proxyConfig.replicas=2"];
    await expect(refused(...unreadable)).rejects.toThrow(/add it to watchNamespaces/);
  });
});

describe("the plain manifests", () => {
  it("have nothing of Helm in them", () => {
    const rendered = "---\n# Source: a\nkind: A\nlabels:\n    helm.sh/chart: x-1\n\n---\nkind: B\n";
    expect(renderManifests(rendered)).toMatch(/kind: Namespace[^]*---\nkind: A\nlabels:\n---\nkind: B\n$/);
  });
});
