import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { until, type ApiServer } from "../../../test/kubernetes/api-server.ts";
import { allTypes, httpRoute, typeOf } from "../../../test/kubernetes/gateway-objects.ts";
import { events, leases } from "../../../test/kubernetes/resource-types.ts";
import { startServer } from "../../../test/kubernetes/start.ts";
import { fleetTypes, pods } from "../../infrastructure/kubernetes/resource-types.ts";
import { customResourceDefinitions } from "../../operator/index.ts";
import { clusterController } from "./cluster-controller.ts";
import type { ClusterOptions } from "./cluster-options.ts";

const ours = "gatewright.dev/gateway-controller";

async function prepare(options: Partial<ClusterOptions> = {}) {
  const server = await startServer([
    ...new Set([...allTypes, ...fleetTypes, pods, events, leases, customResourceDefinitions]),
  ]);
  const folder = mkdtempSync(join(tmpdir(), "cluster-controller-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, "config");
  const cluster = {
    server: server.url,
    "certificate-authority-data": Buffer.from(server.ca).toString("base64"),
  };
  const config = {
    "current-context": "here",
    contexts: [{ name: "here", context: { cluster: "here", user: "me" } }],
    clusters: [{ name: "here", cluster }],
    users: [{ name: "me", user: { token: "secret" } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const controller = clusterController({
    kubeconfig,
    namespace: "gatewright-system",
    controllerNames: [ours],
    driver: "envoy",
    channel: { listen: { address: "127.0.0.1", port: 0 }, host: "gatewright:18000" },
    images: { gatewright: "gatewright", envoy: "envoy" },
    electsLeader: true,
    allowExternalNames: false,
    version: "test",
    ...options,
  });
  onTestFinished(() => controller.stop());
  return { server, controller };
}

const leaseRequests = ({ requests }: ApiServer) => requests.filter(({ path }) => path.includes("/leases"));

describe("clusterController", () => {
  it("says in an Event what of spec.infrastructure is left out", async () => {
    const { server, controller } = await prepare({ electsLeader: false });
    server.create(typeOf("GatewayClass"), { metadata: { name: "gw" }, spec: { controllerName: ours } });
    const infrastructure = { labels: { "gatewright.dev/mine": "no", team: "shop" } };
    const listeners = [{ name: "web", port: 80, protocol: "HTTP" }];
    server.create(typeOf("Gateway"), {
      metadata: { name: "main", namespace: "shop" },
      spec: { gatewayClassName: "gw", listeners, infrastructure },
    });
    await controller.start();
    const leftOut = () =>
      [...server.store(events).objects.values()].filter(({ reason }) => reason === "InfrastructureLeftOut");
    await until(() => leftOut().length === 1);
    expect(leftOut()).toMatchObject([
      {
        type: "Warning",
        regarding: { kind: "Gateway", namespace: "shop", name: "main" },
        note: "spec.infrastructure.labels: gatewright.dev/mine is reserved and was left out; use another key",
      },
    ]);
  }, 20_000);

  it("stops within a few seconds, though the API server answers nothing any more", async () => {
    const { server, controller } = await prepare();
    server.create(typeOf("GatewayClass"), { metadata: { name: "gw" }, spec: { controllerName: ours } });
    await controller.start();
    await until(() => controller.isLeader);
    await until(() => leaseRequests(server).length > 0);
    server.intercept = ({ query }) => !query.has("watch");
    // Statuses and objects of proxies are on their way.
    const spec = { gatewayClassName: "gw", listeners: [{ name: "web", port: 80, protocol: "HTTP" }] };
    server.create(typeOf("Gateway"), { metadata: { name: "main", namespace: "shop" }, spec });
    server.create(typeOf("HTTPRoute"), httpRoute("a"));
    await until(() => server.requests.some(({ method }) => method === "PATCH"));
    const begun = performance.now();
    await controller.stop();
    expect(performance.now() - begun).toBeLessThan(6_000);
  }, 30_000);

  it.each([
    ["looks for its authority", "/secrets"],
    ["reads which CRDs there are", "/customresourcedefinitions"],
    ["reads objects", "/httproutes"],
  ])(
    "that is stopped while it %s leaves nothing behind",
    async (_name, part) => {
      const led: boolean[] = [];
      const { server, controller } = await prepare({
        electsLeader: false,
        events: { led: (isLeader) => led.push(isLeader) },
      });
      let release: (goesOn: boolean) => void = () => undefined;
      const held = new Promise<boolean>((resolve) => (release = resolve));
      let isHeld = false;
      server.intercept = async ({ path }) => {
        if (!path.includes(part)) return false;
        isHeld = true;
        await held;
        return false;
      };
      const started = controller.start();
      await until(() => isHeld);
      await controller.stop();
      release(true);
      await started;
      await sleep(200);
      expect(led).toEqual([]);
      await until(() => server.watchers.size === 0 && server.connections === 0);
      expect(controller.isLeader).toBe(false);
    },
    20_000,
  );
});
