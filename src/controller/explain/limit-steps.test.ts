import { beforeAll, describe, expect, it } from "vitest";
import { dryRunOf, serviceYaml } from "../../../test/controller/dry-objects.ts";
import type { Controller } from "../controller.ts";
import { explain } from "./explain.ts";
import type { Explanation } from "./explanation.ts";
import type { QuestionOptions } from "./question.ts";

const objects = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: ingress, namespace: default }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: limited
  namespace: shop
  annotations:
    nginx.ingress.kubernetes.io/whitelist-source-range: 10.0.0.0/8,192.168.1.1
    nginx.ingress.kubernetes.io/proxy-body-size: 1m
spec:
  rules:
    - host: limited.test
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: cart, port: { number: 80 } } } }] }
---
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: proxy, namespace: shop }
spec:
  virtualhost: { fqdn: limits.test }
  routes:
    - conditions: [{ prefix: / }]
      ipDenyPolicy: [{ source: Peer, cidr: 10.66.0.0/16 }]
      rateLimitPolicy: { local: { requests: 2, unit: minute, burst: 1 } }
      timeoutPolicy: { idle: 7s, idleConnection: 9s }
      loadBalancerPolicy: { strategy: RequestHash, requestHashPolicies: [{ headerHashOptions: { headerName: X-User } }] }
      healthCheckPolicy: { path: /healthz, intervalSeconds: 5, timeoutSeconds: 2, unhealthyThresholdCount: 3, healthyThresholdCount: 1 }
      services: [{ name: cart, port: 80 }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: GRPCRoute
metadata: { name: rpc, namespace: shop }
spec:
  parentRefs: [{ name: ingress, namespace: default }]
  hostnames: [rpc.test]
  rules:
    - matches: [{ method: { service: shop.Cart } }]
      backendRefs: [{ name: unready, port: 80 }]
    - matches: [{ method: { service: shop.Lost } }]
      backendRefs: [{ name: nowhere, port: 80 }]`;

let controller: Controller;

beforeAll(async () => {
  const run = await dryRunOf(objects, serviceYaml("cart", "10.0.0.1"), serviceYaml("unready"));
  if (run.problems.length > 0) throw new Error(JSON.stringify(run.problems));
  controller = run.controller;
});

function ask(url: string, options: Partial<QuestionOptions> = {}): Explanation {
  const result = explain({ method: "GET", url, ...options }, controller);
  if (result.outcome === "malformed") throw new Error(result.message);
  return result.explanation;
}

function lines({ walks }: Explanation): string[] {
  return walks.flatMap(({ steps }) =>
    steps.flatMap((step) => [step, ...(step.steps ?? [])].map(({ mark, text }) => `${mark} ${text}`)),
  );
}

describe("limits of a rule", () => {
  it("are remarks where nobody knows who asks", () => {
    const explanation = ask("http://limited.test/");
    expect(explanation.outcome.type).toBe("forwarded");
    expect(lines(explanation)).toEqual(
      expect.arrayContaining([
        "note only clients of 10.0.0.0/8 and 192.168.1.1 (others: 403)",
        "note bodies up to 1 MiB (else 413)",
      ]),
    );
  });

  it("decide where the client is known", () => {
    expect(ask("http://limited.test/", { client: "10.1.2.3" }).outcome.type).toBe("forwarded");
    const refused = ask("http://limited.test/", { client: "127.0.0.1" });
    expect(refused.outcome).toMatchObject({
      type: "answered",
      status: 403,
      reason: "client 127.0.0.1 is not allowed: only clients of 10.0.0.0/8 and 192.168.1.1",
    });
    expect(lines(refused).at(-1)).toBe(
      "no only clients of 10.0.0.0/8 and 192.168.1.1 (others: 403); asked by 127.0.0.1",
    );
  });

  it("decide where the request says how long it is", () => {
    const headers = [["Content-Length", "2097152"]] as const;
    expect(ask("http://limited.test/", { method: "POST", headers }).outcome).toMatchObject({
      status: 413,
      reason: "the rule takes bodies up to 1 MiB, and the request has 2 MiB",
    });
  });

  it("of rates, time-outs, load balancing and health checks are told where they apply", () => {
    const told = lines(ask("http://limits.test/", { client: "10.0.0.1" }));
    expect(told).toEqual(
      expect.arrayContaining([
        "yes no clients of 10.66.0.0/16 (they get 403); asked by 10.0.0.1",
        "note at most 2 requests a minute, burst 1 (then 429)",
        "note timeout: 7s without a byte in either direction",
        "note connections without requests are closed after 9s",
        "note endpoints are chosen by header x-user: the same leads to the same",
        "note only endpoints that are well get requests: checked every 5s by GET /healthz with host contour-envoy-healthcheck that gives 200",
      ]),
    );
  });
});

describe("a gRPC request", () => {
  const headers = [["Content-Type", "application/grpc+proto"]] as const;

  it.each([
    ["no route", "http://rpc.test/shop.Other/Add", 12, "UNIMPLEMENTED"],
    ["no host", "http://nobody.test/shop.Cart/Add", 12, "UNIMPLEMENTED"],
    ["no endpoint", "http://rpc.test/shop.Cart/Add", 14, "UNAVAILABLE"],
    ["no backend", "http://rpc.test/shop.Lost/Add", 14, "UNAVAILABLE"],
  ])("is answered by a gRPC status: %s", (_title, url, code, name) => {
    expect(ask(url, { method: "POST", headers }).outcome).toMatchObject({
      type: "answered",
      status: 200,
      grpcStatus: { code, name },
    });
  });

  it("is told of gRPC statuses on the way", () => {
    expect(lines(ask("http://rpc.test/shop.Cart/Add", { method: "POST", headers }))).toContain(
      "trouble Service shop/unready:80, which has no ready endpoint (grpc-status 14)",
    );
  });
});
