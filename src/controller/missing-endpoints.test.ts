import { describe, expect, it } from "vitest";
import { dryRunOf, serviceYaml } from "../../test/controller/dry-objects.ts";
import { explain } from "./explain/index.ts";

const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec: { gatewayClassName: gatewright, listeners: [{ name: http, port: 80, protocol: HTTP }] }
`;
const route = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec: { parentRefs: [{ name: web }], rules: [{ backendRefs: [{ name: web, port: 80 }] }] }
`;

/** The same slice, with a slip of the pen. */
function withSlice(change: (slice: string) => string) {
  const [service = "", slice = ""] = serviceYaml("web", "10.0.0.1").split("---\n");
  return dryRunOf(gateway, route, service, change(slice));
}

async function tell(change: (slice: string) => string) {
  const { controller, notes, objects } = await withSlice(change);
  expect(objects.map(({ verdict }) => verdict?.result ?? "accepted")).not.toContain("refused");
  const result = explain({ method: "GET", url: "http://localhost/" }, controller);
  const outcome = result.outcome === "explained" ? result.explanation.outcome : undefined;
  return {
    reason: outcome && "reason" in outcome ? outcome.reason : outcome?.type,
    notes: notes.map(({ message }) => message),
  };
}

const without = "Service shop/web:80 has no ready endpoint: ";

describe("a Service without endpoints", () => {
  it.each([
    [
      "the label is misspelt",
      (slice: string) => slice.replace("service-name", "servicename"),
      "no EndpointSlice has the label kubernetes.io/service-name: web",
      "EndpointSlice shop/web belongs to no Service: it has no label kubernetes.io/service-name",
    ],
    [
      "the label names another Service",
      (slice: string) => slice.replace("service-name: web", "service-name: wbe"),
      "no EndpointSlice has the label kubernetes.io/service-name: web",
      "EndpointSlice shop/web belongs to no Service: it is of Service shop/wbe, which is not there",
    ],
    [
      "the port has another name",
      (slice: string) => slice.replace("name: http", "name: web"),
      "EndpointSlice web has no port named http (it has web)",
    ],
    [
      "the port has no name",
      (slice: string) => slice.replace("name: http, ", ""),
      "EndpointSlice web has no port named http (it has one without a name)",
    ],
    [
      "the port is of another protocol",
      (slice: string) => slice.replace("name: http", "name: http, protocol: UDP"),
      "EndpointSlice web has no port named http (it has http (UDP))",
    ],
    [
      "there are no endpoints",
      (slice: string) => slice.replace(/endpoints: .*/, ""),
      "EndpointSlice web has no endpoints",
    ],
  ])("says what is wrong: %s", async (_title, change, reason, ...more) => {
    expect(await tell(change)).toEqual({
      reason: without + reason,
      notes: [`Service shop/web has no endpoints: ${reason}`, ...more],
    });
  });

  it("is no slip of the pen where they are not ready", async () => {
    const unready = (slice: string) =>
      slice.replace("[10.0.0.1] }", "[10.0.0.1], conditions: { ready: false } }");
    expect(await tell(unready)).toEqual({ reason: `${without}its endpoints are not ready`, notes: [] });
  });

  it("is of no interest where no route leads to it, or where it has some", async () => {
    expect((await dryRunOf(gateway, serviceYaml("web"))).notes).toEqual([]);
    expect((await withSlice((slice) => slice)).notes).toEqual([]);
  });

  it("is told with its place", async () => {
    const { notes } = await dryRunOf(gateway, route, serviceYaml("web"));
    expect(notes).toMatchObject([{ place: { origin: "-", line: expect.any(Number) } }]);
  });
});
