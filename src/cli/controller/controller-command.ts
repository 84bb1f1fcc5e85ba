/** `gatewright controller`: Gateways of a cluster, each with proxies of its own. `gatewright operator`: and what must exist around them. */
import { readFileSync } from "node:fs";
import {
  clusterController,
  EnvironmentError,
  type ClusterEvents,
  type ClusterOptions,
} from "../../controller/index.ts";
import {
  controllerNameOf,
  defaultControllerName,
  describeGates,
  type Compat,
  type DriverName,
  type ProfileName,
} from "../../controller/names/index.ts";
import { readAdminAddress } from "../admin-address.ts";
import { readMesh } from "./mesh-flags.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { readGates } from "../gates.ts";
import { obsoleteFlag, readGatewayMode } from "../gateway-mode.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { readLayers } from "../layer-flags.ts";
import { errorFields, jsonLog, type Log } from "../log-lines.ts";
import { scavengeAlone } from "../lone-scavenger.ts";
import { collectAfterStart } from "../start-garbage.ts";
import { misuse } from "../misuse.ts";
import { awaitStopSignal } from "../stop-signal.ts";
import type { Terminal } from "../terminal.ts";
import { readVersion } from "../version.ts";

export function controllerCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  return runController(invocation, terminal, { name: "controller", ownNames: [defaultControllerName] });
}

export function operatorCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const profile = invocation.value("profile") as ProfileName;
  const compat = invocation.value("compat") as Compat;
  const guestKubeconfig = invocation.value("guest-kubeconfig");
  const dnsNamespaces = invocation.values("dns-namespace");
  if (dnsNamespaces.length > 0 && profile !== "openshift") {
    const message =
      "--dns-namespace is for --profile openshift; elsewhere spec.dns of Platform cluster says it";
    return Promise.resolve(misuse(terminal, message));
  }
  const usesMesh = invocation.value("data-plane") === "ossm";
  if (usesMesh && profile !== "openshift") {
    return Promise.resolve(misuse(terminal, "--data-plane ossm is for --profile openshift"));
  }
  const meshManifests = invocation.value("mesh-manifests");
  if (meshManifests !== undefined && !usesMesh) {
    return Promise.resolve(misuse(terminal, "--mesh-manifests is for --data-plane ossm"));
  }
  return runController(invocation, terminal, {
    name: "operator",
    ownNames: [controllerNameOf(profile, compat)],
    operator: {
      profile,
      compat,
      ...(usesMesh && { mesh: readMesh(invocation, process.env) }),
      ...(meshManifests !== undefined && { meshManifests }),
      ...(dnsNamespaces.length > 0 && { dnsNamespaces }),
      ...(guestKubeconfig !== undefined && { guestKubeconfig }),
    },
  });
}

interface Variant {
  readonly name: string;
  /** Of the classes that are its own, unless said otherwise. */
  readonly ownNames: readonly string[];
  readonly operator?: NonNullable<ClusterOptions["operator"]>;
}

async function runController(
  invocation: Invocation,
  terminal: Terminal,
  { name, ownNames, operator }: Variant,
): Promise<ExitCode> {
  scavengeAlone();
  collectAfterStart();
  const admin = readAdminAddress(invocation.value("admin") ?? "off");
  const listen = readAdminAddress(invocation.value("channel-address") ?? "");
  if (admin.outcome === "malformed") return misuse(terminal, admin.message);
  if (listen.outcome !== "address") {
    return misuse(terminal, "--channel-address: write ADDRESS:PORT, such as 0.0.0.0:18000");
  }
  const mode = readGatewayMode(invocation);
  if (mode.outcome === "malformed") return misuse(terminal, mode.message);
  const namespace = invocation.value("namespace") ?? process.env["POD_NAMESPACE"] ?? ownNamespace();
  if (namespace === undefined) {
    return misuse(
      terminal,
      "--namespace: say where the controller's own Lease and Secrets are; in a Pod it is the Pod's",
    );
  }
  const layered = readLayers(invocation, {
    gateway: mode.settings.singleGateway?.gateway ?? `${namespace}/ingress`,
    gatewayClass: "gatewright",
    fromFiles: false,
  });
  if (layered.outcome === "malformed") return misuse(terminal, layered.message);
  const log = jsonLog(terminal);
  if (mode.isObsoleteFlagGiven) log("warning", obsoleteFlag);
  const gates = readGates(invocation);
  const experiment = describeGates(gates);
  if (experiment !== undefined) log("warning", experiment);
  const version = readVersion();
  const names = invocation.values("controller-name");
  const watched = invocation.values("watch-namespace");
  const unserved = describeUnwatched(layered.layers.gateway, watched);
  if (unserved !== undefined) log("warning", unserved);
  const [kubeconfig, context] = [invocation.value("kubeconfig"), invocation.value("context")];
  const podAddress = process.env["POD_IP"];
  const image = invocation.value("image") ?? `gatewright:${version}`;
  const controller = clusterController({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    namespace,
    controllerNames: names.length > 0 ? names : ownNames,
    driver: invocation.value("driver") as DriverName,
    ...(watched.length > 0 && { watchNamespaces: watched }),
    channel: {
      listen: listen.address,
      host: invocation.value("channel-host") ?? `gatewright.${namespace}.svc:${listen.address.port}`,
      ...(podAddress !== undefined && { own: hostAndPort(podAddress, listen.address.port) }),
    },
    images: { gatewright: image, envoy: invocation.value("envoy-image") ?? "" },
    electsLeader: !invocation.has("no-leader-election"),
    networkPolicy: invocation.has("network-policy"),
    ...(admin.outcome === "address" && { admin: admin.address }),
    allowExternalNames: invocation.has("allow-external-names"),
    ...mode.settings,
    layers: layered.layers,
    gates,
    version,
    ...(operator && { operator }),
    events: logged(log),
  });
  const signal = awaitStopSignal();
  try {
    log("info", `gatewright ${version} ${name} starts`, { namespace });
    const started = await Promise.race([controller.start().then(() => true), signal.asked.then(() => false)]);
    if (started) {
      log("info", "ready");
      await signal.asked;
    }
    log("info", "stopping: the Lease is given back, proxies go on with what they have");
    await controller.stop();
    return exitCode.fine;
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    terminal.err(`${programName}: ${error.message}`);
    return exitCode.environment;
  } finally {
    signal.dispose();
  }
}

/** Statuses are on the objects; the log is for what cannot stand there. */
function logged(log: Log): ClusterEvents {
  let problems = new Set<string>();
  return {
    problems(standing) {
      const now = new Set(
        standing.map(({ origin, object, field, message }) =>
          [origin, object, field, message].filter(Boolean).join(": "),
        ),
      );
      for (const problem of now) if (!problems.has(problem)) log("warning", problem);
      for (const problem of problems) if (!now.has(problem)) log("info", `over: ${problem}`);
      problems = now;
    },
    fault: (where, error) => log("error", `something went wrong: ${where}`, errorFields(error)),
    led: (isLeader) =>
      log("info", isLeader ? "this replica leads: it writes" : "this replica does not lead: it only reads"),
    lost: (message) => log("error", message),
    turnedAway: (peer, why) => log("warning", "a connection to the channel was turned away", { peer, why }),
    note: (gateway, notes) => notes.forEach((note) => log("warning", note, { gateway })),
    written: (what) => log("info", what),
    trouble: (where, message) =>
      message === undefined ? log("info", `over: ${where}`) : log("warning", message, { where }),
  };
}

function hostAndPort(address: string, port: number): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/** The Gateway of Ingresses and HTTPProxies has no status that would tell it. */
function describeUnwatched(gateway: string, watched: readonly string[]): string | undefined {
  const [namespace = ""] = gateway.split("/");
  if (watched.length === 0 || watched.includes(namespace)) return undefined;
  return `Ingresses and HTTPProxies are not served unless their class names another Gateway: theirs is ${gateway}, and namespace ${namespace} is not watched. Add it to --watch-namespace, or choose a Gateway with --ingress-gateway`;
}

/** Where this Pod runs. */
function ownNamespace(): string | undefined {
  try {
    return readFileSync("/var/run/secrets/kubernetes.io/serviceaccount/namespace", "utf8").trim();
  } catch {
    return undefined;
  }
}
