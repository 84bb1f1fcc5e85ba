import { describe, expect, it } from "vitest";
import { dryRunOf } from "../../test/controller/dry-objects.ts";
import { notOurs, whyNotOurs } from "./not-ours.ts";

const objects = [
  `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: istio }
spec: { controllerName: istio.io/gateway-controller }`,
  `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web }
spec: { gatewayClassName: istio, listeners: [{ name: http, port: 80, protocol: HTTP }] }`,
  `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: nginx }
spec: { controller: k8s.io/ingress-nginx }`,
  `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: theirs }
spec: { ingressClassName: nginx, defaultBackend: { service: { name: a, port: { number: 80 } } } }`,
  `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ours }
spec: { defaultBackend: { service: { name: a, port: { number: 80 } } } }`,
  `apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: inner, annotations: { kubernetes.io/ingress.class: inner } }
spec: { virtualhost: { fqdn: a.example.com }, routes: [{ requestRedirectPolicy: { path: /b } }] }`,
];

describe("objects of another controller", () => {
  it("are told with their class, and how they become ours", async () => {
    const { controller } = await dryRunOf(...objects);
    expect(notOurs(controller).toSorted()).toEqual([
      "Gateway default/web is not served here: class istio is of another controller: its spec.controllerName is istio.io/gateway-controller",
      "HTTPProxy default/inner is not served here: class inner is not ours; --httpproxy-class inner makes it so",
      "Ingress default/theirs is not served here: class nginx is of another controller: its spec.controller is k8s.io/ingress-nginx; --ignore-ingress-class takes all Ingresses",
    ]);
  });
});

it("a Gateway beside the one that is served alone is not said to be another controller's", () => {
  const gateway = { kind: "Gateway", metadata: { name: "second" }, spec: { gatewayClassName: "any" } };
  expect(whyNotOurs(gateway, new Map())).toBe(
    "one Gateway alone is served here (--gateway, --mode), and it is another",
  );
});
