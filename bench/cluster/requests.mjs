// Requests per second through Envoy as each controller sets it up: with its defaults, and with and without an access log, each in its own format. One of these
// two is what it does by default, and is not measured twice. Beside them, what the same Envoy does at best (`bare-envoy.mjs`). All run in one lab and take turns, so that what else the machine does falls on all of them.

import { runCommand } from "../../scripts/command.mjs";
import { onPath } from "../../scripts/search.mjs";
import { until } from "../../test/lab/processes.mjs";
import { cpuOf, pause } from "../process-cost.mjs";
import { median } from "../statistics.mjs";
import { bareEnvoy } from "./bare-envoy.mjs";
import { findEnvoy, startController } from "./contestants.mjs";
import { question } from "./objects.mjs";
import { askRoute, gatewayAddress, makeWorld } from "./world.mjs";

const seconds = 3;
const rounds = 6;
const patience = 15 * 60_000;

/** One entry per contestant and way to set it up, with the settings that it stands for. */
export async function measureRequests(base, contestants) {
  const { cluster, client, shape, say } = base;
  const entries = contestants.flatMap(({ name: contestant, className, byDefault, otherwise }) => [
    { contestant, className, name: `${className}-default`, settings: ["defaults", byDefault], samples: [] },
    {
      contestant,
      className,
      name: `${className}-otherwise`,
      settings: [otherwise.setting],
      infrastructure: otherwise.infrastructure,
      samples: [],
    },
  ]);
  for (const { otherwise } of contestants) await cluster.apply(otherwise.object);
  const gateways = entries.map(({ name, className, infrastructure }) => ({
    name,
    className,
    ...(infrastructure && { infrastructure }),
  }));
  await makeWorld({ ...base, gateways });
  for (const contestant of contestants) await startController(cluster, contestant);
  for (const entry of entries) entry.address = await gatewayAddress(client, entry.name, patience);
  await bareEnvoy.install(cluster);
  entries.push({ ...bareEnvoy, address: await bareEnvoy.address(client), samples: [] });
  for (const entry of entries) {
    const answers = async () => (await askRoute(shape, entry.address, 0)).status === 200;
    await until(`an answer of ${entry.name}`, answers, { seconds: patience / 1000, every: 200 });
    entry.envoy = findEnvoy(entry.name);
  }
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? "warming up ..." : `round ${round} of ${rounds} ...`);
    for (const entry of entries) {
      const sample = await load(entry, shape);
      if (round > 0) entry.samples.push(sample);
      await pause(200);
    }
  }
  return entries.map(({ contestant, settings, samples }) => ({
    contestant,
    settings,
    perSecond: median(samples.map((sample) => sample.perSecond)),
    cpu: median(samples.map((sample) => sample.cpu)),
    samples,
  }));
}

async function load({ envoy, address }, shape) {
  const { host, path, headers } = question(shape, 0);
  // Only by this spelling does wrk leave out its own.
  const all = Object.entries({ Host: host, ...headers }).flatMap(([name, value]) => [
    "-H",
    `${name}: ${value}`,
  ]);
  const before = cpuOf(envoy);
  const args = ["-t1", "-c32", `-d${seconds}s`, ...all, `http://${address}${path}`];
  const { output, code } = await runCommand(onPath("wrk"), args);
  const found = /Requests\/sec:\s+([\d.]+)/.exec(output);
  const total = Number(/(\d+) requests in/.exec(output)?.[1]);
  if (code !== 0 || !found || !total || /Non-2xx/.test(output)) throw new Error(`wrk: ${output}`);
  return { perSecond: Number(found[1]), cpu: ((cpuOf(envoy) - before) * 1000) / total };
}
