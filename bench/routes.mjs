// `gatewright run -f FOLDER` with 100, 1,000 and 10,000 routes: what its start costs, and what one change costs.
//
// The start is over when the gateway answers and has nothing left to do; then every route is asked once. A change is
// measured twice, because watching costs: its processor time while nobody asks anything, and its way from the file to the
// traffic while one client asks again and again.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startGatewright, startNode } from "./children.mjs";
import { cpuOf, peakMemoryOf, untilIdle } from "./process-cost.mjs";
import { ask, untilAnswer } from "./request.mjs";
import { percentile } from "./statistics.mjs";
import { hostnameOf, path, revisionHeader, RouteFolder, tenant } from "./workload.mjs";

export const layouts = ["a file per route", "one file"];
export const sizes = [100, 1_000, 10_000];
const changesPerKind = 200;

/** One entry per layout and size. */
export async function measureRoutes(say) {
  const results = [];
  for (const layout of layouts) {
    for (const size of sizes) {
      say(`${size} routes in ${layout} ...`);
      results.push({ layout, size, ...(await measureFolder(layout, size)) });
    }
  }
  return results;
}

async function measureFolder(layout, count) {
  const place = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
  const [port, ...backendPorts] = await freePorts(3);
  const backends = backendPorts.map((backendPort) => startNode("bench/server.mjs", backendPort));
  const folder = new RouteFolder(place, { layout, count, port, backendPort: backendPorts[0] });
  const began = performance.now();
  const gateway = startGatewright(place);
  try {
    const start = await measureStart({ gateway, port, count, began });
    const changes = {};
    for (const [kind, change] of Object.entries(changeKinds)) {
      const context = { gateway, folder, port, count, backendPorts };
      changes[kind] = {
        cpu: await measureCpu(change, context),
        ...(await measureWay(change, context)),
      };
    }
    return { start, changes };
  } finally {
    await Promise.all([gateway, ...backends].map((program) => program.stop()));
    rmSync(place, { recursive: true, force: true });
  }
}

const question = (route) => ({ host: hostnameOf(route), path, headers: tenant });

async function measureStart({ gateway, port, count, began }) {
  await untilAnswer(gateway, port, question(count - 1), ({ status }) => status === 200);
  const wall = performance.now() - began;
  await untilIdle(gateway.pid, 500);
  const cpu = cpuOf(gateway.pid);
  const memory = peakMemoryOf(gateway.pid);
  for (let route = 0; route < count; route++) {
    const { status } = await ask(port, question(route));
    if (status !== 200) throw new Error(`route ${route} of ${count} answers ${status}`);
  }
  await untilIdle(gateway.pid, 100);
  return { wall, cpu, memory, memoryAfterRequests: peakMemoryOf(gateway.pid) };
}

/**
 * Each kind: the `turn`-th change of it, as what puts it in place, and how the traffic shows it. `series` tells two
 * rounds of changes apart.
 */
const changeKinds = {
  changed: ({ folder, count }, turn, series) => {
    const route = (turn * 7919) % count;
    const revision = `${series}-${turn}`;
    return {
      apply: folder.prepare(route, { revision }),
      route,
      isThere: ({ headers }) => headers[revisionHeader] === revision,
    };
  },
  endpoint: ({ folder, count, backendPorts }, turn, series) => {
    const route = (turn * 7919 + 1) % count;
    // Each route gets its turn with the one port before it comes back to it with the other.
    const backendPort = backendPorts[(Math.floor(turn / count) + series + 1) % 2];
    return {
      apply: folder.prepare(route, { revision: "endpoint", backendPort }),
      route,
      isThere: ({ headers }) => headers["x-backend"] === String(backendPort),
    };
  },
  added: ({ folder, count }, turn, series) => {
    const route = count + series * changesPerKind + turn;
    return {
      apply: folder.prepare(route, { revision: "added" }),
      route,
      isThere: ({ status }) => status === 200,
    };
  },
  deleted: ({ folder, count }, turn, series) => {
    const route = count + series * changesPerKind + turn;
    return { apply: folder.prepareRemoval(route), route, isThere: ({ status }) => status === 404 };
  },
};

/** Processor time per change, in milliseconds. */
async function measureCpu(change, context) {
  const { gateway, port } = context;
  let total = 0;
  for (let turn = 0; turn < changesPerKind; turn++) {
    const { apply, route, isThere } = change(context, turn, 0);
    await untilIdle(gateway.pid, 5);
    const before = cpuOf(gateway.pid);
    apply();
    await untilIdle(gateway.pid, 12);
    total += cpuOf(gateway.pid) - before;
    if (turn % 50 === 49 && !isThere(await ask(port, question(route)))) {
      await untilAnswer(gateway, port, question(route), isThere);
    }
  }
  return total / changesPerKind;
}

/** From the file to the traffic, in milliseconds. */
async function measureWay(change, context) {
  const { gateway, port } = context;
  const samples = [];
  for (let turn = 0; turn < changesPerKind; turn++) {
    const { apply, route, isThere } = change(context, turn, 1);
    await untilIdle(gateway.pid, 5);
    const began = performance.now();
    apply();
    await untilAnswer(gateway, port, question(route), isThere);
    samples.push(performance.now() - began);
  }
  return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) };
}
