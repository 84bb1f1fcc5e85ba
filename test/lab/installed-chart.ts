// The chart in a lab, as an admin installs it, with what tests of faults need besides: a shop with a route, clients that never
// stop asking, and hands on the processes of Pods.

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { get as getSafely } from "node:https";
import { promisify } from "node:util";
import type { TestContext } from "vitest";
import { renderChart } from "../../scripts/manifests.mjs";
import type { KubernetesObject, ResourceType } from "../../src/kubernetes/index.ts";
import { need } from "../components/need.ts";
import { until, useLab, type Lab } from "./lab.ts";

export const run = promisify(execFile);
export const system = "gatewright-system";

const type = (group: string, plural: string, kind: string): ResourceType => ({
  group,
  version: "v1",
  plural,
  kind,
  namespaced: true,
});
export const types = {
  gateways: type("gateway.networking.k8s.io", "gateways", "Gateway"),
  httpRoutes: type("gateway.networking.k8s.io", "httproutes", "HTTPRoute"),
  leases: type("coordination.k8s.io", "leases", "Lease"),
  pods: type("", "pods", "Pod"),
  secrets: type("", "secrets", "Secret"),
  services: type("", "services", "Service"),
  deployments: type("apps", "deployments", "Deployment"),
};

/** A lab with the chart in it, for all tests of a file. `values` as for `helm --set`; `namespaces` are there before it. */
export function useChart(
  values: readonly string[],
  namespaces: readonly string[] = [],
): (context: TestContext) => Promise<Lab> {
  const lab = useLab({ crds: "experimental", components: ["helm", "echo-basic", "curl", "envoy"] });
  let installed: Promise<Lab> | undefined;
  return async (context) => {
    const cluster = await lab(context);
    installed ??= (async () => {
      for (const namespace of [system, ...namespaces])
        await cluster.kubectl("create", "namespace", namespace);
      const flags = ["--include-crds", ...values.flatMap((value) => ["--set", value])];
      const documents = (await renderChart(need(context, "helm"), flags)).split(/^---$/m);
      // As Helm does: the definitions of kinds before objects of these kinds.
      const isDefinition = (text: string) => text.includes("kind: CustomResourceDefinition");
      await cluster.apply(documents.filter(isDefinition).join("---\n"));
      await cluster.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s");
      await cluster.apply(documents.filter((text) => !isDefinition(text)).join("---\n"));
      await cluster.kubectl("rollout", "status", "deployment/gatewright", "-n", system, "--timeout=120s");
      return cluster;
    })();
    return installed;
  };
}

/** Namespace `shop`: Gateway `web` with two proxies, a route to an echo. */
export const shop = `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: echo, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
---
apiVersion: v1
kind: Service
metadata: { name: echo, namespace: shop }
spec: { selector: { app: echo }, ports: [{ port: 80, targetPort: 3000 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: echo, namespace: shop }
spec:
  selector: { matchLabels: { app: echo } }
  template:
    metadata: { labels: { app: echo } }
    spec:
      containers:
        - name: echo
          image: registry.test/echo-basic:v1
          readinessProbe: { httpGet: { path: /, port: 3000 }, periodSeconds: 1 }
`;

/** Makes the shop and waits until it answers. Resolves to the Gateway's address. */
export async function openShop(lab: Lab, more = ""): Promise<string> {
  await lab.apply(`${shop}${more}`);
  await lab.kubectl("wait", "-n", "shop", "--for=condition=Programmed", "gateway/web", "--timeout=90s");
  const address = await addressOf(lab, "web");
  await until("an answer", async () => (await answer(`http://${address}/`)) === "200", { seconds: 60 });
  return address;
}

export async function addressOf(lab: Lab, gateway: string): Promise<string> {
  const { status } = (await lab.client.get(types.gateways, gateway, "shop")) as unknown as {
    status: { addresses: readonly { value: string }[] };
  };
  return status.addresses[0]!.value;
}

export function podsOf(lab: Lab, gateway: string): Promise<readonly KubernetesObject[]> {
  const labelSelector = `gateway.networking.k8s.io/gateway-name=${gateway}`;
  return lab.client.list(types.pods, { namespace: "shop", labelSelector }).then(({ items }) => items);
}

export function controllersOf(lab: Lab): Promise<readonly KubernetesObject[]> {
  const labelSelector = "app.kubernetes.io/name=gatewright";
  return lab.client.list(types.pods, { namespace: system, labelSelector }).then(({ items }) => items);
}

/** The Pod of the controller that leads. */
export async function leaderOf(lab: Lab): Promise<string> {
  const lease = await lab.client.get(types.leases, "gatewright-controller", system);
  const { holderIdentity = "" } = (lease?.["spec"] ?? {}) as { readonly holderIdentity?: string };
  return holderIdentity.split("_")[0] ?? "";
}

/** Processes of a Pod, which are seen from here. */
export function processesOf(pod: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) =>
      environmentOf(pid).some((line) => line === `POD_NAME=${pod}` || line === `HOSTNAME=${pod}`),
    )
    .map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Ends all of a Pod's processes as a crash does. */
export function crash(pod: string): void {
  const pids = processesOf(pod);
  if (pids.length === 0) throw new Error(`Pod ${pod} has no processes.`);
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended with its parent.
    }
  }
}

/** Runs a program in a Pod's network. */
export function inNetworkOf(pod: string, command: string, ...args: readonly string[]) {
  const [pid] = processesOf(pod);
  return run("nsenter", ["--net", "--target", String(pid), command, ...args]);
}

/**
 * The status of an answer, or what went wrong; on a connection of its own unless there is an agent. A kept connection that was closed before an
 * answer began is tried anew, as every client does. `timeout`: ms without a sign of life.
 */
export function answer(url: string, agent?: Agent, host?: string, timeout = 10_000): Promise<string> {
  return new Promise((resolve) => {
    const headers = host === undefined ? {} : { host };
    const request = get(url, { agent: agent ?? false, headers, timeout }, (response) => {
      response.on("error", (error) => resolve(error.message));
      response.resume().on("end", () => resolve(String(response.statusCode)));
    });
    request.on("timeout", () => request.destroy(new Error("timeout")));
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (agent && request.reusedSocket && error.code === "ECONNRESET")
        resolve(answer(url, agent, host, timeout));
      else resolve(error.message);
    });
  });
}

/** Asks without end, in so many ways at once, and counts the answers. */
class Asking {
  readonly answers = new Map<string, number>();
  readonly #clients: readonly Promise<void>[];
  readonly #pause: number;
  #isOver = false;

  /** `milliseconds` between an answer and the next request. */
  constructor(requests: readonly (() => Promise<string>)[], milliseconds = 5) {
    this.#pause = milliseconds;
    this.#clients = requests.map((request) => this.#ask(request));
  }

  /** Resolves to how often each answer came. */
  async stop(): Promise<Readonly<Record<string, number>>> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    return Object.fromEntries(this.answers);
  }

  async #ask(request: () => Promise<string>): Promise<void> {
    while (!this.#isOver) {
      const result = await request();
      this.answers.set(result, (this.answers.get(result) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, this.#pause));
    }
  }
}

/** One connects for every request, one stays connected for as long as it is let. */
export class Traffic extends Asking {
  readonly #agent: Agent;

  constructor(url: string, host?: string, milliseconds?: number) {
    const agent = new Agent({ keepAlive: true });
    super(
      [undefined, agent].map((one) => () => answer(url, one, host)),
      milliseconds,
    );
    this.#agent = agent;
  }

  /** It also leaves: one that stays and asks nothing cannot be asked to leave, and would be counted by a later test. */
  override async stop(): Promise<Readonly<Record<string, number>>> {
    const answers = await super.stop();
    this.#agent.destroy();
    return answers;
  }
}

/** A new TLS connection for every request. */
export class TlsTraffic extends Asking {
  constructor(address: string, host: string, port = 443) {
    super([() => tlsAnswer(address, host, port)]);
  }
}

export function tlsAnswer(address: string, host: string, port = 443): Promise<string> {
  return new Promise((resolve) => {
    const options = { host: address, port, servername: host, headers: { host }, rejectUnauthorized: false };
    const request = getSafely({ ...options, agent: false, timeout: 10_000 }, (response) => {
      response.on("error", (error) => resolve(error.message));
      response.resume().on("end", () => resolve(String(response.statusCode)));
    });
    request.on("timeout", () => request.destroy(new Error("timeout")));
    request.on("error", (error) => resolve(error.message));
  });
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number;
  readonly lastTransitionTime: string;
}

export interface GatewayStatus {
  readonly addresses?: readonly { readonly value: string }[];
  readonly conditions: readonly Condition[];
  readonly listeners: readonly {
    readonly name: string;
    readonly attachedRoutes: number;
    readonly conditions: readonly Condition[];
  }[];
}

export async function gatewayStatus(lab: Lab, name = "web"): Promise<GatewayStatus> {
  const gateway = await lab.client.get(types.gateways, name, "shop");
  return gateway?.["status"] as GatewayStatus;
}

export function programmedOf({ conditions }: { readonly conditions: readonly Condition[] }): Condition {
  const found = conditions.find((condition) => condition.type === "Programmed");
  if (!found) throw new Error("There is no condition Programmed.");
  return found;
}

/** Every state of `Programmed` that a Gateway goes through until `stop`. */
export function watchProgrammed(lab: Lab, name = "web"): { stop(): Promise<readonly string[]> } {
  const seen: string[] = [];
  let isOver = false;
  const note = (status: GatewayStatus) => {
    const { status: value, reason, lastTransitionTime } = programmedOf(status);
    const now = `${value} ${reason} ${lastTransitionTime}`;
    if (seen.at(-1) !== now) seen.push(now);
  };
  const looking = (async () => {
    while (!isOver) {
      await gatewayStatus(lab, name).then(note, () => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await looking;
      return seen;
    },
  };
}

/** Routes `<name>-<i>` of Gateway `web` with hostnames of their own, `<name>-<i>.test`. */
export function routes(name: string, count: number): string {
  const one = (i: number) => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name}-${i}, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [${name}-${i}.test]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`;
  return Array.from({ length: count }, (_, i) => one(i)).join("---");
}

/** How many routes whose names begin so have a status that accepts them, and just one. */
export async function acceptedRoutes(lab: Lab, prefix: string): Promise<number> {
  const { items } = await lab.client.list(types.httpRoutes, { namespace: "shop" });
  return items.filter(({ status, metadata }) => {
    const { parents = [] } = (status ?? {}) as {
      readonly parents?: readonly { readonly conditions: readonly Condition[] }[];
    };
    const isAccepted = ({ type: of, status: value }: Condition) => of === "Accepted" && value === "True";
    return (
      metadata.name.startsWith(prefix) && parents.length === 1 && parents[0]!.conditions.some(isAccepted)
    );
  }).length;
}

/** What a controller has logged, in all its lives. */
export function logOf(lab: Lab, pod: string): string {
  const folder = `${lab.folder}/logs/pods`;
  return readdirSync(folder)
    .filter((file) => file.includes(`_${pod}_`))
    .map((file) => readFileSync(`${folder}/${file}`, "utf8"))
    .join("");
}
