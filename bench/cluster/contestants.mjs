// The controllers that are measured: how each is installed, and how its processes are known.
//
// Each runs as a Pod, as its users run it; Envoy runs in a Pod of the controller's own making, from the same binary. They are installed
// without a replica and scaled up when their time comes: everything else of theirs is there before.

import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../scripts/command.mjs";
import { renderChart, renderManifests } from "../../scripts/manifests.mjs";
import { componentNamed, envoyGatewayVersion } from "../../test/components/components.mjs";
import { gatewrightImage } from "../../test/lab/node/images.mjs";
import { until } from "../../test/lab/processes.mjs";

const gatewright = {
  name: "Gatewright",
  className: "gatewright",
  namespace: "gatewright-system",
  deployment: "gatewright",
  lease: "gatewright-controller",
  components: ["helm", "image-node"],
  images: () => ({ gatewright: gatewrightImage(componentNamed("image-node").find()) }),
  isController: ([program, script, command]) =>
    program?.endsWith("/node") && script === "/app/dist/cli/main.js" && command === "controller",
  async install(cluster) {
    const helm = componentNamed("helm").find();
    const chart = await renderChart(helm, ["--include-crds", "--set", "replicas=0"]);
    await cluster.apply(renderManifests(chart));
  },
  byDefault: "no access log",
  /** The other way: a Gateway's `infrastructure` for it, and what that refers to. */
  otherwise: {
    setting: "access log",
    object: `apiVersion: gatewright.dev/v1alpha1
kind: ProxyConfig
metadata: { name: logged, namespace: bench }
spec: { accessLog: { enabled: true } }
`,
    infrastructure: {
      parametersRef: { group: "gatewright.dev", kind: "ProxyConfig", name: "logged" },
    },
  },
};

const envoyGateway = {
  name: `Envoy Gateway ${envoyGatewayVersion}`,
  className: "envoy-gateway",
  namespace: "envoy-gateway-system",
  deployment: "envoy-gateway",
  components: ["go", "helm", "envoy-gateway"],
  images() {
    const path = "/usr/local/bin/envoy-gateway";
    return {
      gateway: { entrypoint: [path], files: { [path]: componentNamed("envoy-gateway").find() } },
    };
  },
  isController: ([program, command]) => program?.endsWith("/envoy-gateway") && command === "server",
  async install(cluster) {
    const module = findModule();
    const generated = join(module, "charts", "gateway-crds-helm", "templates", "generated");
    for (const file of readdirSync(generated)) {
      // Templates with nothing to fill in, but a condition around.
      await cluster.apply(readFileSync(join(generated, file), "utf8").replace(/^\{\{-.*\n/gm, ""));
    }
    await cluster.kubectl("create", "namespace", this.namespace);
    await cluster.apply(await renderPeerChart(join(module, "charts", "gateway-helm"), cluster.folder, this));
    const made = () => cluster.kubectl("get", "secret", "envoy-gateway", "-n", this.namespace);
    await until("the certificates of Envoy Gateway", made, { seconds: 120, every: 500 });
    await cluster.apply(`apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: ${this.className} }
spec: { controllerName: gateway.envoyproxy.io/gatewayclass-controller }
`);
  },
  byDefault: "access log",
  otherwise: {
    setting: "no access log",
    object: `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: EnvoyProxy
metadata: { name: silent, namespace: bench }
spec: { telemetry: { accessLog: { disable: true } } }
`,
    infrastructure: {
      parametersRef: { group: "gateway.envoyproxy.io", kind: "EnvoyProxy", name: "silent" },
    },
  },
};

export const peers = { "envoy-gateway": envoyGateway };
export const contestants = { gatewright, ...peers };

function findModule() {
  const args = ["mod", "download", "-json", `github.com/envoyproxy/gateway@${envoyGatewayVersion}`];
  const env = { ...process.env, GOWORK: "off" };
  const cwd = tmpdir();
  return JSON.parse(execFileSync(componentNamed("go").find(), args, { cwd, env, encoding: "utf8" })).Dir;
}

/** Its own chart, which is in the module without the values that a release fills in. */
async function renderPeerChart(source, folder, { namespace }) {
  const chart = join(folder, "peer-chart");
  cpSync(source, chart, { recursive: true });
  const values = readFileSync(join(source, "values.tmpl.yaml"), "utf8")
    .replace("${GatewayImage}", `docker.io/envoyproxy/gateway:${envoyGatewayVersion}`)
    .replace("${GatewayImagePullPolicy}", "IfNotPresent");
  writeFileSync(join(chart, "values.yaml"), values);
  const fixed = ["template", "eg", chart, "--namespace", namespace, "--skip-crds"];
  // The injector is a webhook for Pods that tells Envoy its zone; here is one node, in none.
  const set = ["crds.enabled=false", "topologyInjector.enabled=false", "deployment.replicas=0"];
  const args = [...fixed, ...set.flatMap((value) => ["--set", value])];
  const { code, output } = await runCommand(componentNamed("helm").find(), args);
  if (code !== 0) throw new Error(output);
  return output;
}

/** Scales up, and resolves to the controller's process. */
export async function startController(cluster, contestant) {
  await scale(cluster, contestant, 1);
  const seconds = 120;
  return until(contestant.name, () => findProcess(contestant.isController), { seconds, every: 10 });
}

export async function stopController(cluster, contestant) {
  await scale(cluster, contestant, 0);
  const isGone = () => findProcess(contestant.isController) === undefined;
  await until(`the end of ${contestant.name}`, isGone, { every: 100 });
}

function scale(cluster, { namespace, deployment }, replicas) {
  return cluster.kubectl("scale", "deployment", deployment, "-n", namespace, `--replicas=${replicas}`);
}

/** The Envoy of the Gateway of that name; both controllers tell it by `--service-cluster`. */
export function findEnvoy(gateway) {
  return findProcess(
    ([program, ...args]) =>
      program?.endsWith("envoy") && args[args.indexOf("--service-cluster") + 1]?.endsWith(`/${gateway}`),
  );
}

// All processes of a lab, and no others, are in its /proc.
function findProcess(isIt) {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (isIt(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0"))) return Number(pid);
    } catch {
      // It has just ended.
    }
  }
  return undefined;
}
