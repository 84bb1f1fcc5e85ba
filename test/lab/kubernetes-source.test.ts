// The Kubernetes source against a real API server with the Gateway API's own CRDs: what is read, and statuses that stay.

import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { eventRecorder, kubernetesClient, loadCredentials } from "../../src/kubernetes/index.ts";
import { kubernetesSource } from "../../src/sources/index.ts";
import type { ObjectStatus } from "../../src/status/index.ts";
import { typeOf } from "../kubernetes/gateway-objects.ts";
import { RecordingSink } from "../sources/recording-sink.ts";
import { until, useLab, type Lab } from "./lab.ts";

const useIt = useLab({ crds: "experimental" });
let lab: Lab;

const controllerName = "gatewright.dev/gateway-controller";
const routes = typeOf("HTTPRoute");

const httpRoute = (name: string, path = "/") => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: default }
spec:
  parentRefs: [{ name: main }]
  rules: [{ matches: [{ path: { value: ${path} } }], backendRefs: [{ name: web, port: 80 }] }]
`;

const gateway = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: main, namespace: default }
spec: { gatewayClassName: gw, listeners: [{ name: web, port: 80, protocol: HTTP }] }
`;

const statusOf = (name: string, status: "True" | "False" = "True"): ObjectStatus => ({
  key: `HTTPRoute/default/${name}`,
  kind: "HTTPRoute",
  namespace: "default",
  name,
  generation: 1,
  content: {
    shape: "parents",
    controllerName,
    entries: [
      {
        ref: { group: "gateway.networking.k8s.io", kind: "Gateway", name: "main" },
        conditions: [
          {
            type: "Accepted",
            status,
            reason: status === "True" ? "Accepted" : "NotAllowedByListeners",
            message: "says so",
          },
        ],
      },
    ],
  },
});

async function start(context: TestContext) {
  lab = await useIt(context);
  const credentials = await loadCredentials({ kubeconfig: lab.kubeconfig });
  const client = kubernetesClient({
    credentials,
    userAgent: "test",
    fieldManager: "gatewright",
    pingEvery: 1_000,
  });
  const recorder = eventRecorder(client, { component: controllerName });
  const source = kubernetesSource({ client, canWrite: () => true, recorder });
  onTestFinished(async () => {
    await source.stop();
    await recorder.stop();
    await client.close();
  });
  return { client, source, sink: new RecordingSink() };
}

interface Parent {
  readonly controllerName: string;
  readonly conditions: readonly { readonly status: string }[];
}

const parentsOf = async (name: string): Promise<readonly Parent[]> => {
  const object = await lab.client.get(routes, name, "default");
  return (object?.["status"] as { parents?: Parent[] } | undefined)?.parents ?? [];
};

describe("the Kubernetes source", () => {
  it("hands over all there is in one call, and what changes after it", async (context) => {
    const { source, sink } = await start(context);
    await lab.apply(gateway + "---" + httpRoute("a", "/a"));
    await source.start(sink);
    expect(sink.batches).toHaveLength(1);
    expect(sink.keys).toEqual(
      expect.arrayContaining([
        "Gateway/default/main",
        "HTTPRoute/default/a",
        "Namespace/default",
        "Service/default/kubernetes",
      ]),
    );
    expect(sink.problems).toEqual([]);
    await lab.apply(httpRoute("b"));
    await sink.until(() => sink.objects.has("HTTPRoute/default/b"));
    await lab.delete(httpRoute("b"));
    await sink.until(() => !sink.objects.has("HTTPRoute/default/b"));
    await lab.apply(
      "{ apiVersion: v1, kind: Secret, metadata: { name: tls, namespace: default }, stringData: { k: v } }",
    );
    expect(sink.objects.has("Secret/default/tls")).toBe(false);
    await source.want([{ kind: "Secret", namespace: "default", name: "tls" }], []);
    expect(sink.objects.has("Secret/default/tls")).toBe(true);
  });

  it("writes statuses beside those of others, whoever is faster", async (context) => {
    const { client, source, sink } = await start(context);
    await lab.apply(httpRoute("shared"));
    await source.start(sink);
    await source.writeStatuses([statusOf("shared")]);
    const condition = {
      type: "Accepted",
      status: "True",
      reason: "Accepted",
      message: "",
      lastTransitionTime: "2020-01-01T00:00:00Z",
    };
    const theirs = {
      parentRef: { name: "main" },
      controllerName: "example.com/other",
      conditions: [condition],
    };
    await client.patch(
      routes,
      "shared",
      "default",
      { status: { parents: [theirs] } },
      { subresource: "status" },
    );
    await until("both", async () => (await parentsOf("shared")).length === 2);
    await source.writeStatuses([statusOf("shared", "False")]);
    await source.statusesWritten();
    const parents = await parentsOf("shared");
    expect(parents.map((parent) => parent.controllerName).sort()).toEqual([
      "example.com/other",
      controllerName,
    ]);
    await until("an Event", async () =>
      (await lab.kubectl("get", "events", "-n", "default", "-o", "wide")).includes("NotAllowedByListeners"),
    );
  });

  it("a storm of statuses arrives, through a restart of the API server", async (context) => {
    const { source, sink } = await start(context);
    const names = Array.from({ length: 200 }, (_, i) => `storm-${i}`);
    await lab.apply(names.map((name) => httpRoute(name)).join("---"));
    await source.start(sink);
    await source.writeStatuses(names.map((name) => statusOf(name)));
    await lab.faults.restartApiServer();
    await source.statusesWritten();
    const { items } = await lab.client.list(routes, { namespace: "default" });
    const written = items.filter(
      ({ metadata, status }) =>
        metadata.name.startsWith("storm-") &&
        (status as { parents?: Parent[] } | undefined)?.parents?.length === 1,
    );
    expect(written).toHaveLength(200);
    await Promise.all(items.map(({ metadata }) => lab.client.delete(routes, metadata.name, "default")));
    await sink.until(() => ![...sink.objects.keys()].some((key) => key.startsWith("HTTPRoute/")), 30_000);
  }, 120_000);

  it("follows a CRD that goes and comes back", async (context) => {
    const { source, sink } = await start(context);
    await source.start(sink);
    await lab.kubectl("delete", "crd", "httproutes.gateway.networking.k8s.io");
    await lab.installCrds("experimental");
    await until("the route", () => lab.apply(httpRoute("again")).catch(() => undefined), { seconds: 30 });
    await sink.until(() => sink.objects.has("HTTPRoute/default/again"), 30_000);
    expect(sink.problems).toEqual([]);
  }, 120_000);
});
