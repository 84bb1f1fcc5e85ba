// One container of a Pod: its process started, watched, restarted with back-off, and ended.
//
// A container is Running only once its own program has taken the place of the launch script, so one whose program is
// missing is never Ready, not even for a moment.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { environmentOf, etcFiles, expand, MissingReferenceError } from "./environment.mjs";
import { imageName } from "./images.mjs";
import { insideContainer, isLaunching, launchCommand, wasLaunched, writeLaunchScript } from "./launch.mjs";
import { containerLog } from "./logs.mjs";
import { askExec, askHttp, watchProbes } from "./probes.mjs";

// A kubelet waits 10 s, then up to 5 min. Tests cannot.
const firstBackOff = 1000;
const longestBackOff = 10_000;
const healthyAfter = 60_000;
const retryConfiguration = 1000;

class ConfigurationProblem extends Error {
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

/** node: { folder, images, configMaps, secrets }; pod: see pod.mjs; changed(): the status is another. */
export function createContainer(node, pod, spec, { restartPolicy, changed }) {
  const folder = join(pod.folder, "containers", spec.name);
  const id = `${pod.object.metadata.uid}_${spec.name}`;
  const stopping = new AbortController();
  const view = {
    name: spec.name,
    state: { waiting: { reason: "ContainerCreating" } },
    lastState: {},
    ready: false,
    started: false,
    restartCount: 0,
  };
  let log;
  let previousLog;
  let current; // { child, user, group, ended }

  const set = (changes) => {
    Object.assign(view, changes);
    changed();
  };

  const prepare = () => {
    const image = node.images[imageName(spec.image)];
    if (!image) {
      const known = Object.keys(node.images).join(", ");
      throw new ConfigurationProblem(
        "ErrImagePull",
        `no local program for image "${spec.image}"; there are ${known}`,
      );
    }
    const podContext = pod.object.spec.securityContext ?? {};
    const context = spec.securityContext ?? {};
    const user = context.runAsUser ?? podContext.runAsUser ?? image.user ?? 0;
    const group =
      context.runAsGroup ?? podContext.runAsGroup ?? image.group ?? (user === image.user ? user : 0);
    if ((context.runAsNonRoot ?? podContext.runAsNonRoot) && user === 0) {
      throw new ConfigurationProblem(
        "CreateContainerConfigError",
        "container has runAsNonRoot and image will run as root",
      );
    }
    const environment = environmentOf(spec, pod, node, image);
    const command = spec.command ?? image.entrypoint ?? [];
    const args = spec.args ?? (spec.command ? [] : (image.cmd ?? []));
    const argv = [...command, ...args].map((word) => expand(word, environment));
    mkdirSync(folder, { recursive: true });
    const script = writeLaunchScript(join(folder, "launch.sh"), {
      folder,
      image,
      argv,
      workingDir: spec.workingDir ?? image.workingDir,
      mounts: (spec.volumeMounts ?? []).map((mount) => resolveMount(mount, environment)),
      files: etcFiles(pod),
      user,
      group,
      groups: [
        ...(podContext.supplementalGroups ?? []),
        ...(podContext.fsGroup === undefined ? [] : [podContext.fsGroup]),
      ],
      capabilities: context.capabilities,
      noNewPrivileges: context.allowPrivilegeEscalation === false,
      readOnlyRoot: context.readOnlyRootFilesystem === true,
      privileged: context.privileged === true,
    });
    return { script, environment, user, group };
  };
  const resolveMount = ({ name, mountPath, readOnly, subPath, subPathExpr }, environment) => {
    const source = pod.volumes.source(name);
    const below = subPathExpr ? expand(subPathExpr, environment) : subPath;
    const path = below ? join(source.path, below) : source.path;
    if (below && !source.readOnly) mkdirSync(path, { recursive: true });
    return { source: path, target: mountPath, readOnly: source.readOnly || readOnly === true };
  };

  // Resolves to { exitCode, ranFor, hasStarted }.
  const runOnce = async () => {
    const { script, environment, user, group } = prepare();
    const [command, ...args] = launchCommand(pod.networkNamespace, script);
    previousLog = log;
    log = containerLog(join(node.folder, "logs", "pods", `${logName(pod.object, spec)}.log`));
    const child = spawn(command, args, {
      cwd: "/",
      detached: true,
      env: Object.fromEntries(environment),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const pidFile = join(node.folder, "run", `${id}.pid`);
    if (child.pid !== undefined) writeFileSync(pidFile, String(child.pid));
    const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
    current = { child, user, group, ended };
    const words = Promise.all([log.addStream(child.stdout), log.addStream(child.stderr)]);
    const probing = new AbortController();

    const isSeen = await waitForProgram(child, script, ended);
    const startedAt = new Date();
    if (isSeen) {
      set({ state: { running: { startedAt: startedAt.toISOString() } } });
      const target = {
        address: pod.addresses[0],
        ports: spec.ports ?? [],
        exec: (argv) => insideContainer(child.pid, { user, group, argv }),
      };
      void watchProbes(spec, target, probing.signal, {
        started: () => set({ started: true }),
        ready: (ready) => set({ ready }),
        failed: (which) => {
          log.add(`[lab] ${which} probe failed; restarting the container`);
          void end(child, ended, graceOf(spec, pod.object) * 1000);
        },
      });
    }
    const { code, signal } = await ended;
    probing.abort();
    // What it started may hold its output open, and its address: all of it goes.
    signalGroup(child.pid, "SIGKILL");
    await Promise.race([words, delay(1000, undefined, { ref: false })]);
    log.close();
    rmSync(pidFile, { force: true });
    current = undefined;
    const lastWords = log.since(log.tail(1)).lines[0]?.text ?? "";
    const hasStarted = isSeen || code === 0 || wasLaunched(script, lastWords);
    const exitCode = hasStarted ? (code ?? 128 + signalNumber(signal)) : 128;
    const reason = !hasStarted ? "StartError" : exitCode === 0 ? "Completed" : "Error";
    const terminated = {
      exitCode,
      reason,
      startedAt: startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
    };
    if (!hasStarted) terminated.message = lastWords || "the program could not be started";
    set({ ready: false, started: false, state: { terminated } });
    return { exitCode, ranFor: Date.now() - startedAt.getTime() };
  };

  /** Until it has ended for good; resolves to its last exit code. */
  const run = async () => {
    let backOff = firstBackOff;
    while (!stopping.signal.aborted) {
      let result;
      try {
        result = await runOnce();
      } catch (error) {
        const known = error instanceof ConfigurationProblem || error instanceof MissingReferenceError;
        const reason = error.reason ?? "CreateContainerConfigError";
        if (!known) console.error(`${logName(pod.object, spec)}:`, error);
        if (view.state.waiting?.message !== error.message)
          set({ state: { waiting: { reason, message: error.message } } });
        await pause(retryConfiguration, stopping.signal);
        continue;
      }
      if (stopping.signal.aborted) return result.exitCode;
      if (restartPolicy === "Never" || (restartPolicy === "OnFailure" && result.exitCode === 0))
        return result.exitCode;
      if (result.ranFor > healthyAfter) backOff = firstBackOff;
      const message = `back-off ${backOff / 1000}s restarting failed container=${spec.name}`;
      set({
        lastState: view.state,
        state: { waiting: { reason: "CrashLoopBackOff", message } },
      });
      await pause(backOff, stopping.signal);
      backOff = Math.min(backOff * 2, longestBackOff);
      if (!stopping.signal.aborted) set({ restartCount: view.restartCount + 1 });
    }
    return view.state.terminated?.exitCode ?? 0;
  };

  /** Ends it by its preStop hook, SIGTERM and, after `grace` milliseconds, SIGKILL. */
  const stop = async (grace) => {
    stopping.abort();
    if (!current) return;
    const { child, user, group, ended } = current;
    const deadline = Date.now() + grace;
    const hook = spec.lifecycle?.preStop;
    if (hook && grace > 0) await Promise.race([runHook(hook, { child, user, group }, grace), ended]);
    // A hook that took all the time leaves two seconds for the program itself.
    await end(child, ended, grace > 0 ? Math.max(deadline - Date.now(), hook ? 2000 : 0) : 0);
  };
  const runHook = ({ exec, httpGet, sleep }, { child, user, group }, timeout) => {
    if (sleep) return delay(Math.min(sleep.seconds * 1000, timeout), undefined, { ref: false });
    if (exec) return askExec(insideContainer(child.pid, { user, group, argv: exec.command }), timeout);
    if (!httpGet) return undefined;
    const port = spec.ports?.find(({ name }) => name === httpGet.port)?.containerPort ?? Number(httpGet.port);
    return askHttp(httpGet, port, pod.addresses[0], timeout);
  };

  return { spec, view, run, stop, log: (previous) => (previous ? previousLog : log) };
}

// The launch script becomes the program; or it ends, because it cannot.
async function waitForProgram(child, script, ended) {
  if (child.pid === undefined) return false;
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  while (!hasEnded) {
    if (isLaunching(child.pid, script) === false) return true;
    await delay(5);
  }
  return false;
}

async function end(child, ended, grace) {
  if (grace > 0) {
    signalGroup(child.pid, "SIGTERM");
    await Promise.race([ended, delay(grace, undefined, { ref: false })]);
  }
  signalGroup(child.pid, "SIGKILL");
  await ended;
}

function graceOf(spec, pod) {
  const probe = spec.livenessProbe ?? spec.startupProbe;
  return probe?.terminationGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended on its own.
  }
}

function signalNumber(signal) {
  return { SIGTERM: 15, SIGKILL: 9, SIGINT: 2, SIGSEGV: 11, SIGABRT: 6 }[signal] ?? 1;
}

function logName({ metadata }, spec) {
  return `${metadata.namespace}_${metadata.name}_${spec.name}`;
}

async function pause(milliseconds, signal) {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch {
    // Stopped meanwhile.
  }
}
