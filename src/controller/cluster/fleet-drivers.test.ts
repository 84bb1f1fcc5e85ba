import { afterEach, describe, expect, it, vi } from "vitest";
import { ScriptedProxy, types } from "../../../test/envoy/scripted-proxy.ts";
import { fleetOf } from "../../../test/infrastructure/fleets.ts";
import { modelChanges } from "../../../test/model-changes.ts";
import { channelServer, makeAuthority } from "../../channel/index.ts";
import { Graph } from "../../incremental/index.ts";
import type { Listener } from "../../model/index.ts";
import type { Fleet } from "../../translate/index.ts";
import { renderMetrics } from "../admin/metrics-text.ts";
import { envoyMetrics } from "../envoy-metrics.ts";
import { FleetDrivers } from "./fleet-drivers.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const http: Listener = {
  key: "shop/web/tcp/80",
  gateway: "shop/web",
  port: 80,
  transport: "tcp",
  protocol: "http",
  addresses: [],
};

async function begin() {
  const fleets = new Graph().input<Fleet>("fleets");
  const drivers = new FleetDrivers((_gateway, error) => {
    throw error;
  });
  drivers.follow({ fleets, settled: () => Promise.resolve() }, { renew: () => Promise.resolve() });
  const authority = await makeAuthority();
  const server = channelServer({
    address: "127.0.0.1",
    port: 0,
    services: drivers.services,
    limits: { grace: 20 },
  });
  const port = await server.start(await authority.issueServer());
  ends.push(
    () => server.stop(),
    () => drivers.stop(),
  );
  const join = async (node: string) => {
    const proxy = await ScriptedProxy.connect({ port, authority }, "shop/web");
    ends.push(() => proxy.close());
    await proxy.start(node);
    return proxy;
  };
  return { fleets, drivers, join };
}

const metricsOf = (drivers: FleetDrivers) =>
  renderMetrics(
    envoyMetrics(Array.from(drivers.describeEnvoys(), ([gateway, fleet]) => [{ gateway }, fleet])),
  );

const programmed = 'gatewright_envoy_proxies{gateway="shop/web",state="programmed"} 1\n';
const draining = 'gatewright_envoy_proxies{gateway="shop/web",state="draining"} 1\n';

describe("the drivers of fleets", () => {
  it("count what proxies refuse, by Gateway", async () => {
    const { fleets, drivers, join } = await begin();
    fleets.set("shop/web", fleetOf());
    fleets.set("shop/other", fleetOf({ name: "other" }));
    fleets.set("shop/agents", fleetOf({ name: "agents", driver: "nginx" }));
    const proxy = await join("web-1");
    await vi.waitFor(() => expect(metricsOf(drivers)).toContain(programmed), { timeout: 10_000 });
    proxy.judge = ({ type }) => (type === types.listeners ? "not here" : undefined);
    await drivers.handle("shop/web").apply(modelChanges({ listeners: [http] }));
    const text = metricsOf(drivers);
    expect(text).toContain('gatewright_envoy_refusals_total{gateway="shop/web"} 1\n');
    expect(text).toContain('gatewright_envoy_refused_items{gateway="shop/web"} 1\n');
    expect(text).toContain('gatewright_envoy_refusals_total{gateway="shop/other"} 0\n');
    expect(text).not.toContain("shop/agents");
    expect(text.match(/^# TYPE gatewright_envoy_refusals_total counter$/gm)).toHaveLength(1);
  });

  it("drain a Pod that was told to end before they were there, and one that stays when they are made anew", async () => {
    const { fleets, drivers, join } = await begin();
    drivers.drain("shop/web", new Set(["web-1"]));
    fleets.set("shop/web", fleetOf());
    await join("web-1");
    await vi.waitFor(() => expect(metricsOf(drivers)).toContain(draining), { timeout: 10_000 });
    fleets.set("shop/web", fleetOf({ settings: { accessLog: { enabled: true } } }));
    expect(metricsOf(drivers)).not.toContain(draining);
    await join("web-1");
    await vi.waitFor(() => expect(metricsOf(drivers)).toContain(draining), { timeout: 10_000 });
    drivers.drain("shop/web", new Set());
    await join("web-1");
    await vi.waitFor(() => expect(metricsOf(drivers)).toContain(programmed), { timeout: 10_000 });
  });
});
