import { describe, expect, it } from "vitest";
import { backendItem, endpointsItem, rule, to } from "../../../../test/model-items.ts";
import type { Backend } from "../../../model/index.ts";
import { renderCluster } from "./cluster.ts";
import { renderEndpoints } from "./endpoints.ts";
import { renderRule } from "./route.ts";

const web = backendItem("web");
const { endpoints } = endpointsItem(web, 8080);
const clusterOf = (backend: Partial<Backend>) =>
  renderCluster({ ...web, ...backend }, endpoints, "/roots.pem");
const healthCheck = {
  path: "/healthy",
  interval: 5_000,
  timeout: 1_000,
  unhealthyThreshold: 3,
  healthyThreshold: 2,
  expectedStatuses: [],
} as const;

describe("a cluster", () => {
  it("has Envoy's policy for each of the model's", () => {
    const policies = (["round-robin", "least-request", "random"] as const).map(
      (type) => clusterOf({ loadBalancing: { type } }).lbPolicy,
    );
    expect(policies).toEqual(["ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"]);
    expect(clusterOf({ loadBalancing: { type: "hash", on: [{ type: "source" }] } }).lbPolicy).toBe(
      "RING_HASH",
    );
    expect(clusterOf({}).lbPolicy).toBe("ROUND_ROBIN");
  });

  it("is hashed for by the routes that lead to it", () => {
    const on = [{ type: "header", name: "host" } as const, { type: "query", name: "user" } as const];
    const [route] = renderRule(
      rule("/", { backends: [to(web)] }),
      { scheme: "http", port: 80, isLogged: false },
      (key) => (key === web.key ? on : undefined),
    );
    expect(route?.route?.hashPolicy).toEqual([
      { header: { headerName: ":authority" } },
      { queryParameter: { name: "user" } },
    ]);
  });

  it("asks endpoints by their address, takes 200 alone for well, and never panics", () => {
    const cluster = clusterOf({ healthCheck });
    expect(cluster).toMatchObject({
      commonLbConfig: { healthyPanicThreshold: { value: 0 } },
      healthChecks: [{ httpHealthCheck: { path: "/healthy", expectedStatuses: [{ start: 200, end: 201 }] } }],
    });
    const rendered = renderEndpoints({ ...web, healthCheck }, endpoints);
    expect(rendered.endpoints?.[0]?.lbEndpoints?.[0]?.endpoint?.healthCheckConfig?.hostname).toBe(
      `${endpoints[0]!.address}:8080`,
    );
  });
});
