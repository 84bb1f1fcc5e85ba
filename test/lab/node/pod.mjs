// One Pod on the node, from its network to its end.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasIpv6, node as nodeAddresses } from "../addresses.mjs";
import { createContainer } from "./container.mjs";
import { makePodNetwork } from "./pod-network.mjs";
import { podStatus } from "./pod-status.mjs";
import { podVolumes } from "./volumes.mjs";

const retryVolumes = 1000;
const refreshVolumes = 10_000;
// A Pod that waits longer than this for what the machine gives is worth a line in the node's log.
const slow = 10_000;
// A burst of changes is one write.
const statusDelay = 10;

/** node: { api, folder, images, configMaps, secrets }. */
export function createPod(node, object) {
  const { metadata, spec } = object;
  const pod = {
    object,
    folder: join(node.folder, "pods", metadata.uid),
    addresses: [],
    networkNamespace: undefined,
    phase: "Pending",
    isInitialized: false,
    startTime: new Date().toISOString(),
    volumes: undefined,
  };
  const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
  const initContainers = [];
  const containers = [];
  const stopping = new AbortController();
  let network;

  // --- status -------------------------------------------------------------------------------------------
  let conditions = [];
  let isDirty = false;
  let writing;
  const changed = () => {
    isDirty = true;
    writing ??= writeStatus().finally(() => (writing = undefined));
  };
  const writeStatus = async () => {
    let conflicts = 0;
    while (isDirty) {
      await delay(statusDelay);
      isDirty = false;
      const waiting = spec.initContainers ? "PodInitializing" : "ContainerCreating";
      const views = {
        initContainers: allViews(spec.initContainers, initContainers, waiting),
        containers: allViews(spec.containers, containers, waiting),
      };
      const status = podStatus(pod, views, conditions);
      ({ conditions } = status);
      try {
        await node.api.patch(`${path}/status`, { metadata: { uid: metadata.uid }, status });
      } catch (error) {
        // Gone; or (a conflict that stays) another Pod of that name.
        if (error.status === 404 || (error.status === 409 && ++conflicts > 5)) return;
        isDirty = true;
        await delay(300);
      }
    }
  };

  // --- life ---------------------------------------------------------------------------------------------
  const start = async () => {
    mkdirSync(join(pod.folder, "volumes"), { recursive: true });
    changed();
    if (spec.hostNetwork)
      pod.addresses = hasIpv6 ? [nodeAddresses.ipv4, nodeAddresses.ipv6] : [nodeAddresses.ipv4];
    else {
      network = await sayIfSlow("its network", makePodNetwork());
      pod.addresses = network.addresses;
      pod.networkNamespace = network.namespace;
    }
    pod.volumes = podVolumes(node, pod);
    await mountVolumes();
    if (stopping.signal.aborted) return;
    if (!(await runInitContainers())) return;
    pod.isInitialized = true;
    pod.phase = "Running";
    for (const container of spec.containers) containers.push(add(container, spec.restartPolicy ?? "Always"));
    changed();
    const codes = await Promise.all(containers.map(({ run }) => run()));
    if (stopping.signal.aborted) return;
    pod.phase = codes.every((code) => code === 0) ? "Succeeded" : "Failed";
    await stopAll(initContainers, 1000);
    changed();
  };
  const add = (container, restartPolicy) => createContainer(node, pod, container, { restartPolicy, changed });

  // A Secret often comes after the Deployment that wants it.
  let lookAgain = () => {};
  const mountVolumes = async () => {
    let said;
    while (!stopping.signal.aborted) {
      const poked = new Promise((resolve) => (lookAgain = resolve));
      try {
        await pod.volumes.write();
        return;
      } catch ({ message }) {
        if (message !== said) console.error(`${metadata.namespace}/${metadata.name}: volumes: ${message}`);
        said = message;
        await Promise.race([poked, pause(retryVolumes)]);
      }
    }
  };

  /** Resolves to whether the main containers may start. */
  const runInitContainers = async () => {
    for (const container of spec.initContainers ?? []) {
      const isSidecar = container.restartPolicy === "Always";
      const once = spec.restartPolicy === "Never" ? "Never" : "OnFailure";
      const running = add(container, isSidecar ? "Always" : once);
      initContainers.push(running);
      changed();
      if (isSidecar) {
        void running.run();
        while (!running.view.started && !stopping.signal.aborted) await pause(20);
      } else if ((await running.run()) !== 0 && !stopping.signal.aborted) {
        pod.phase = "Failed";
        changed();
        return false;
      }
      if (stopping.signal.aborted) return false;
    }
    return true;
  };

  const sayIfSlow = async (what, work) => {
    const name = `${metadata.namespace}/${metadata.name}`;
    const timer = setTimeout(() => console.error(`${name} still waits for ${what}`), slow);
    return work.finally(() => clearTimeout(timer));
  };

  const pause = async (milliseconds) => {
    try {
      await delay(milliseconds, undefined, { signal: stopping.signal });
    } catch {
      // Stopped meanwhile.
    }
  };

  // The main ones first, then the sidecars, the last one first.
  const stop = async (grace) => {
    stopping.abort();
    clearInterval(refreshing);
    const deadline = Date.now() + grace;
    await stopAll(containers, grace);
    for (const container of initContainers.toReversed())
      await container.stop(Math.max(0, deadline - Date.now()));
    await life;
    await network?.remove();
    rmSync(pod.folder, { recursive: true, force: true });
  };

  const life = start().catch((error) => console.error(`${metadata.namespace}/${metadata.name}:`, error));
  // Tokens grow old.
  const refreshing = setInterval(() => void updateVolumes(), refreshVolumes);
  const updateVolumes = async () => {
    if (stopping.signal.aborted || containers.length === 0) return;
    await pod.volumes.write().catch((error) => console.error(`${metadata.name}: volumes: ${error.message}`));
  };

  let stopped;
  return {
    uid: metadata.uid,
    stop: (grace) => (stopped ??= stop(grace)),
    /** Its object has changed: labels and annotations may be in a volume. */
    update(next) {
      pod.object = next;
      if (spec.readinessGates) changed();
      void updateVolumes();
    },
    /** A ConfigMap or Secret has changed. */
    referenceChanged(kind, name) {
      if (!pod.volumes?.refersTo(kind, name)) return;
      lookAgain();
      void updateVolumes();
    },
    log: (container, previous) =>
      [...containers, ...initContainers].find(({ spec: { name } }) => name === container)?.log(previous),
  };
}

async function stopAll(containers, grace) {
  await Promise.all(containers.map((container) => container.stop(grace)));
}

function allViews(specs = [], running, reason) {
  return specs.map(
    ({ name }) =>
      running.find((container) => container.spec.name === name)?.view ?? {
        name,
        state: { waiting: { reason } },
        lastState: {},
        ready: false,
        started: false,
        restartCount: 0,
      },
  );
}
