/** Ten thousand statuses that change at once: each is written, once, beside what others wrote, and nobody has to wait for it. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/index.ts";
import {
  answer,
  controllersOf,
  logOf,
  openShop,
  processesOf,
  Traffic,
  types,
  useChart,
  type Condition,
} from "./installed-chart.ts";
import { until, type Lab } from "./lab.ts";

const begin = useChart(["replicas=1", "proxies.driver=envoy", "proxyConfig.replicas=1"]);
const controllerName = "gatewright.dev/gateway-controller";
const count = 10_000;
/** Of docs/kubernetes.md. */
const statusesPerSecond = 500;
/** Of the chart: the shortest time-out of a probe, ms. */
const probeTimeout = 5_000;

interface Parent {
  readonly parentRef: { readonly name: string };
  readonly controllerName: string;
  readonly conditions: readonly Condition[];
}

const routeName = (index: number) => `flood-${index}`;

/** One in ten has a backend that is not there, one a hostname that its Gateway does not take. */
const routeOf = (index: number) => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "HTTPRoute",
  metadata: { name: routeName(index), namespace: "shop" },
  spec: {
    parentRefs: [{ name: "flood" }],
    hostnames: [index % 10 === 1 ? `flood-${index}.elsewhere.test` : `flood-${index}.flood.test`],
    rules: [{ backendRefs: [{ name: index % 10 === 0 ? "missing" : "echo", port: 80 }] }],
  },
});

const reasonsOf = (index: number) => [
  index % 10 === 1 ? "NoMatchingListenerHostname" : "Accepted",
  index % 10 === 0 ? "BackendNotFound" : "ResolvedRefs",
];

const gateway = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: flood, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP, hostname: "*.flood.test" }]
`;

async function inParallel(indices: readonly number[], work: (index: number) => Promise<unknown>) {
  const waiting = [...indices].reverse();
  const worker = async () => {
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) await work(index);
  };
  await Promise.all(Array.from({ length: 24 }, worker));
}

const all = Array.from({ length: count }, (_, index) => index);
/** A hundred of them. */
const each100th = (first: number) => all.filter((index) => index % 100 === first);

const parentsOf = ({ status }: KubernetesObject) =>
  ((status ?? {}) as { readonly parents?: readonly Parent[] }).parents ?? [];
const ours = (object: KubernetesObject) =>
  parentsOf(object).filter((parent) => parent.controllerName === controllerName);

const foreign = (type: string): Omit<Condition, "observedGeneration"> => ({
  type,
  status: "False",
  reason: "Elsewhere",
  message: "another controller says so",
  lastTransitionTime: "2020-01-01T00:00:00Z",
});
const theirs = {
  parentRef: { name: "elsewhere" },
  controllerName: "example.com/other",
  conditions: [foreign("Accepted")],
};
const hasTheirs = (object: KubernetesObject) =>
  parentsOf(object).some(
    (parent) =>
      parent.controllerName === theirs.controllerName &&
      JSON.stringify(parent.conditions.map(({ type, message }) => [type, message])) ===
        JSON.stringify(theirs.conditions.map(({ type, message }) => [type, message])),
  );
const audited = "example.com/Audited";

/** As a controller does that minds others: with the version that was read, and again if somebody was faster. */
async function rewriteParents(
  lab: Lab,
  index: number,
  change: (parents: readonly Parent[]) => readonly object[],
): Promise<void> {
  await until(`to write flood-${index}`, async () => {
    const object = (await lab.client.get(types.httpRoutes, routeName(index), "shop"))!;
    const { resourceVersion } = object.metadata;
    const patch = { metadata: { resourceVersion }, status: { parents: change(parentsOf(object)) } };
    return lab.client.patch(types.httpRoutes, routeName(index), "shop", patch, { subresource: "status" });
  });
}

async function floodRoutes(lab: Lab): Promise<ReadonlyMap<string, KubernetesObject>> {
  const { items } = await lab.client.list(types.httpRoutes, { namespace: "shop" });
  return new Map(items.map((object) => [object.metadata.name, object]));
}

/** Those whose status is not, or not yet, what it should be. */
function wrongOnes(objects: ReadonlyMap<string, KubernetesObject>): readonly number[] {
  return all.filter((index) => {
    const object = objects.get(routeName(index))!;
    const [entry, ...more] = ours(object);
    const reason = (type: string) => {
      const condition = entry?.conditions.find((one) => one.type === type);
      return condition?.observedGeneration === object.metadata.generation ? condition?.reason : undefined;
    };
    const isRight =
      more.length === 0 &&
      entry?.parentRef.name === "flood" &&
      JSON.stringify([reason("Accepted"), reason("ResolvedRefs")]) === JSON.stringify(reasonsOf(index));
    return !isRight;
  });
}

const statusesRight = (lab: Lab) =>
  until(
    "all statuses",
    async () => {
      const objects = await floodRoutes(lab);
      const wrong = wrongOnes(objects);
      if (wrong.length > 0) throw new Error(`${wrong.length} are not right: ${wrong.slice(0, 3).join(", ")}`);
      return objects;
    },
    { seconds: 240, every: 5_000 },
  );

/** How many statuses of routes the API server has been asked to write. */
async function writesOf(lab: Lab): Promise<number> {
  const metrics = await lab.kubectl("get", "--raw", "/metrics");
  return metrics
    .split("\n")
    .filter(
      (line) =>
        line.startsWith("apiserver_request_total{") &&
        ['resource="httproutes"', 'subresource="status"', 'verb="PATCH"'].every((word) =>
          line.includes(word),
        ),
    )
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

interface Probed {
  /** All answers that were not good. */
  readonly bad: readonly string[];
  /** The most that the controller worked before it answered, ms of processor time: others on the machine do not count. */
  readonly work: number;
}

/** Asks as a probe does. */
function watchProbe(url: string, pid: number): { stop(): Promise<Probed> } {
  let work = 0;
  const bad: string[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const before = workOf(pid);
      const result = await answer(url, undefined, undefined, 30_000);
      work = Math.max(work, workOf(pid) - before);
      if (result !== "200") bad.push(result);
      await pause(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asking;
      return { work, bad };
    },
  };
}

/** Milliseconds that a process's first thread has run. */
function workOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}

const readySince = ({ status }: KubernetesObject) =>
  (status as { readonly conditions: readonly Condition[] }).conditions.find(({ type }) => type === "Ready")
    ?.lastTransitionTime;

/** How many more were written in some seconds than the bound allows: its burst is one second's. */
function excess(objects: ReadonlyMap<string, KubernetesObject>): number {
  const written = new Map<number, number>();
  for (const object of objects.values()) {
    const [entry] = ours(object).filter(({ parentRef }) => parentRef.name === "flood");
    const at = entry?.conditions.find(({ type }) => type === "Accepted")?.lastTransitionTime;
    if (at === undefined) continue;
    const second = Date.parse(at) / 1000;
    written.set(second, (written.get(second) ?? 0) + 1);
  }
  const seconds = [...written.keys()].toSorted((a, b) => a - b);
  return Math.max(
    ...seconds.flatMap((from) => {
      let sum = 0;
      return seconds
        .filter((second) => second >= from)
        .map((second) => {
          sum += written.get(second)!;
          return sum - statusesPerSecond * (second - from + 2);
        });
    }),
  );
}

describe("ten thousand routes", () => {
  it("all get their statuses at once when their Gateway comes, and nobody has to wait for it", async (context) => {
    const lab = await begin(context);
    const web = await openShop(lab);
    const [controller] = await controllersOf(lab);
    const { podIP } = controller!["status"] as { readonly podIP: string };
    const traffic = new Traffic(`http://${web}/`, undefined, 50);
    const [pid] = processesOf(controller!.metadata.name);
    const probe = watchProbe(`http://${podIP}:19000/readyz`, pid!);
    await inParallel(all, (index) => lab.client.create(types.httpRoutes, routeOf(index)));
    await inParallel(each100th(2), (index) => rewriteParents(lab, index, (parents) => [...parents, theirs]));
    const before = await writesOf(lab);

    await lab.apply(gateway);
    // Another controller is at work at the same time.
    await inParallel(each100th(3), (index) => rewriteParents(lab, index, (parents) => [...parents, theirs]));
    const objects = await statusesRight(lab);
    const writes = (await writesOf(lab)) - before;
    const shared = [...each100th(2), ...each100th(3)];
    expect(shared.filter((index) => !hasTheirs(objects.get(routeName(index))!))).toEqual([]);
    expect(excess(objects)).toBeLessThanOrEqual(0);
    // What lost a race against the other controller was written again.
    expect(writes).toBeLessThan(count * 1.05);

    // Words of others in our own entries stay as well, when these are written again.
    const again = each100th(4);
    await inParallel(again, (index) =>
      rewriteParents(lab, index, (parents) =>
        parents.map((parent) => ({ ...parent, conditions: [...parent.conditions, foreign(audited)] })),
      ),
    );
    await inParallel(again, (index) =>
      lab.client.patch(types.httpRoutes, routeName(index), "shop", {
        spec: { hostnames: [`flood-${index}.flood.test`, `again-${index}.flood.test`] },
      }),
    );
    const after = await statusesRight(lab);
    for (const index of again) {
      const object = after.get(routeName(index))!;
      expect(object.metadata.generation).toBe(2);
      expect(ours(object)[0]!.conditions.map(({ type }) => type)).toContain(audited);
    }

    await lab.kubectl("wait", "-n", "shop", "--for=condition=Programmed", "gateway/flood", "--timeout=60s");
    const { status } = (await lab.client.get(types.gateways, "flood", "shop"))!;
    const { addresses, listeners } = status as {
      readonly addresses: readonly { readonly value: string }[];
      readonly listeners: readonly { readonly attachedRoutes: number }[];
    };
    expect(listeners[0]?.attachedRoutes).toBe(count * 0.9);
    for (const host of ["flood-2.flood.test", "flood-9999.flood.test", "again-9904.flood.test"]) {
      const url = `http://${addresses[0]!.value}/`;
      await until(host, async () => (await answer(url, undefined, host)) === "200");
    }
    expect(await traffic.stop()).toEqual({ 200: expect.any(Number) as number });
    const { work, bad } = await probe.stop();
    expect(bad).toEqual([]);
    expect(work).toBeLessThan(probeTimeout);
    // Nor has the node ever found it unready, nor has it lost its Lease.
    const [now] = await controllersOf(lab);
    expect(readySince(now!)).toBe(readySince(controller!));
    expect(logOf(lab, now!.metadata.name).split("this replica leads")).toHaveLength(2);
  }, 600_000);
});
