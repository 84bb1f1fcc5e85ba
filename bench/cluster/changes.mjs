// What one change costs, and how long it takes to the traffic; then many at once.
//
// Each kind of change is made in two series, because watching costs: one in which nobody asks anything, for the processor time, and one in which
// a client asks again and again, for the time and for the requests that fail.

import { cpuOf, pause } from "../process-cost.mjs";
import { percentile } from "../statistics.mjs";
import { revisionHeader } from "../workload.mjs";
import {
  backendAddresses,
  endpoints,
  endpointSliceObject,
  endpointSlices,
  namespace,
  routeName,
  routeObject,
  routeRules,
  routes,
  serviceName,
  serviceObject,
  services,
} from "./objects.mjs";
import { askRoute, idleCost, inParallel, untilQuiet } from "./world.mjs";

const most = 200;
const fewest = 3;
const quiet = 60;

/**
 * Each kind: the `turn`-th change of a series, as what makes it (it resolves when the API server has said yes), how the traffic shows it, and
 * which answers are none of a failure.
 */
const kinds = {
  changed({ client, shape, size }, turn, series) {
    const route = (turn * 7919) % size;
    const revision = `${series}-${turn}`;
    return {
      route,
      apply: () => changeRoute(client, shape, route, revision),
      isThere: ({ headers }) => headers[revisionHeader] === revision,
      isFine: ({ status }) => status === 200,
    };
  },
  added({ client, shape, size, parents }, turn, series) {
    const route = size + series * most + turn;
    return {
      route,
      apply: async () => {
        await client.create(routes, routeObject(shape, route, parents, "0"));
      },
      isThere: ({ status }) => status === 200,
      isFine: ({ status }) => status === 200 || status === 404,
    };
  },
  deleted({ client, size }, turn, series) {
    const route = size + series * most + turn;
    return {
      route,
      apply: () => client.delete(routes, routeName(route), namespace),
      isThere: ({ status }) => status === 404,
      isFine: ({ status }) => status === 200 || status === 404,
    };
  },
  endpoint({ client, size, twoEndpoints }, turn, series) {
    // Each route gets its turn once in both series, if there are enough.
    const route = (series * most + turn) % size;
    // Where it has two already, as from an earlier turn, one is taken away: that is a change of an endpoint as well.
    const count = twoEndpoints.has(route) ? 1 : 2;
    const [, second] = backendAddresses;
    return {
      route,
      apply: async () => {
        await client.patch(endpointSlices, serviceName(route), namespace, { endpoints: endpoints(count) });
        if (count === 2) twoEndpoints.add(route);
        else twoEndpoints.delete(route);
      },
      isThere: ({ headers }) => count === 1 || headers["x-backend"] === second,
      isFine: ({ status }) => status === 200,
      isShown: count === 2,
    };
  },
};

/** What the routes that are added lead to is there before them: adding a route is a change of one object. */
async function addServices({ client, size }) {
  await inParallel(2 * most, async (turn) => {
    await client.create(services, serviceObject(size + turn));
    await client.create(endpointSlices, endpointSliceObject(size + turn));
  });
}

async function removeServices({ client, size }) {
  await inParallel(2 * most, async (turn) => {
    await client.delete(services, serviceName(size + turn), namespace);
    await client.delete(endpointSlices, serviceName(size + turn), namespace);
  });
}

export const changeKinds = Object.keys(kinds);

async function changeRoute(client, shape, route, revision) {
  await client.patch(routes, routeName(route), namespace, {
    spec: { rules: routeRules(shape, route, revision) },
  });
}

/** `budget`: milliseconds for a series, after which it is ended, as where one change takes seconds; else there is no end but the last change. */
export async function measureChanges(world, processes, { budget = Infinity, costOnly = false, say }) {
  const idle = await idleCost([processes.controller, processes.envoy]);
  const results = {};
  for (const kind of changeKinds) {
    const change = (turn, series) => kinds[kind](world, turn, series);
    // What was not added cannot be deleted.
    const [atMost, waysAtMost] =
      kind === "deleted" ? [results.added.count, results.added.ways] : [most, most];
    if (kind === "added") await addServices(world);
    const cost = await measureCost(change, processes, idle, { budget, atMost });
    const way = costOnly ? {} : await measureWay(world, change, processes, { budget, atMost: waysAtMost });
    if (kind === "deleted") await removeServices(world);
    results[kind] = { ...cost, ...way };
    say(`${kind}: ${JSON.stringify(results[kind], rounded)}`);
  }
  return results;
}

async function measureCost(change, { controller, envoy }, idle, { budget, atMost }) {
  const pids = [controller, envoy];
  await untilQuiet(pids, quiet);
  const before = pids.map(cpuOf);
  const began = performance.now();
  let count = 0;
  while (count < atMost && (count < fewest || performance.now() - began < budget)) {
    await change(count++, 0).apply();
    await untilQuiet(pids, quiet);
  }
  const elapsed = (performance.now() - began) / 1000;
  const [cpu, envoyCpu] = pids.map((pid, index) =>
    Math.max(0, (cpuOf(pid) - before[index] - idle[index] * elapsed) / count),
  );
  return { count, cpu, envoyCpu };
}

/** From the API server's yes to the first answer by it. */
async function measureWay({ shape, size }, change, { controller, envoy, address }, { budget, atMost }) {
  const samples = [];
  const began = performance.now();
  let asked = 0;
  let failed = 0;
  const failures = {};
  let ways = 0;
  while (ways < atMost && (ways < fewest || performance.now() - began < budget)) {
    const { route, apply, isThere, isFine, isShown = true } = change(ways++, 1);
    let saidYes;
    const writing = apply().then(() => {
      saidYes = performance.now();
    });
    // A few more after the first, since what is there may go again; and now and then a route that is none of its business.
    for (let seen = 0, deadline = performance.now() + 300_000; seen < 4; asked++) {
      const isNeighbour = asked % 8 === 7;
      const answer = await askRoute(shape, address, isNeighbour ? (route + 1) % size : route);
      if (!(isNeighbour ? answer.status === 200 : isFine(answer))) {
        failed++;
        const what = `${answer.status}${isNeighbour ? " of a neighbour" : ""}`;
        failures[what] = (failures[what] ?? 0) + 1;
      }
      if (!isNeighbour && (seen > 0 || (saidYes !== undefined && isThere(answer)))) {
        if (seen++ === 0 && isShown) samples.push(performance.now() - saidYes);
      }
      if (performance.now() > deadline) throw new Error(`route ${route} does not show its change`);
      if (seen === 0) await pause(1);
    }
    await writing;
    await untilQuiet([controller, envoy], quiet);
  }
  return { ways, p50: percentile(samples, 0.5), p99: percentile(samples, 0.99), asked, failed, failures };
}

/** 100 changes of routes a second; the last of them is waited for. */
export async function measureStorm(world, processes, { perSecond = 100, seconds = 30, say }) {
  const { client, shape, size } = world;
  const { controller, envoy, address } = processes;
  const pids = [controller, envoy];
  const idle = await idleCost(pids);
  const before = pids.map(cpuOf);
  const began = performance.now();
  const load = startLoad(shape, address, size);
  const writes = new Set();
  const count = perSecond * seconds;
  for (let turn = 0; turn < count; turn++) {
    const ahead = began + (turn * 1000) / perSecond - performance.now();
    if (ahead > 1) await pause(ahead);
    while (writes.size >= 64) await Promise.race(writes);
    const write = changeRoute(client, shape, (turn * 7919) % size, `storm-${turn}`).finally(() =>
      writes.delete(write),
    );
    writes.add(write);
  }
  await Promise.all(writes);
  const written = performance.now();
  const last = (count - 1) * 7919;
  while ((await askRoute(shape, address, last % size)).headers[revisionHeader] !== `storm-${count - 1}`) {
    if (performance.now() - written > 600_000) throw new Error("the last change of the storm is not shown");
    await pause(1);
  }
  const lag = performance.now() - written;
  const { asked, failed } = await load.stop();
  await untilQuiet(pids, 1000);
  const elapsed = performance.now() - began;
  const [cpu, envoyCpu] = pids.map(
    (pid, index) => cpuOf(pid) - before[index] - (idle[index] * elapsed) / 1000,
  );
  // What asking has cost it is not the changes' fault.
  const asking = await askingCost(world, processes, 500);
  const result = {
    rate: count / ((written - began) / 1000),
    cpu: cpu / count,
    envoyCpu: Math.max(0, envoyCpu - asking * asked) / count,
    lag,
    asked,
    failed,
  };
  say(`storm: ${JSON.stringify(result, rounded)}`);
  return result;
}

/** Some 100 requests a second of routes, one after the other. */
function startLoad(shape, address, size) {
  let isOver = false;
  let asked = 0;
  let failed = 0;
  const running = (async () => {
    for (; !isOver; asked++) {
      const { status } = await askRoute(shape, address, (asked * 31) % size);
      if (status !== 200) failed++;
      await pause(10);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      return { asked, failed };
    },
  };
}

async function askingCost({ shape, size }, { envoy, address }, count) {
  const before = cpuOf(envoy);
  for (let turn = 0; turn < count; turn++) await askRoute(shape, address, (turn * 31) % size);
  return (cpuOf(envoy) - before) / count;
}

function rounded(_, value) {
  return typeof value === "number" ? Number(value.toFixed(2)) : value;
}
