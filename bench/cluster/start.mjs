// From the start of the controller's process to the answers of all routes, with a fresh Envoy.

import { until } from "../../test/lab/processes.mjs";
import { cpuOf, pause, peakMemoryOf } from "../process-cost.mjs";
import { findEnvoy, startController } from "./contestants.mjs";
import { askRoute, gatewayAddress, silentRoutes, untilQuiet } from "./world.mjs";

const patience = 15 * 60_000;
const sampled = 20;

/**
 * Asking costs Envoy more than the configuration does, so a few routes are asked again and again, and all of them once these answer; the
 * figures are from before that.
 */
export async function measureStart(world, contestant, gateway) {
  const { cluster, client, shape, size } = world;
  const controller = await startController(cluster, contestant);
  const began = performance.now();
  const address = await gatewayAddress(client, gateway, patience);
  const envoy = await until("Envoy", () => findEnvoy(gateway), { seconds: 120, every: 10 });

  let missing = Array.from({ length: size }, (_, route) => route);
  let figures;
  while (missing.length > 0) {
    if (performance.now() - began > patience) throw new Error(`${missing.length} routes do not answer`);
    const step = Math.max(1, Math.floor(missing.length / sampled));
    for (let index = missing.length - 1; index >= 0; index -= step)
      await untilOk(shape, address, missing[index], began + patience);
    figures = {
      wall: performance.now() - began,
      cpu: cpuOf(controller),
      envoyCpu: cpuOf(envoy),
      memory: peakMemoryOf(controller),
      envoyMemory: peakMemoryOf(envoy),
    };
    missing = await silentRoutes(shape, address, missing);
  }
  await untilQuiet([controller, envoy], 2000);
  return {
    processes: { controller, envoy, address },
    // With all that comes after: the rest of the statuses above all.
    start: { ...figures, settledCpu: cpuOf(controller), settledMemory: peakMemoryOf(controller) },
  };
}

async function untilOk(shape, address, route, deadline) {
  while ((await askRoute(shape, address, route)).status !== 200) {
    if (performance.now() > deadline) throw new Error(`route ${route} does not answer`);
    await pause(20);
  }
}
