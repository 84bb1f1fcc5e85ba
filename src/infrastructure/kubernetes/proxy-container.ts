/*
 * The container of a proxy Pod. Envoy has an image of its own and talks to the channel itself; every other proxy is a child of
 * `gatewright agent`.
 *
 * Ending without losing a request: the Pod is taken out of the load balancer when it is told to end, but not everywhere at once. So it
 * goes on as if nothing had happened for `endpointSeconds`, and then lets open connections come to their end for
 * `drainSeconds`. An agent drains when it gets the signal to end; Envoy would end at once, so for it the signal waits, and the
 * controller, which sees that the Pod is ending, lets it drain by way of the channel.
 */
import { bootstrapFileNames } from "../../drivers/envoy/index.ts";
import type { Fleet } from "../../translate/index.ts";
import { proxyImage, type ProxyImages } from "./proxy-image.ts";

/** `/ready` (it has taken its first full configuration) and `/metrics`, nothing else. */
export const statusPort = 19001;
/** `/healthz/ready` and nothing else: for load balancers, where the platform shows them a port. */
export const readinessPort = 19002;

export const channelFolder = "/etc/gatewright/channel";
export const bootstrapFolder = "/etc/gatewright/envoy";
/** In a folder that no other container has. */
export const adminSocket = "/tmp/admin.sock";

/** How long a load balancer may take to notice that a Pod is ending. */
export const endpointSeconds = 5;
/** For what happens after the draining. */
const spareSeconds = 5;

export interface ContainerContext {
  readonly images: ProxyImages;
  /** `host:port` of the controller's channel. */
  readonly channel: string;
}

interface ProxyContext extends ContainerContext {
  /** By a port of its own. */
  readonly tellsReadiness: boolean;
}

export const terminationSeconds = ({ settings: { drainSeconds } }: Fleet) =>
  drainSeconds === 0 ? spareSeconds : endpointSeconds + drainSeconds + spareSeconds;

export function renderProxyContainer(fleet: Fleet, context: ProxyContext) {
  const { settings, driver } = fleet;
  const isEnvoy = driver === "envoy";
  return {
    name: "proxy",
    image: settings.image ?? proxyImage(driver, context.images),
    args: isEnvoy ? envoyArguments(fleet) : agentArguments(fleet, context),
    env: [
      { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
      { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
    ],
    // Not the listeners' ports, which would only be words: a listener more must not mean other Pods.
    ports: [
      { name: "status", containerPort: statusPort, protocol: "TCP" },
      ...(context.tellsReadiness
        ? [{ name: "readiness", containerPort: readinessPort, protocol: "TCP" }]
        : []),
    ],
    ...renderProbes(),
    ...(settings.drainSeconds > 0 && {
      lifecycle: {
        preStop: { sleep: { seconds: endpointSeconds + (isEnvoy ? settings.drainSeconds : 0) } },
      },
    }),
    resources: renderResources(settings.resources),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      privileged: false,
      readOnlyRootFilesystem: true,
    },
    terminationMessagePolicy: "FallbackToLogsOnError",
    volumeMounts: [
      { name: "channel", mountPath: channelFolder, readOnly: true },
      ...(isEnvoy ? [{ name: "bootstrap", mountPath: bootstrapFolder, readOnly: true }] : []),
      { name: "scratch", mountPath: "/tmp" },
    ],
  };
}

function envoyArguments({ key, settings }: Fleet): readonly string[] {
  return [
    "--config-path",
    `${bootstrapFolder}/${bootstrapFileNames.bootstrap}`,
    "--service-node",
    "$(POD_NAME)",
    "--service-cluster",
    key,
    // Hot restart is for processes that follow each other on one machine, and wants shared memory.
    "--disable-hot-restart",
    "--drain-time-s",
    String(Math.max(1, settings.drainSeconds)),
    "--log-level",
    "warn",
  ];
}

function agentArguments(
  { driver, settings }: Fleet,
  { channel, tellsReadiness }: ProxyContext,
): readonly string[] {
  return [
    "agent",
    "--driver",
    driver,
    "--channel",
    channel,
    "--certificates",
    channelFolder,
    "--name",
    "$(POD_NAME)",
    "--status",
    `0.0.0.0:${statusPort}`,
    ...(tellsReadiness ? ["--readiness", `0.0.0.0:${readinessPort}`] : []),
    ...(settings.accessLog.enabled ? ["--access-log"] : []),
  ];
}

/** A share of the node is asked for unless the settings say something, be it a limit, which then is asked for too. */
function renderResources({ requests, limits }: Fleet["settings"]["resources"]) {
  const least = { cpu: "100m", memory: "128Mi" };
  const resources = ["cpu", "memory"] as const;
  const asked = resources.flatMap((name) => {
    const value = requests[name] ?? (limits[name] === undefined ? least[name] : undefined);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const limited = resources.flatMap((name) =>
    limits[name] === undefined ? [] : [[name, String(limits[name])] as const],
  );
  return {
    ...(asked.length > 0 && { requests: Object.fromEntries(asked) }),
    ...(limited.length > 0 && { limits: Object.fromEntries(limited) }),
  };
}

// A proxy that has lost the controller stays ready: what it has is the last good configuration. So it is never restarted
// for that either: being alive means answering at all.
function renderProbes() {
  return {
    // Envoy opens its ports, this one too, with the first full configuration, however long that takes: no reason to restart it.
    startupProbe: {
      tcpSocket: { port: "status" },
      periodSeconds: 1,
      timeoutSeconds: 2,
      failureThreshold: 1_000_000,
    },
    readinessProbe: {
      httpGet: { path: "/ready", port: "status" },
      periodSeconds: 1,
      timeoutSeconds: 2,
      failureThreshold: 3,
    },
    livenessProbe: {
      tcpSocket: { port: "status" },
      periodSeconds: 10,
      timeoutSeconds: 5,
      failureThreshold: 6,
    },
  };
}
