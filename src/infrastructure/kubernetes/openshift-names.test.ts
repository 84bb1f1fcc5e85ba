import { describe, expect, it } from "vitest";
import { fleetOf } from "../../../test/infrastructure/fleets.ts";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import { standardNames, type FleetNames } from "./fleet-names.ts";
import { renderFleet } from "./fleet-objects.ts";
import { openshiftNames } from "./openshift-names.ts";
import { renderService } from "./service.ts";

const listener = { port: 443, targetPort: 10_443, transport: "tcp", appProtocol: "https" } as const;
const fleet = (controllerName: string) =>
  fleetOf({
    name: "gateway",
    namespace: "openshift-ingress",
    className: "openshift-default",
    controllerName,
    ports: [
      { name: "stage-http", port: 80, targetPort: 10_080, transport: "tcp", appProtocol: "http" },
      { name: "stage-https", ...listener },
    ],
  });

const specOf = (service: KubernetesObject | undefined) =>
  (service ?? { spec: {} })["spec"] as { readonly selector?: object; readonly ports?: readonly object[] };

describe("a Gateway's objects on OpenShift", () => {
  it("1.6.2, 1.6.3, 1.6.6: as designed", () => {
    const service = renderService(fleet("openshift.io/gateway-controller"), openshiftNames("proposal"));
    expect(service).toMatchObject({
      metadata: {
        name: "gateway",
        labels: {
          "gateway.istio.io/managed": "openshift.io-gateway-controller",
          "istio.io/gateway-name": "gateway",
          "gateway.networking.k8s.io/gateway-name": "gateway",
        },
        ownerReferences: [{ kind: "Gateway", name: "gateway" }],
      },
      spec: { type: "LoadBalancer" },
    });
    expect(specOf(service).selector).toEqual({
      "istio.io/gateway-name": "gateway",
    });
  });

  it("1.6.2, 1.6.3, 1.6.6: as shipped", () => {
    const service = renderService(fleet("openshift.io/gateway-controller/v1"), openshiftNames("shipped"));
    expect(service).toMatchObject({
      metadata: {
        name: "gateway-openshift-default",
        labels: { "gateway.istio.io/managed": "openshift.io-gateway-controller-v1" },
      },
    });
    expect(specOf(service).selector).toEqual({
      "gateway.networking.k8s.io/gateway-name": "gateway",
      "gateway.networking.k8s.io/gateway-class-name": "openshift-default",
    });
  });

  it.each(["proposal", "shipped"] as const)(
    "1.6.4, 1.6.5, %s: the status port, and one port per (port, transport), named after its listener",
    (compat) => {
      const service = renderService(fleet("openshift.io/gateway-controller"), openshiftNames(compat));
      expect(specOf(service).ports).toEqual([
        { name: "status-port", port: 15_021, targetPort: 19_002, protocol: "TCP" },
        { name: "stage-http", port: 80, targetPort: 10_080, protocol: "TCP", appProtocol: "http" },
        { name: "stage-https", port: 443, targetPort: 10_443, protocol: "TCP", appProtocol: "https" },
      ]);
    },
  );

  it.each([
    ["service.beta.kubernetes.io/aws-load-balancer-internal", "true"],
    ["service.beta.kubernetes.io/azure-load-balancer-internal", "true"],
    ["cloud.google.com/load-balancer-type", "Internal"],
  ])("1.6.8, 1.6.9: %s of spec.infrastructure is on the Service", (key, value) => {
    const service = renderService(fleetOf({ annotations: { [key]: value } }), openshiftNames("proposal"));
    expect(service?.metadata.annotations).toMatchObject({ [key]: value });
  });

  it("1.6.5: names of ports are told apart, and none is too long", () => {
    const long = "l".repeat(80);
    const ports = [80, 81].map((port) => ({
      name: long,
      port,
      targetPort: port,
      transport: "tcp" as const,
      appProtocol: "http",
    }));
    const service = renderService(fleetOf({ ports }), openshiftNames("shipped"));
    const names = (specOf(service).ports ?? []).map((port) => (port as { name: string }).name);
    expect(new Set(names).size).toBe(3);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(63);
  });

  it("1.6.4: a listener gets the status port and its name if it wants them", () => {
    const ports = [
      { name: "status-port", port: 8080, targetPort: 8080, transport: "tcp", appProtocol: "http" },
      { name: "own", port: 15_021, targetPort: 15_021, transport: "udp", appProtocol: "udp" },
    ] as const;
    const named = (more: Fleet["ports"]) =>
      specOf(renderService(fleetOf({ ports: more }), openshiftNames("proposal"))).ports;
    expect(named(ports)).toMatchObject([
      { name: "status-port", port: 15_021, protocol: "TCP" },
      { name: "status-port-tcp-8080", port: 8080 },
      { name: "own", port: 15_021, protocol: "UDP" },
    ]);
    expect(named([{ ...ports[1], transport: "tcp" }])).toMatchObject([{ name: "own", port: 15_021 }]);
  });

  it.each(["envoy", "embedded"] as const)(
    "1.6.4, %s: proxies tell of their readiness by a port of its own",
    (driver) => {
      const render = (names: FleetNames) =>
        JSON.stringify(
          renderFleet(fleetOf({ driver }), {
            names,
            images: { envoy: "envoy", gatewright: "gatewright" },
            channel: "gatewright:18000",
            networkPolicy: true,
          }),
        );
      const told = render(openshiftNames("proposal"));
      expect(told).toContain('"name":"readiness","containerPort":19002');
      expect(told).toContain('{"protocol":"TCP","port":19002}');
      expect(told).toContain(driver === "envoy" ? "/healthz/ready" : '"--readiness","0.0.0.0:19002"');
      expect(render(standardNames)).not.toMatch(/19002|healthz/);
    },
  );
});
