import { describe, expect, it } from "vitest";
import { parseResource } from "./parse-resource.ts";
import { formatPath } from "./problem.ts";
import { customResourceDefinition } from "./custom-resource-definition.ts";
import { kinds } from "./kinds.ts";
import { proxyConfig } from "./proxy-config.ts";

function problemsOf(spec: unknown): string[] {
  const parsed = parseResource({
    apiVersion: "gatewright.dev/v1alpha1",
    kind: "ProxyConfig",
    metadata: { name: "a", namespace: "b" },
    spec,
  });
  return parsed.outcome === "invalid" ? parsed.problems.map(({ path }) => formatPath(path)) : [];
}

describe("a ProxyConfig", () => {
  it("may say all that the design names", () => {
    const spec = {
      driver: "envoy",
      autoscaling: { minReplicas: 2, maxReplicas: 4, targetCPUUtilization: 60 },
      resources: { requests: { cpu: 1, memory: "256Mi" }, limits: { cpu: "1.5" } },
      image: "example.com/envoy@sha256:abc",
      accessLog: { enabled: false },
      nodeSelector: { "kubernetes.io/os": "linux" },
      tolerations: [
        { operator: "Exists" },
        { key: "a", value: "b", effect: "NoExecute", tolerationSeconds: 3 },
      ],
      service: {
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        loadBalancerClass: "example.com/internal",
        loadBalancerSourceRanges: ["10.0.0.0/8", "2001:db8::/32"],
        annotations: { "service.beta.kubernetes.io/aws-load-balancer-internal": "true" },
      },
      drainSeconds: 10,
      statistics: { perBackend: true },
    };
    expect(problemsOf(spec)).toEqual([]);
    expect(problemsOf({})).toEqual([]);
  });

  it.each([
    ["a Service's external IPs", { service: { externalIPs: ["192.0.2.1"] } }, "spec.service.externalIPs"],
    ["a Service's address", { service: { clusterIP: "10.0.0.1" } }, "spec.service.clusterIP"],
    ["node ports", { service: { type: "NodePort" } }, "spec.service.type"],
    ["ExternalName", { service: { type: "ExternalName" } }, "spec.service.type"],
    ["host ports", { hostNetwork: true }, "spec.hostNetwork"],
    ["a Pod's template", { podTemplate: { spec: {} } }, "spec.podTemplate"],
    [
      "other resources",
      { resources: { limits: { "example.com/gpu": 1 } } },
      'spec.resources.limits["example.com/gpu"]',
    ],
  ])("cannot set %s (attack 18)", (_what, spec, field) => {
    expect(problemsOf(spec)).toEqual([field]);
  });

  it.each([
    ["replicas beside autoscaling", { replicas: 1, autoscaling: { maxReplicas: 2 } }, "spec.autoscaling"],
    [
      "more replicas at least than at most",
      { autoscaling: { minReplicas: 3, maxReplicas: 2 } },
      "spec.autoscaling.minReplicas",
    ],
    [
      "a range that is none",
      { service: { loadBalancerSourceRanges: ["10.0.0.0/33"] } },
      "spec.service.loadBalancerSourceRanges[0]",
    ],
    [
      "a load balancer's class without one",
      { service: { type: "ClusterIP", loadBalancerClass: "a" } },
      "spec.service.loadBalancerClass",
    ],
    ["a quantity that is none", { resources: { limits: { cpu: "lots" } } }, "spec.resources.limits.cpu"],
    [
      "a key with capitals before the slash",
      { nodeSelector: { "A.b/c": "d" } },
      'spec.nodeSelector["A.b/c"]',
    ],
    ["an image with a space", { image: "a b" }, "spec.image"],
    ["a toleration of nothing", { tolerations: [{ effect: "NoSchedule" }] }, "spec.tolerations[0].operator"],
  ])("does not take %s", (_what, spec, field) => {
    expect(problemsOf(spec)).toEqual([field]);
  });
});

describe("its CustomResourceDefinition", () => {
  const definition = kinds.get("ProxyConfig")!;

  it("says rules between fields in CEL, with the same messages", () => {
    const text = JSON.stringify(customResourceDefinition(definition));
    expect(text).toContain(`"rule":"!has(self.replicas) || !has(self.autoscaling)"`);
    expect(text).toContain(`"message":"replicas and autoscaling cannot both be set"`);
  });

  it("is not made from a rule that only we would enforce", () => {
    const schema = proxyConfig.rule("nobody else knows", () => true);
    expect(() => customResourceDefinition({ ...definition, schema: schema as never })).toThrow("has no CEL");
  });

  it("has no subresource for a status that says nothing", () => {
    expect(JSON.stringify(customResourceDefinition(definition))).not.toContain("subresources");
  });
});
