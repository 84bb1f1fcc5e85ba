import { describe, expect, it } from "vitest";
import {
  backendItem,
  endpointsItem,
  listenerItem,
  serverNameItem,
  streamRouteItem,
  toBackend,
} from "../../../test/embedded-driver.ts";
import { modelChanges, type ItemsOrRemovals } from "../../../test/model-changes.ts";
import { RecordingDataPlane } from "../../../test/recording-data-plane.ts";
import { allFeatures, type Listener, type Rule, type VirtualHost } from "../../model/index.ts";
import type { ApplyReport } from "../driver.ts";
import { driverFromControllers, type CallFailure, type FromControllersOptions } from "./index.ts";

const certificate = (name: string, content = "one") => ({
  key: `Secret/shop/${name}`,
  certificates: content,
  privateKey: "key",
});
const web = backendItem("web", { protocol: "http" });
const api = backendItem("api", { protocol: "http" });
const http = listenerItem("http", { port: 80 });
const https = listenerItem("tls", { port: 443 });

function virtualHost(listener: Listener, hostname: string, ...backends: (typeof web)[]): VirtualHost {
  const rule = (backend: typeof web, index: number): Rule => ({
    key: `HTTPRoute/shop/${hostname}/${index}/0`,
    match: { path: { type: "prefix", value: "/" }, headers: [], queryParams: [] },
    action: {
      route: { kind: "HTTPRoute", namespace: "shop", name: hostname, rule: index },
      protocol: "http",
      mirrors: [],
      backends: [toBackend(backend)],
      timeouts: {},
    },
  });
  return {
    key: `${listener.key}|${hostname}`,
    listener: listener.key,
    hostname,
    section: "Gateway/shop/web/http",
    rules: backends.map(rule),
  };
}

const names = {
  http: "shop/web/tcp/80",
  https: "shop/web/tcp/443",
  web: "Service/shop/web/80",
  api: "Service/shop/api/80",
  route: "virtual-host:shop/web/tcp/80|a.test",
};

const site: ItemsOrRemovals = {
  virtualHosts: [virtualHost(http, "a.test", web)],
  listeners: [http],
  endpoints: [endpointsItem(web, 8080)],
  backends: [web],
};
const noSite: ItemsOrRemovals = {
  virtualHosts: [`${http.key}|a.test`],
  listeners: [http.key],
  endpoints: [web.key],
  backends: [web.key],
};

async function start(options: FromControllersOptions = {}) {
  const plane = new RecordingDataPlane();
  const reports: ApplyReport[] = [];
  const driver = driverFromControllers(plane.controllers, { retryDelay: 5, ...options });
  await driver.start((more) => void reports.push(...more));
  return {
    plane,
    driver,
    reports,
    apply: (items: ItemsOrRemovals) => driver.apply(modelChanges(items)),
    stateOf: (key: string) => reports.findLast((report) => report.key === key)?.state,
  };
}

/** Until it holds; the test's own time-out ends the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe("driverFromControllers", () => {
  it("5.7: creates certificates, listeners, backends and routes in this order, whatever the order of the changes", async () => {
    const { plane, apply } = await start();
    await apply({
      virtualHosts: [virtualHost(https, "a.test", web)],
      serverNames: [serverNameItem(https, "a.test", { type: "http", certificates: [certificate("a").key] })],
      listeners: [https],
      endpoints: [endpointsItem(web, 8080)],
      backends: [web],
      certificates: [certificate("a")],
    });
    expect(plane.calls).toEqual([
      "addCertificate Secret/shop/a",
      `addListener ${names.https}`,
      `addBackend ${names.web}`,
      `addRoute virtual-host:${names.https}|a.test on ${names.https}`,
      `addRoute server-name:${names.https}|a.test on ${names.https}`,
    ]);
  });

  it("5.7: removes in the reverse order", async () => {
    const { plane, apply } = await start();
    const serverName = serverNameItem(https, "a.test", {
      type: "http",
      certificates: [certificate("a").key],
    });
    await apply({
      ...site,
      certificates: [certificate("a")],
      serverNames: [serverName],
      listeners: [http, https],
    });
    plane.takeCalls();
    await apply({
      certificates: [certificate("a").key],
      backends: [web.key],
      endpoints: [web.key],
      listeners: [http.key, https.key],
      serverNames: [serverName.key],
      virtualHosts: [`${http.key}|a.test`],
    });
    expect(plane.calls).toEqual([
      `removeRoute ${names.route} on ${names.http}`,
      `removeRoute server-name:${names.https}|a.test on ${names.https}`,
      `removeBackend ${names.web}`,
      `removeListener ${names.http}`,
      `removeListener ${names.https}`,
      "removeCertificate Secret/shop/a",
    ]);
  });

  it("5.7: a route is never added before its listener", async () => {
    const { plane, apply } = await start();
    await apply({ ...site, listeners: [] });
    expect(plane.takeCalls()).toEqual([`addBackend ${names.web}`]);
    await apply({ listeners: [http] });
    expect(plane.calls).toEqual([`addListener ${names.http}`, `addRoute ${names.route} on ${names.http}`]);
  });

  it("5.7: a route is never added before its backends, mirrors and authorisation included", async () => {
    const { plane, apply, stateOf } = await start();
    const host = virtualHost(http, "a.test", web);
    const [rule] = host.rules;
    const mirrored: Rule = {
      ...rule!,
      action: {
        ...rule!.action,
        mirrors: [{ target: { type: "backend", backend: api.key }, numerator: 1, denominator: 1 }],
      },
    };
    await apply({ listeners: [http], backends: [web], virtualHosts: [{ ...host, rules: [mirrored] }] });
    expect(plane.takeCalls()).toEqual([`addListener ${names.http}`, `addBackend ${names.web}`]);
    expect(stateOf(host.key)).toEqual({ type: "pending", message: `Waits for backend ${names.api}.` });
    await apply({ backends: [api] });
    expect(plane.calls).toEqual([`addBackend ${names.api}`, `addRoute ${names.route} on ${names.http}`]);
    expect(stateOf(host.key)).toEqual({ type: "programmed" });
  });

  it("5.7: listeners and backends wait for the certificates they trust", async () => {
    const { plane, apply, stateOf } = await start();
    const strict = {
      ...https,
      clientValidation: { trusted: ["ConfigMap/shop/ca"], mode: "require" as const },
    };
    const tls = { hostname: "web.test", trusted: ["ConfigMap/shop/ca"], subjectAltNames: [] };
    await apply({ listeners: [strict], backends: [{ ...web, tls }] });
    expect(plane.takeCalls()).toEqual([]);
    expect(stateOf(https.key)?.type).toBe("pending");
    await apply({ certificates: [{ key: "ConfigMap/shop/ca", certificates: "pem" }] });
    expect(plane.takeCalls()).toEqual([
      "addCertificate ConfigMap/shop/ca",
      `addListener ${names.https}`,
      `addBackend ${names.web}`,
    ]);
    expect(stateOf(https.key)?.type).toBe("programmed");
    await apply({ certificates: ["ConfigMap/shop/ca"] });
    expect(plane.takeCalls()).toEqual([]);
    await apply({ listeners: [https.key], backends: [web.key] });
    expect(plane.calls).toEqual([
      `removeBackend ${names.web}`,
      `removeListener ${names.https}`,
      "removeCertificate ConfigMap/shop/ca",
    ]);
  });

  it("5.7: a backend goes only after the last route that needs it has been updated", async () => {
    const { plane, apply } = await start();
    await apply(site);
    plane.takeCalls();
    await apply({
      backends: [web.key, api],
      endpoints: [web.key, endpointsItem(api, 8081)],
      virtualHosts: [virtualHost(http, "a.test", api)],
    });
    expect(plane.calls).toEqual([
      `addBackend ${names.api}`,
      `updateRoute ${names.route} on ${names.http}`,
      `removeBackend ${names.web}`,
    ]);
  });

  it("5.7: a listener that goes takes its routes with it, and they come back with it", async () => {
    const { plane, apply } = await start();
    await apply(site);
    plane.takeCalls();
    await apply({ listeners: [http.key] });
    expect(plane.takeCalls()).toEqual([
      `removeRoute ${names.route} on ${names.http}`,
      `removeListener ${names.http}`,
    ]);
    await apply({ listeners: [http] });
    expect(plane.calls).toEqual([`addListener ${names.http}`, `addRoute ${names.route} on ${names.http}`]);
  });

  it("5.8: the same input twice makes no call, and listeners are reported all the same", async () => {
    const { plane, apply, reports } = await start();
    await apply(site);
    plane.takeCalls();
    reports.length = 0;
    await apply(structuredClone(site));
    expect(plane.calls).toEqual([]);
    expect(reports).toEqual([{ kind: "listeners", key: http.key, state: { type: "programmed" } }]);
  });

  it("5.8: an equal value in another object makes no call", async () => {
    const { plane, apply } = await start();
    await apply(site);
    plane.takeCalls();
    await apply({ virtualHosts: [virtualHost(http, "a.test", web)], backends: [{ ...web }] });
    expect(plane.calls).toEqual([]);
  });

  it("5.8: removing what was never there makes no call", async () => {
    const { plane, apply } = await start();
    await apply(noSite);
    expect(plane.calls).toEqual([]);
  });

  it("5.8: a method that fails is reported and tried again until it works", async () => {
    const failures: CallFailure[] = [];
    const { plane, apply, reports, stateOf } = await start({
      onFailure: (failure) => failures.push(failure),
    });
    plane.failing = ["addListener"];
    await apply(site);
    expect(stateOf(http.key)).toEqual({ type: "refused", message: "out of order" });
    expect(plane.calls).not.toContain(`addRoute ${names.route} on ${names.http}`);
    await until(() => plane.calls.filter((call) => call.startsWith("addListener")).length >= 3);
    expect(failures[0]).toMatchObject({ call: "add", kind: "Listener", name: http.key });
    plane.failing = [];
    await until(() => stateOf(http.key)?.type === "programmed");
    expect(plane.held.routes.has(names.route)).toBe(true);
    expect(reports.filter(({ kind }) => kind === "backends")).toEqual([]);
    expect(stateOf(`${http.key}|a.test`)).toEqual({ type: "programmed" });
  });

  it("5.8: what else is wanted is done although something failed", async () => {
    const { plane, apply, stateOf } = await start();
    plane.failing = [`addBackend ${names.api}`];
    await apply({
      ...site,
      backends: [api, web],
      virtualHosts: [virtualHost(http, "b.test", api), virtualHost(http, "a.test", web)],
    });
    expect([...plane.held.routes.keys()]).toEqual([names.route]);
    expect(stateOf(api.key)).toEqual({ type: "refused", message: "out of order" });
    expect(stateOf(`${http.key}|b.test`)?.type).toBe("pending");
    expect(stateOf(http.key)?.type).toBe("programmed");
  });

  it("5.8: what a failed call left behind is handed over again, though it is what was there before", async () => {
    const { plane, apply } = await start({ retryDelay: 60_000 });
    await apply(site);
    plane.failing = ["updateBackend"];
    await apply({ endpoints: [endpointsItem(web, 1, 2)] });
    plane.failing = [];
    plane.takeCalls();
    await apply({ endpoints: [endpointsItem(web, 8080)] });
    expect(plane.calls).toEqual([`updateBackend ${names.web}`]);
  });

  it("5.8: the newest value is tried, not the one that failed", async () => {
    const { plane, apply } = await start();
    plane.failing = ["addBackend"];
    await apply(site);
    plane.failing = [];
    await apply({ endpoints: [endpointsItem(web, 9)] });
    expect(plane.held.backends.get(web.key)).toEqual([{ address: "127.0.0.1", port: 9 }]);
  });

  it("5.8: a removal that fails is tried again, holds back what is referred to, and is told to onFailure alone", async () => {
    const failures: CallFailure[] = [];
    const { plane, apply, reports } = await start({ onFailure: (failure) => failures.push(failure) });
    await apply(site);
    reports.length = 0;
    plane.failing = ["removeRoute"];
    await apply(noSite);
    expect(plane.held.listeners.size).toBe(1);
    expect(plane.held.backends.size).toBe(1);
    expect(reports).toEqual([]);
    expect(failures).toMatchObject([{ call: "remove", kind: "Route", name: names.route }]);
    plane.failing = [];
    await until(() => plane.held.listeners.size === 0);
    expect(plane.held.backends.size).toBe(0);
    expect(plane.held.routes.size).toBe(0);
  });

  it("tells a port that is taken from other failures", async () => {
    const { plane, apply, stateOf } = await start();
    plane.failing = ["addListener"];
    plane.failure = Object.assign(new Error("port 80 is taken"), { code: "EADDRINUSE" });
    await apply(site);
    expect(stateOf(http.key)).toEqual({
      type: "refused",
      reason: "PortUnavailable",
      message: "port 80 is taken",
    });
  });

  it("reports the addresses that a listener gave, also when nothing changed", async () => {
    const plane = new RecordingDataPlane();
    const reports: ApplyReport[] = [];
    const addresses = [{ address: "127.0.0.1", port: 8080 }];
    const listeners = { ...plane.controllers.listeners, addListener: () => addresses };
    const driver = driverFromControllers({ ...plane.controllers, listeners });
    await driver.start((more) => void reports.push(...more));
    await driver.apply(modelChanges({ listeners: [http] }));
    await driver.apply(modelChanges({ listeners: [http] }));
    expect(reports).toEqual([
      { kind: "listeners", key: http.key, state: { type: "programmed", addresses } },
      { kind: "listeners", key: http.key, state: { type: "programmed", addresses } },
    ]);
  });

  it("5.16: an endpoint change calls only updateBackend", async () => {
    const { plane, apply } = await start();
    await apply(site);
    plane.takeCalls();
    await apply({ endpoints: [endpointsItem(web, 8080, 8081)] });
    expect(plane.calls).toEqual([`updateBackend ${names.web}`]);
    expect(plane.held.backends.get(web.key)).toHaveLength(2);
  });

  it("5.16: endpoints may come before their backend, and stay when it is made anew", async () => {
    const { plane, apply } = await start();
    await apply({ endpoints: [endpointsItem(web, 8080)] });
    expect(plane.calls).toEqual([]);
    await apply({ backends: [web] });
    await apply({ backends: [web.key] });
    await apply({ backends: [web] });
    expect(plane.held.backends.get(web.key)).toEqual([{ address: "127.0.0.1", port: 8080 }]);
  });

  it("5.2, 5.3, 5.4, 5.5: each thing is added, updated and removed by a method of its own, by name", async () => {
    const { plane, apply } = await start();
    const serverName = serverNameItem(https, "a.test", {
      type: "http",
      certificates: [certificate("a").key],
    });
    const name = `server-name:${serverName.key}`;
    await apply({ certificates: [certificate("a")], listeners: [https], backends: [web] });
    await apply({ serverNames: [serverName] });
    expect(plane.takeCalls()).toEqual([
      "addCertificate Secret/shop/a",
      `addListener ${names.https}`,
      `addBackend ${names.web}`,
      `addRoute ${name} on ${names.https}`,
    ]);
    await apply({ listeners: [{ ...https, bindPort: 8443 }] });
    await apply({ backends: [{ ...web, protocol: "h2c" }] });
    await apply({ serverNames: [serverNameItem(https, "a.test", { type: "http", certificates: [] })] });
    expect(plane.takeCalls()).toEqual([
      `updateListener ${names.https}`,
      `updateBackend ${names.web}`,
      `updateRoute ${name} on ${names.https}`,
    ]);
    await apply({ serverNames: [serverName.key], backends: [web.key] });
    await apply({ listeners: [https.key], certificates: [certificate("a").key] });
    expect(plane.takeCalls()).toEqual([
      `removeRoute ${name} on ${names.https}`,
      `removeBackend ${names.web}`,
      `removeListener ${names.https}`,
      "removeCertificate Secret/shop/a",
    ]);
  });

  it("5.3: a renewed certificate is added again, and nothing else is called", async () => {
    const { plane, apply } = await start();
    const serverName = serverNameItem(https, "a.test", {
      type: "http",
      certificates: [certificate("a").key],
    });
    await apply({ certificates: [certificate("a")], listeners: [https], serverNames: [serverName] });
    plane.takeCalls();
    await apply({ certificates: [certificate("a", "two")] });
    expect(plane.calls).toEqual(["addCertificate Secret/shop/a"]);
  });

  it("5.4: a server name and a virtual host of one hostname are two routes", async () => {
    const { plane, apply } = await start();
    const serverName = serverNameItem(https, "a.test", { type: "http", certificates: [] });
    const host = virtualHost(https, "a.test");
    await apply({ listeners: [https], serverNames: [serverName], virtualHosts: [host] });
    await apply({ virtualHosts: [host.key] });
    expect([...plane.held.routes.keys()]).toEqual([`server-name:${serverName.key}`]);
  });

  it("5.19: streams are routes of their listener", async () => {
    const { plane, apply } = await start();
    const tcp = listenerItem("tcp", { port: 5432 });
    await apply({ listeners: [tcp], backends: [web], streamRoutes: [streamRouteItem(tcp, toBackend(web))] });
    expect(plane.calls.at(-1)).toBe(`addRoute stream:${tcp.key} on ${tcp.key}`);
  });

  it("never calls the data plane twice at once, and ends with the last of many changes", async () => {
    const { plane, apply } = await start();
    const changes = Array.from({ length: 20 }, (_, port) =>
      apply({ ...site, endpoints: [endpointsItem(web, port + 1)] }),
    );
    await Promise.all(changes);
    expect(plane.overlap).toBe(1);
    expect(plane.held.backends.get(web.key)).toEqual([{ address: "127.0.0.1", port: 20 }]);
  });

  it("makes no call after stop, and takes no changes before start and after stop", async () => {
    const hooks: string[] = [];
    const plane = new RecordingDataPlane();
    const driver = driverFromControllers(plane.controllers, {
      retryDelay: 1,
      start: () => void hooks.push("start"),
      stop: () => void hooks.push("stop"),
    });
    await expect(driver.apply(modelChanges(site))).rejects.toMatchObject({
      code: "GATEWRIGHT_DRIVER_NOT_STARTED",
    });
    await driver.start(() => {});
    await expect(driver.start(() => {})).rejects.toMatchObject({ code: "GATEWRIGHT_DRIVER_STARTED" });
    plane.failing = ["add"];
    await driver.apply(modelChanges(site));
    await Promise.all([driver.stop(), driver.stop()]);
    plane.takeCalls();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(plane.calls).toEqual([]);
    expect(hooks).toEqual(["start", "stop"]);
    await expect(driver.apply(modelChanges(site))).rejects.toMatchObject({
      code: "GATEWRIGHT_DRIVER_NOT_STARTED",
    });
  });

  it("claims every feature unless told what the data plane does", () => {
    const { controllers } = new RecordingDataPlane();
    expect(driverFromControllers(controllers).features).toBe(allFeatures);
    const features = new Set(["HTTPRoute"]);
    expect(driverFromControllers(controllers, { features }).features).toBe(features);
  });
});
