import { describe, expect, it } from "vitest";
import { fleetOf } from "../../../test/infrastructure/fleets.ts";
import type { KubernetesObject } from "../../kubernetes/index.ts";
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
    "1.6.4, 1.6.5, %s: one port per (port, transport), named after its listener",
    (compat) => {
      const service = renderService(fleet("openshift.io/gateway-controller"), openshiftNames(compat));
      expect(specOf(service).ports).toMatchObject([
        { name: "stage-http", port: 80, protocol: "TCP", appProtocol: "http" },
        { name: "stage-https", port: 443, protocol: "TCP", appProtocol: "https" },
      ]);
    },
  );
});
