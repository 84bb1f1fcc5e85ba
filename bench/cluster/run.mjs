// One measurement inside a lab of its own: run.mjs TASK RESULT, both files of JSON. measure.mjs starts it.
//
// task: { contestants, shape, size, profile } and either the whole of one contestant, or `requests`, the requests per second of all.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kubernetesClient, loadCredentials } from "../../dist/kubernetes/index.js";
import { componentNamed } from "../../test/components/components.mjs";
import { startCluster } from "../../test/lab/cluster.mjs";
import { measureChanges, measureStorm } from "./changes.mjs";
import { contestants, stopController } from "./contestants.mjs";
import { namespace } from "./objects.mjs";
import { measureRequests } from "./requests.mjs";
import { measureStart } from "./start.mjs";
import { holdLease, makeWorld } from "./world.mjs";

const gateway = "bench";
const [taskFile, resultFile] = process.argv.slice(2);
const task = JSON.parse(readFileSync(taskFile, "utf8"));
const say = (text) => process.stderr.write(`  ${text}\n`);

const chosen = task.contestants.map((key) => contestants[key]);
const images = Object.assign({ envoy: envoyImage() }, ...chosen.map(({ images: more }) => more()));
const cluster = await startCluster({ images });
try {
  await cluster.installCrds();
  for (const contestant of chosen) await contestant.install(cluster);
  await cluster.kubectl("create", "namespace", namespace);
  const credentials = await loadCredentials({ kubeconfig: cluster.kubeconfig });
  const client = kubernetesClient({ credentials, userAgent: "bench", fieldManager: "bench" });
  const base = { cluster, client, shape: task.shape, size: task.size, say };
  const result = task.requests ? await measureRequests(base, chosen) : await measureOne(base, chosen[0]);
  writeFileSync(resultFile, JSON.stringify(result));
} finally {
  await cluster.stop();
}
// What is still open is of no interest.
process.exit(0);

async function measureOne(base, contestant) {
  const { client } = base;
  const gateways = [{ name: gateway, className: contestant.className }];
  const world = await makeWorld({ ...base, gateways });
  if (task.profile) await profileController(contestant);
  const { processes, start } = await measureStart(world, contestant, gateway);
  say(
    `start: ${JSON.stringify(start, (_, value) => (typeof value === "number" ? Math.round(value) : value))}`,
  );
  const changes = await measureChanges(world, processes, { budget: task.budget, say });
  const storm = await measureStorm(world, processes, { say });
  const result = { start, changes, storm };
  if (!contestant.lease) return result;

  // Once more, as one that follows: it writes nothing.
  await stopController(cluster, contestant);
  const release = await holdLease(client, contestant);
  const labels = `gateway.networking.k8s.io/gateway-name=${gateway}`;
  await cluster.kubectl("delete", "pod", "-n", namespace, "-l", labels, "--force", "--grace-period=0");
  const following = await measureStart(world, contestant, gateway);
  say(`start without statuses: ${Math.round(following.start.cpu)} ms`);
  const silentChanges = await measureChanges(world, following.processes, {
    budget: task.budget,
    costOnly: true,
    say,
  });
  await stopController(cluster, contestant);
  release();
  return { ...result, withoutStatuses: { start: following.start, changes: silentChanges } };
}

/** Standard output is a real pipe here, since an access log may be opened by the name /dev/stdout. */
function envoyImage() {
  const script = join(dirname(resultFile), "envoy.sh");
  const [entrypoint, program] = ["/usr/local/bin/envoy", "/opt/envoy/envoy"];
  writeFileSync(script, `#!/bin/bash\nexec ${program} "$@" > >(exec cat)\n`);
  chmodSync(script, 0o755);
  return {
    entrypoint: [entrypoint],
    files: { [entrypoint]: script, [program]: componentNamed("envoy").find() },
  };
}

/** The profile is written when the process ends. */
async function profileController({ namespace: where, deployment }) {
  mkdirSync(task.profile, { recursive: true });
  chmodSync(task.profile, 0o777);
  copyFileSync(new URL("profile.cjs", import.meta.url), join(task.profile, "profile.cjs"));
  // A folder of the node is more than the namespace's standard allows.
  await cluster.kubectl("label", "namespace", where, "pod-security.kubernetes.io/enforce-");
  const container = {
    name: "controller",
    env: [{ name: "NODE_OPTIONS", value: "--require=/profile/profile.cjs" }],
    volumeMounts: [{ name: "profile", mountPath: "/profile" }],
  };
  const volumes = [{ name: "profile", hostPath: { path: task.profile } }];
  const patch = JSON.stringify({ spec: { template: { spec: { containers: [container], volumes } } } });
  await cluster.kubectl("patch", "deployment", deployment, "-n", where, "--type=strategic", "-p", patch);
}
