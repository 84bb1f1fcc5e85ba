/**
 * Names of listeners as an admin turns them on: the chart's operator with the rights that it gives, proxies that answer, and a real BIND that is asked as
 * anybody would. The cases build on each other.
 */
import { spawn } from "node:child_process";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { dnsRecordKind, platformKind } from "../../src/resources/index.ts";
import { need } from "../components/need.ts";
import { startBind, type Bind } from "../dns/bind.ts";
import {
  addressOf,
  answer,
  controllersOf,
  crash,
  gatewayStatus,
  openShop,
  system,
  types,
  useChart,
} from "./installed-chart.ts";
import { until, type Lab } from "./lab.ts";

const install = useChart([
  "replicas=1",
  "proxies.driver=embedded",
  "proxyConfig.replicas=1",
  "operator.enabled=true",
  "operator.platform.crds.channel=experimental",
]);

let bind: Promise<Bind> | undefined;
afterAll(async () => (await bind?.catch(() => undefined))?.stop());

async function begin(context: TestContext): Promise<{ readonly lab: Lab; readonly names: Bind }> {
  const named = need(context, "named");
  const lab = await install(context);
  // Where Pods find it too.
  bind ??= startBind(named, {
    zones: { "example.com": "taken IN A 192.0.2.77" },
    address: "10.0.0.10",
  });
  return { lab, names: await bind };
}

const long = { seconds: 90 };

function secretOf({ credentials }: Bind, changed: Readonly<Record<string, string>> = {}) {
  const entries = [...credentials, ...Object.entries(changed)];
  const data = entries.map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "tsig", namespace: system },
    data: Object.fromEntries(data) as Readonly<Record<string, string>>,
  };
}

const setDns = (lab: Lab, dns: object | null) =>
  lab.client.patch({ ...platformKind }, "cluster", undefined, { spec: { dns } });

/** The Gateway's listeners have these hostnames and no others. */
const setHostnames = (lab: Lab, ...hostnames: readonly string[]) =>
  lab.client.patch(types.gateways, "web", "shop", {
    spec: {
      listeners: hostnames.map((hostname, i) => ({
        name: `l${i}`,
        hostname,
        port: 80,
        protocol: "HTTP",
        allowedRoutes: { namespaces: { from: "All" } },
      })),
    },
  });

const recordsIn = async (lab: Lab) => {
  const { items } = await lab.client.list({ ...dnsRecordKind });
  return items.map(({ spec }) => (spec as { dnsName: string }).dnsName).toSorted();
};

async function dnsReady(lab: Lab, listener?: string): Promise<string | undefined> {
  const { conditions, listeners } = await gatewayStatus(lab);
  const list =
    listener === undefined ? conditions : listeners.find(({ name }) => name === listener)?.conditions;
  const found = list?.find(({ type }) => type === "DNSReady");
  return found && `${found.status}/${found.reason} ${found.message}`;
}

async function says(lab: Lab, wanted: string, listener?: string): Promise<string> {
  let last: string | undefined;
  try {
    return await until(
      `DNSReady ${wanted}`,
      async () => {
        last = await dnsReady(lab, listener);
        return last?.startsWith(wanted) ? last : undefined;
      },
      long,
    );
  } catch (error) {
    throw new Error(`${(error as Error).message}; it is ${last}`, { cause: error });
  }
}

/** What each of these resolves to, joined, as soon as it is so. */
async function resolves(names: Bind, wanted: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, address] of Object.entries(wanted)) {
    await until(
      `${name} is ${address || "nothing"}`,
      async () => (await names.resolve(name)).join(" ") === address,
      long,
    );
  }
}

/** external-dns itself, with an administrator's rights, for the Gateway `other`. */
function startExternalDns(program: string, { kubeconfig }: Lab, { credentials, server }: Bind) {
  const [host, port] = server.split(":");
  const args = [
    `--kubeconfig=${kubeconfig}`,
    "--source=gateway-httproute",
    "--provider=rfc2136",
    `--rfc2136-host=${host}`,
    `--rfc2136-port=${port}`,
    "--rfc2136-zone=example.com",
    `--rfc2136-tsig-keyname=${credentials.get("keyName")}`,
    `--rfc2136-tsig-secret=${credentials.get("secret")}`,
    `--rfc2136-tsig-secret-alg=${credentials.get("algorithm")}`,
    "--rfc2136-tsig-axfr",
    "--gateway-name=other",
    "--domain-filter=example.com",
    "--txt-owner-id=lab",
    "--policy=sync",
    "--interval=1s",
  ];
  const child = spawn(program, args, { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    async stop() {
      child.kill();
      await ended;
    },
  };
}

describe("names of listeners", () => {
  it("1.12.9 row 8: DNSRecords exist for each listener, and the HTTPRoute answers by the listener's hostname", async (context) => {
    const { lab, names } = await begin(context);
    await lab.client.create(types.secrets, secretOf(names));
    await setDns(lab, {
      provider: "rfc2136",
      namespaces: ["shop"],
      baseDomain: "example.com",
      publicZone: { id: "example.com" },
      credentials: { name: "tsig", namespace: system },
      settings: { server: names.server },
    });
    const address = await openShop(lab);
    await setHostnames(lab, "*.shop.example.com", "www.example.com");
    await says(lab, "True/AllListenersReady");
    expect(await recordsIn(lab)).toEqual(["*.shop.example.com", "www.example.com"]);
    for (const host of ["any.shop.example.com", "www.example.com"]) {
      const [found] = await names.resolve(host);
      expect(found).toBe(address);
      await until(
        "an answer",
        async () => (await answer(`http://${found}/`, undefined, host)) === "200",
        long,
      );
    }
    const service = await lab.client.get(types.services, "web-gatewright", "shop");
    const [record] = (await lab.client.list({ ...dnsRecordKind }, { namespace: "shop" })).items;
    expect(record?.metadata.ownerReferences).toMatchObject([
      { kind: "Service", name: "web-gatewright", uid: service?.metadata.uid },
    ]);
    const { conditions } = await gatewayStatus(lab);
    expect(conditions.map(({ type, status }) => `${type}=${status}`).toSorted()).toEqual([
      "Accepted=True",
      "DNSReady=True",
      "LoadBalancerReady=True",
      "Programmed=True",
      "ResolvedRefs=True",
    ]);
  });

  it("1.12.8 row 7: a listener's name follows it: changed, removed, and there again", async (context) => {
    const { lab, names } = await begin(context);
    const address = await addressOf(lab, "web");
    await setHostnames(lab, "*.store.example.com", "www.example.com");
    await resolves(names, {
      "any.store.example.com": address,
      "any.shop.example.com": "",
      "www.example.com": address,
    });
    await setHostnames(lab, "*.store.example.com");
    await resolves(names, { "www.example.com": "", "any.store.example.com": address });
    await until("one record", async () => (await recordsIn(lab)).join() === "*.store.example.com", long);
    expect(await names.resolve("_gatewright.www.example.com", "TXT")).toEqual([]);
    expect((await names.resolve("_gatewright-any.store.example.com", "TXT"))[0]).toMatch(
      /^heritage=gatewright,cluster=[-0-9a-f]{36},record=shop\/web-/,
    );
  });

  it("1.9.5, attack 20: names outside of the domain, and names of others, are told of and left alone", async (context) => {
    const { lab, names } = await begin(context);
    await setHostnames(lab, "taken.example.com", "www.example.org", "www.example.com");
    expect(await says(lab, "False/FailedZones", "l0")).toContain(
      "taken.example.com is A 192.0.2.77, which Gatewright has not published",
    );
    await says(lab, "Unknown/UnmanagedDNS", "l1");
    await says(lab, "True/NoFailedZones", "l2");
    expect(await says(lab, "False/SomeListenersNotReady")).toContain("l0 (FailedZones), l1 (UnmanagedDNS)");
    expect(await names.resolve("taken.example.com")).toEqual(["192.0.2.77"]);
    const events = await until("an Event", async () => {
      const found = await lab.kubectl(
        "get",
        "events",
        "-n",
        "shop",
        "-o",
        "name",
        "--field-selector=reason=DomainAlreadyInUse",
      );
      return found.trim() === "" ? undefined : found;
    });
    expect(events).toContain("event");
  });

  it("1.8.10 wrong credentials are told of with their Secret, and right ones are used at once", async (context) => {
    const { lab, names } = await begin(context);
    const wrong = Buffer.from("not the secret at all").toString("base64");
    await lab.client.apply(types.secrets, secretOf(names, { secret: wrong }), { force: true });
    let attempt = 0;
    const tryAnother = () => setHostnames(lab, `try${attempt++}.example.com`);
    await tryAnother();
    const said = await until(
      "a refusal",
      async () => {
        const told = (await dnsReady(lab, "l0")) ?? "";
        // It was published before the operator saw the Secret.
        if (told.startsWith("True/")) await tryAnother();
        return told.includes(`Secret ${system}/tsig`) ? told : undefined;
      },
      { ...long, every: 500 },
    );
    expect(said).not.toContain(wrong);
    await lab.client.apply(types.secrets, secretOf(names), { force: true });
    await says(lab, "True/AllListenersReady");
  });

  it("a controller that is killed at whatever point leaves no orphan and loses no record", async (context) => {
    const { lab, names } = await begin(context);
    const address = await addressOf(lab, "web");
    const kill = async () => {
      const [pod] = await controllersOf(lab);
      if (pod) crash(pod.metadata.name);
    };
    await setHostnames(lab, "a.example.com", "b.example.com", "c.example.com");
    await until("one of them", async () => (await recordsIn(lab)).includes("a.example.com"), long);
    await kill();
    await setHostnames(lab, "c.example.com", "e.example.com");
    await says(lab, "True/AllListenersReady");
    await resolves(names, {
      "a.example.com": "",
      "b.example.com": "",
      "c.example.com": address,
      "e.example.com": address,
    });
    const wanted = "c.example.com,e.example.com";
    await until("these records", async () => (await recordsIn(lab)).join() === wanted, long);
    for (const name of ["a", "b"]) {
      expect(await names.resolve(`_gatewright.${name}.example.com`, "TXT")).toEqual([]);
    }
  });

  it("6.5: external-dns publishes the names of our Gateways' routes, and a listener says what its name resolves to", async (context) => {
    const { lab, names } = await begin(context);
    const program = need(context, "external-dns");
    await setDns(lab, null);
    await setDns(lab, { provider: "external-dns", namespaces: ["shop"], settings: { server: names.server } });
    await says(lab, "True/Resolved", "l0");
    const route = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: other, namespace: shop }
spec:
  parentRefs: [{ name: other }]
  hostnames: [other.example.com]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`;
    await lab.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: other, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, hostname: other.example.com, port: 80, protocol: HTTP }]
---${route}`);
    const reason = async () => {
      const { listeners } = await gatewayStatus(lab, "other");
      return listeners[0]?.conditions.find(({ type }) => type === "DNSReady")?.reason;
    };
    await until("a word", async () => (await reason()) === "NotResolved", long);
    const address = await until("an address", () => addressOf(lab, "other").catch(() => undefined), long);
    const externalDns = startExternalDns(program, lab, names);
    try {
      await resolves(names, { "other.example.com": address });
      await lab.kubectl("annotate", "gateway", "other", "-n", "shop", "example.com/touched=1");
      await until("another word", async () => (await reason()) === "Resolved", long);
      expect(await recordsIn(lab)).not.toContain("other.example.com");
      await lab.delete(route);
      await resolves(names, { "other.example.com": "" });
    } finally {
      await externalDns.stop();
    }
    await lab.kubectl("delete", "gateway", "other", "-n", "shop");
  });

  it("1.12.8 row 7: a Gateway that is deleted takes its names with it", async (context) => {
    const { lab, names } = await begin(context);
    await setDns(lab, {
      provider: "rfc2136",
      namespaces: ["shop"],
      baseDomain: "example.com",
      publicZone: { id: "example.com" },
      credentials: { name: "tsig", namespace: system },
      settings: { server: names.server },
    });
    await says(lab, "True/NoFailedZones", "l0");
    await lab.kubectl("delete", "gateway", "web", "-n", "shop");
    await resolves(names, { "e.example.com": "", "taken.example.com": "192.0.2.77" });
    await until("no records", async () => (await recordsIn(lab)).length === 0, long);
    expect(await names.resolve("_gatewright.e.example.com", "TXT")).toEqual([]);
  });
});
