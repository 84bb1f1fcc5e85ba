// What a measurement on the lab's cluster stands on: objects, backends, a client, and how routes are asked.

import { execFileSync } from "node:child_process";
import { componentNamed } from "../../test/components/components.mjs";
import { startNode } from "../children.mjs";
import { cpuOf, pause } from "../process-cost.mjs";
import { ask } from "../request.mjs";
import {
  backendAddresses,
  backendPort,
  endpointSliceObject,
  endpointSlices,
  gatewayObject,
  gateways,
  leases,
  namespace,
  question,
  routeObject,
  routes,
  serviceObject,
  services,
} from "./objects.mjs";

const writesAtOnce = 24;

/** `gateways`: [{ name, className, infrastructure }]. All routes are attached to all of them. */
export async function makeWorld({ cluster, client, shape, size, gateways: wanted, say }) {
  execFileSync(componentNamed("ip").find(), ["address", "add", `${backendAddresses[1]}/24`, "dev", "lab0"]);
  for (const address of backendAddresses) startNode("bench/backend.mjs", backendPort, address);
  const parents = wanted.map(({ name }) => name);
  const began = performance.now();
  await inParallel(size, async (route) => {
    await client.create(services, serviceObject(route));
    await client.create(endpointSlices, endpointSliceObject(route));
    await client.create(routes, routeObject(shape, route, parents, "0"));
  });
  say(`${size} routes created in ${Math.round((performance.now() - began) / 1000)} s`);
  for (const { name, className, infrastructure } of wanted)
    await client.create(gateways, gatewayObject(name, className, infrastructure));
  return { cluster, client, shape, size, parents, twoEndpoints: new Set() };
}

/** The address that the Gateway's status tells, once it does. */
export async function gatewayAddress(client, name, patience = 600_000) {
  for (const deadline = performance.now() + patience; performance.now() < deadline; await pause(100)) {
    const gateway = await client.get(gateways, name, namespace);
    const address = gateway?.status?.addresses?.[0]?.value;
    if (address) return address;
  }
  throw new Error(`Gateway ${name} has no address`);
}

export const askRoute = (shape, address, route) => ask(80, { address, ...question(shape, route) });

/** Those of `candidates` that do not answer with 200. */
export async function silentRoutes(shape, address, candidates) {
  const silent = [];
  await inParallel(candidates.length, async (index) => {
    const { status } = await askRoute(shape, address, candidates[index]);
    if (status !== 200) silent.push(candidates[index]);
  });
  return silent;
}

export async function inParallel(count, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: writesAtOnce }, worker));
}

/** Resolves when none of the processes has done anything to speak of for `quiet` milliseconds: timers and probes are always there. */
export async function untilQuiet(pids, quiet) {
  const little = 0.5 + quiet / 100;
  for (let isQuiet = false; !isQuiet;) {
    const before = pids.map(cpuOf);
    const began = performance.now();
    isQuiet = true;
    while (isQuiet && performance.now() - began < quiet) {
      await pause(5);
      isQuiet = pids.every((pid, index) => cpuOf(pid) - before[index] < little);
    }
  }
}

/** Milliseconds of processor time that each uses in a second of doing nothing: in the calmest of some seconds, since what follows a start goes on in waves. */
export async function idleCost(pids) {
  await untilQuiet(pids, 1000);
  const least = pids.map(() => Infinity);
  for (let round = 0; round < 5; round++) {
    const before = pids.map(cpuOf);
    const began = performance.now();
    await pause(2000);
    const elapsed = performance.now() - began;
    pids.forEach((pid, index) => {
      least[index] = Math.min(least[index], ((cpuOf(pid) - before[index]) / elapsed) * 1000);
    });
  }
  return least;
}

/**
 * A controller that does not hold its Lease reads, translates and programs proxies, but writes nothing: what writing statuses costs is the difference. Here
 * somebody else holds it, until the answer is called.
 */
export async function holdLease(client, { namespace: where, lease }) {
  const spec = () => ({
    holderIdentity: "bench",
    leaseDurationSeconds: 60,
    renewTime: new Date().toISOString().replace("Z", "000Z"),
  });
  const hold = () => client.patch(leases, lease, where, { spec: spec() });
  await hold();
  const timer = setInterval(() => hold().catch(() => {}), 2000);
  return () => clearInterval(timer);
}
