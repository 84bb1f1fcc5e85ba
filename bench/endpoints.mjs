// One endpoint changes among many routes: how long until requests go there, what clients notice, and whether the proxy had to be
// started or reloaded for it. Each driver is asked the same, by the model, without sources and translation.

import http from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "../scripts/command.mjs";
import { median, percentile } from "./statistics.mjs";

const routes = 1000;
const changes = 50;
const clients = 4;

/** `drivers`: names that can be run on this machine. Gives a result for each. */
export async function measureEndpoints(say, drivers) {
  const load = (...path) => import(pathToFileURL(join(projectFolder, "dist", ...path)));
  const { chooseDriver } = await load("controller", "driver-list.js");
  const { modelKinds } = await load("model", "index.js");
  const results = [];
  for (const name of drivers) {
    say(`${name}: one endpoint of ${routes} routes`);
    const chosen = chooseDriver(name);
    try {
      results.push({ name, ...(await measure(chosen, (items) => changesOf(modelKinds, items))) });
    } catch (error) {
      say(`${name} could not be measured: ${error.message}`);
    }
  }
  return results;
}

async function measure(chosen, changesFrom) {
  const { driver } = chosen;
  const servers = await Promise.all(["before", "after"].map(startServer));
  const states = new Map();
  await driver.start((reports) => reports.forEach(({ key, state }) => states.set(key, state)));
  try {
    const listener = await listenerItem();
    const [before, after] = servers.map((server) => server.address().port);
    await driver.apply(changesFrom(itemsFor(listener, before)));
    const { address, port } = await boundAddress(states, listener);
    const agent = new http.Agent({ keepAlive: true });
    const ask = (number) => request({ host: address, port, agent, headers: { host: `h${number}.test` } });
    await untilAnswered(() => ask(0));
    const traffic = startTraffic(ask);
    const started = processesOf(chosen);
    const times = [];
    for (let number = 0; number < changes; number++) {
      const begin = performance.now();
      await driver.apply(changesFrom({ endpoints: [endpointsItem(number, after)] }));
      while ((await ask(number)).from !== "after");
      times.push(performance.now() - begin);
    }
    const { requests, failed } = await traffic.stop();
    agent.destroy();
    const processes = processesOf(chosen) - started;
    return { p50: median(times), p99: percentile(times, 0.99), requests, failed, processes };
  } finally {
    await driver.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

/** How often the proxy was started or reloaded, if its metrics tell. */
function processesOf({ metrics }) {
  const counted = metrics().filter(({ name }) => /_(?:starts|reloads|configurations)_total$/.test(name));
  return counted.reduce((sum, { samples }) => sum + samples.reduce((all, { value }) => all + value, 0), 0);
}

function startTraffic(ask) {
  let isOver = false;
  let requests = 0;
  let failed = 0;
  const loops = Array.from({ length: clients }, async () => {
    while (!isOver) {
      const answer = await ask(requests++ % routes).catch(() => undefined);
      if (answer?.status !== 200) failed++;
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(loops);
      return { requests, failed };
    },
  };
}

function itemsFor(listener, port) {
  const numbers = Array.from({ length: routes }, (_, number) => number);
  return {
    listeners: [listener],
    backends: numbers.map((number) => ({ key: backendKey(number), protocol: "http" })),
    endpoints: numbers.map((number) => endpointsItem(number, port)),
    virtualHosts: numbers.map((number) => ({
      key: `${listener.key}|h${number}.test`,
      listener: listener.key,
      hostname: `h${number}.test`,
      section: "Gateway/bench/web/http",
      rules: [ruleItem(number)],
    })),
  };
}

const backendKey = (number) => `Service/bench/s${number}/80`;

const endpointsItem = (number, port) => ({
  key: backendKey(number),
  endpoints: [{ address: "127.0.0.1", port }],
});

const ruleItem = (number) => ({
  key: `HTTPRoute/bench/r${number}/0/0`,
  match: { path: { type: "prefix", value: "/" }, headers: [], queryParams: [] },
  action: {
    route: { kind: "HTTPRoute", namespace: "bench", name: `r${number}`, rule: 0 },
    protocol: "http",
    mirrors: [],
    backends: [{ weight: 1, target: { type: "backend", backend: backendKey(number) } }],
    timeouts: {},
  },
});

function changesOf(modelKinds, items) {
  return Object.fromEntries(
    modelKinds.map((kind) => [kind, new Map((items[kind] ?? []).map((item) => [item.key, item]))]),
  );
}

async function listenerItem() {
  const server = await startServer("port");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return {
    key: `bench/web/tcp/${port}`,
    gateway: "bench/web",
    port,
    transport: "tcp",
    protocol: "http",
    addresses: [],
  };
}

/** A proxy may connect a while after it was started. */
async function boundAddress(states, { key, port }) {
  for (let tries = 0; tries < 600; tries++) {
    const state = states.get(key);
    if (state?.type === "programmed") return state.addresses?.[0] ?? { address: "127.0.0.1", port };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the listener is ${JSON.stringify(states.get(key))}`);
}

async function untilAnswered(ask) {
  for (let tries = 0; tries < 100; tries++) {
    if ((await ask().catch(() => undefined))?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function startServer(name) {
  const server = http.createServer((_, response) => response.setHeader("x-from", name).end("ok"));
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

function request(options) {
  return new Promise((resolve, reject) => {
    const call = http.get(options, (answer) => {
      answer.resume();
      answer.on("end", () => resolve({ status: answer.statusCode, from: answer.headers["x-from"] }));
    });
    call.on("error", reject);
  });
}
