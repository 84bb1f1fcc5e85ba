/** The chart with `watchNamespaces`: the controller has Roles where it looks, and the API server holds it to them. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { answer, controllersOf, logOf, openShop, types, useChart } from "./installed-chart.ts";
import { until, type Lab } from "./lab.ts";

const begin = useChart(["proxies.driver=envoy", "watchNamespaces={shop}"], ["shop", "hidden"]);

const gatewayAndRoute = (namespace: string) => `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: other, namespace: ${namespace} }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: other, namespace: ${namespace} }
spec:
  parentRefs: [{ name: other }]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`;

const may = async (lab: Lab, verb: string, what: string, namespace: string) => {
  const as = "--as=system:serviceaccount:gatewright-system:gatewright";
  const said = lab.kubectl("auth", "can-i", verb, what, "-n", namespace, as);
  return (await said.catch((error: { readonly stdout: string }) => error.stdout)).trim();
};

describe("a controller with Roles in some namespaces", () => {
  it("serves the Gateways there, leaves those elsewhere alone, and asks for nothing that it may not have", async (context) => {
    const lab = await begin(context);
    // Or nothing that follows would show anything.
    expect(await may(lab, "list", "secrets", "shop")).toBe("yes");
    expect(await may(lab, "list", "secrets", "hidden")).toBe("no");
    expect(await may(lab, "create", "deployments.apps", "hidden")).toBe("no");

    await lab.apply(gatewayAndRoute("hidden"));
    const before = await lab.client.get(types.gateways, "other", "hidden");
    const address = await openShop(lab);

    // A change of what it serves, and one of what it does not.
    await lab.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: more, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [more.test]
  rules: [{ filters: [{ type: RequestRedirect, requestRedirect: { hostname: example.com } }] }]
`);
    const moved = async () => (await answer(`http://${address}/`, undefined, "more.test")) === "302";
    await until("the redirect", moved);
    await lab.kubectl("annotate", "gateway", "other", "-n", "hidden", "example.com/seen=no");
    await pause(2_000);
    const after = await lab.client.get(types.gateways, "other", "hidden");
    expect(after?.["status"]).toEqual(before?.["status"]);
    const route = await lab.client.get(types.httpRoutes, "other", "hidden");
    expect(route?.["status"]).toBeUndefined();
    expect(await lab.kubectl("get", "deployments,services,secrets", "-n", "hidden", "-o", "name")).toBe("");

    const [controller] = await controllersOf(lab);
    const log = logOf(lab, controller!.metadata.name);
    expect(log).toContain("this replica leads");
    // Its own namespace, where the Gateway of Ingresses would be, is not among those.
    expect(log).toContain(
      "Ingresses and HTTPProxies are not served unless their class names another Gateway",
    );
    expect(log.split("\n").filter((line) => /forbidden|403|may not|cannot watch/i.test(line))).toEqual([]);
  }, 180_000);
});
