// A cluster inside a lab's namespaces (namespaces.mjs): control plane and node up, and down again.

import { execFile } from "node:child_process";
import { readdirSync, rmSync, writeFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { componentNamed, labComponents } from "../components/components.mjs";
import { gatewayApiVersion } from "../../scripts/gateway-api.mjs";
import { onPath } from "../../scripts/search.mjs";
import { startControlPlane } from "./control-plane.mjs";
import { clusterFaults } from "./faults.mjs";
import { currentLab } from "./namespaces.mjs";
import { imageTable } from "./node/images.mjs";
import { makePki } from "./pki.mjs";
import { endLeftovers, LabError, startProcess, until } from "./processes.mjs";

const run = promisify(execFile);
const nodeProgram = fileURLToPath(new URL("node/main.mjs", import.meta.url));

/** options: `images` (more entries of the image table, by the last part of the image's name). */
export async function startCluster({ images = {} } = {}) {
  const folder = currentLab();
  if (!folder) throw new LabError("not inside a lab; start this program with: npm run lab -- exec COMMAND");
  await clear(folder);
  mkdirSync(join(folder, "run"), { recursive: true });
  const programs = Object.fromEntries(labComponents.map((name) => [name, required(name)]));
  const started = Date.now();

  writeFileSync(join(folder, "images.json"), JSON.stringify({ ...imageTable(imagePrograms()), ...images }));
  const pki = await makePki(folder);
  const controlPlane = await startControlPlane({ folder, programs, pki });
  const node = startProcess(folder, "node", process.execPath, [nodeProgram, folder]);

  const kubectl = async (...args) => {
    const options = { maxBuffer: 2 ** 28, env: { ...process.env, KUBECONFIG: pki.kubeconfig } };
    return (await run(programs.kubectl, args, options)).stdout;
  };
  const processes = [controlPlane.etcd, controlPlane.apiServer, controlPlane.controllerManager, node];
  await until("the node", () => existsSync(join(folder, "node-ready")), { processes });
  // Before it is there, no Pod can be created in the namespace.
  await until("the default ServiceAccount", () => kubectl("get", "serviceaccount", "default"), { processes });

  return {
    folder,
    kubeconfig: pki.kubeconfig,
    startedIn: Date.now() - started,
    kubectlProgram: programs.kubectl,
    kubectl,
    /** Applies manifests; resolves to what kubectl said. */
    apply: (yaml) =>
      kubectlWithInput(
        programs.kubectl,
        pki.kubeconfig,
        ["apply", "--server-side", "--force-conflicts", "-f", "-"],
        yaml,
      ),
    delete: (yaml) =>
      kubectlWithInput(programs.kubectl, pki.kubeconfig, ["delete", "--ignore-not-found", "-f", "-"], yaml),
    /** The Gateway API's CRDs, of the experimental channel unless said otherwise. */
    installCrds: (channel = "experimental") => installCrds(kubectl, channel),
    faults: clusterFaults(controlPlane),
    async stop() {
      await node.stop("SIGTERM", 5000);
      await Promise.all(
        [controlPlane.controllerManager, controlPlane.apiServer, controlPlane.etcd].map((one) => one.stop()),
      );
      await clear(folder);
    },
  };
}

async function installCrds(kubectl, channel) {
  const module = componentNamed("gateway-api").find();
  if (!module)
    throw new LabError(
      `the Gateway API's Go module is missing: go mod download sigs.k8s.io/gateway-api@${gatewayApiVersion}`,
    );
  const folder = join(module, "config", "crd", channel);
  const files = readdirSync(folder).filter((name) => name.startsWith("gateway.") && name.endsWith(".yaml"));
  const args = files.flatMap((name) => ["-f", join(folder, name)]);
  await kubectl("apply", "--server-side", "--force-conflicts", ...args);
  await kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all");
}

function kubectlWithInput(kubectl, kubeconfig, args, input) {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 2 ** 28, env: { ...process.env, KUBECONFIG: kubeconfig } };
    const child = execFile(kubectl, args, options, (error, stdout, stderr) =>
      error
        ? reject(new LabError(`kubectl ${args[0]}: ${stderr.trim()}`, { cause: error }))
        : resolve(stdout),
    );
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

function required(name) {
  const path = componentNamed(name).find();
  if (!path) throw new LabError(`${name} is missing; get it with: ${componentNamed(name).install.command}`);
  return path;
}

function imagePrograms() {
  const built = ["echo-basic", "coredns", "envoy"].map((name) => [name, componentNamed(name).find()]);
  const onMachine = ["nginx", "haproxy"].map((name) => [name, onPath(name)]);
  return Object.fromEntries([...built, ...onMachine]);
}

// Whatever a former cluster left in these namespaces, ended properly or not.
async function clear(folder) {
  endLeftovers(folder);
  await run(onPath("nft") ?? "nft", ["flush", "ruleset"]).catch(() => {});
  const ip = onPath("ip");
  for (const namespace of existsSync("/run/netns") ? readdirSync("/run/netns") : []) {
    if (!/^pod\d+$/.test(namespace)) continue;
    const { stdout } = await run(ip, ["netns", "pids", namespace]).catch(() => ({ stdout: "" }));
    for (const pid of stdout.split("\n").map(Number).filter(Boolean)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Just ended.
      }
    }
    await run(ip, ["link", "delete", namespace]).catch(() => {});
    await run(ip, ["netns", "delete", namespace]).catch(() => {});
  }
  for (const name of readdirSync(folder)) {
    if (name !== "resolv.conf") rmSync(join(folder, name), { recursive: true, force: true });
  }
}
