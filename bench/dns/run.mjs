// One measurement inside a lab of its own: run.mjs TASK RESULT, both files of JSON. measure.mjs starts it.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { kubernetesClient, loadCredentials } from "../../dist/kubernetes/index.js";
import { DnsOperator } from "../../dist/operator/dns/dns-operator.js";
import { kubernetesDialect, platformDns } from "../../dist/operator/dns/dns-settings.js";
import { createProvider } from "../../dist/operator/dns/providers/rfc2136/index.js";
import { customResourceDefinition, dnsRecordKind } from "../../dist/resources/index.js";
import { startCluster } from "../../test/lab/cluster.mjs";
import { until } from "../../test/lab/processes.mjs";
import { gateways as gatewayType, namespace, services as serviceType } from "../cluster/objects.mjs";
import { inParallel } from "../cluster/world.mjs";
import { pause } from "../process-cost.mjs";

const [taskFile, resultFile] = process.argv.slice(2);
const { named, gateways, hostnames } = JSON.parse(readFileSync(taskFile, "utf8"));
const say = (text) => process.stderr.write(`  ${text}\n`);
const controllerName = "gatewright.dev/bench";
const domain = "example.com";
const port = 5353;
const key = { keyName: "bench", secret: randomBytes(32).toString("base64"), algorithm: "hmac-sha256" };

const gatewayName = (i) => `gateway-${i}`;
const addressOf = (i) => `198.18.${i >> 8}.${i & 255}`;
const hostnameOf = (i, j) => `app-${j}.gateway-${i}.${domain}`;
const cluster = await startCluster();
const bind = await startBind();
const resolver = new Resolver({ timeout: 5_000, tries: 4 });
resolver.setServers([`127.0.0.1:${port}`]);
const phases = [];
try {
  await cluster.installCrds("standard");
  await cluster.apply(JSON.stringify(customResourceDefinition(dnsRecordKind)));
  await cluster.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s");
  await cluster.kubectl("create", "namespace", namespace);
  await cluster.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: bench }
spec: { controllerName: ${controllerName} }
---
apiVersion: v1
kind: Secret
metadata: { name: tsig, namespace: ${namespace} }
stringData: ${JSON.stringify(key)}
`);
  const client = await connect("bench");
  await inParallel(gateways, (i) => makeGateway(client, i));
  say(`${gateways} Gateways made`);

  let operator = await startOperator();
  await phase("1,000 Gateways at once", operator, async () => {
    await untilRecords(
      client,
      (records) => records.length === gateways * hostnames && records.every(isPublished),
    );
  });
  await operator.stop();
  operator = await startOperator();
  await phase("the operator starts again", operator, () => untilCalm());
  await phase("a hostname of one Gateway changes", operator, async () => {
    await setHostnames(client, 0, [hostnameOf(0, "new"), hostnameOf(0, 1), hostnameOf(0, 2)]);
    await until("the new name", async () => (await resolve(hostnameOf(0, "new"))) === addressOf(0));
    await until("the old one", async () => (await resolve(hostnameOf(0, 0))) === undefined);
  });
  await phase("1,000 Gateways go", operator, async () => {
    await inParallel(gateways, async (i) => {
      await client.delete(gatewayType, gatewayName(i), namespace);
      await client.delete(serviceType, gatewayName(i), namespace);
    });
    await untilRecords(client, (records) => records.length === 0);
  });
  await operator.stop();
  writeFileSync(resultFile, JSON.stringify({ phases, load: loadavg()[1] }));
} finally {
  bind.kill();
  await cluster.stop();
}
// What is still open is of no interest.
process.exit(0);

async function connect(userAgent) {
  const credentials = await loadCredentials({ kubeconfig: cluster.kubeconfig });
  return kubernetesClient({ credentials, userAgent, fieldManager: userAgent });
}

async function makeGateway(client, i) {
  const metadata = { name: gatewayName(i), namespace };
  const listeners = Array.from({ length: hostnames }, (_, j) => ({
    name: `l${j}`,
    port: 80,
    protocol: "HTTP",
    hostname: hostnameOf(i, j),
  }));
  const apiVersion = "gateway.networking.k8s.io/v1";
  const gateway = await client.create(gatewayType, {
    apiVersion,
    kind: "Gateway",
    metadata,
    spec: { gatewayClassName: "bench", listeners },
  });
  const owner = { apiVersion, kind: "Gateway", name: metadata.name, uid: gateway.metadata.uid };
  await client.create(serviceType, {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      ...metadata,
      labels: { [kubernetesDialect.gatewayLabel]: metadata.name },
      ownerReferences: [owner],
    },
    // Of a class that is nobody's: the address is set here.
    spec: {
      type: "LoadBalancer",
      loadBalancerClass: "example.com/bench",
      allocateLoadBalancerNodePorts: false,
      ports: [{ port: 80 }],
    },
  });
  const status = { loadBalancer: { ingress: [{ ip: addressOf(i) }] } };
  await client.patch(serviceType, metadata.name, namespace, { status }, { subresource: "status" });
}

async function setHostnames(client, i, names) {
  const listeners = names.map((hostname, j) => ({ name: `l${j}`, port: 80, protocol: "HTTP", hostname }));
  await client.patch(gatewayType, gatewayName(i), namespace, { spec: { listeners } });
}

/** The part of the operator that looks after names, with a provider whose calls are noted. */
async function startOperator() {
  const client = await connect("gatewright");
  const calls = [];
  const dns = new DnsOperator({
    client,
    controllerNames: [controllerName],
    dialect: kubernetesDialect,
    canWrite: () => true,
    written: () => undefined,
    trouble: (where, message) => message && say(`${where}: ${message}`),
    fault: (error) => say(String(error)),
    loadProvider: () => Promise.resolve({ createProvider: (given) => noted(createProvider(given), calls) }),
  });
  dns.use(
    platformDns({
      provider: "rfc2136",
      namespaces: [namespace],
      baseDomain: domain,
      publicZone: { id: domain },
      credentials: { name: "tsig", namespace },
      settings: { server: `127.0.0.1:${port}` },
    }),
  );
  const stop = async () => {
    await dns.stop();
    await client.close();
  };
  return { dns, calls, stop };
}

function noted(provider, calls) {
  return {
    name: provider.name,
    maxChanges: provider.maxChanges,
    look: (zone, names) => {
      calls.push({ call: "look", names });
      return provider.look(zone, names);
    },
    change: (zone, changes) => {
      calls.push({
        call: "change",
        names: changes.map(({ type, set }) => `${type} ${set.name} ${set.type}`),
      });
      return provider.change(zone, changes);
    },
    stop: () => provider.stop(),
  };
}

async function phase(what, { calls }, work) {
  calls.length = 0;
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  // Whatever comes late is still counted.
  await untilCalm();
  const client = await connect("bench");
  const { items } = await client.list(dnsRecordKind);
  const resolved = await countResolved();
  const entry = {
    what,
    wall,
    cpu: (user + system) / 1000,
    calls: {
      look: calls.filter(({ call }) => call === "look").length,
      change: calls.filter(({ call }) => call === "change").length,
      repeated: repeated(calls, "look") + repeated(calls, "change"),
    },
    records: items.length,
    resolved,
  };
  say(JSON.stringify(entry));
  phases.push(entry);
}

/** This process has had next to nothing to do for two seconds. */
async function untilCalm() {
  for (let calm = 0; calm < 2;) {
    const before = process.cpuUsage();
    await pause(1000);
    const { user, system } = process.cpuUsage(before);
    calm = user + system < 50_000 ? calm + 1 : 0;
  }
}

function repeated(calls, wanted) {
  const names = calls.filter(({ call }) => call === wanted).flatMap(({ names: some }) => some);
  return names.length - new Set(names).size;
}

async function untilRecords(client, isSo) {
  await until("all DNSRecords", async () => isSo((await client.list(dnsRecordKind, { namespace })).items), {
    seconds: 900,
    every: 1000,
  });
}

function isPublished({ status }) {
  return (status?.zones ?? []).some(({ conditions = [] }) =>
    conditions.some((one) => one.type === "Published" && one.status === "True"),
  );
}

async function countResolved() {
  let count = 0;
  await inParallel(gateways, async (i) => {
    for (let j = 0; j < hostnames; j++) if ((await resolve(hostnameOf(i, j))) === addressOf(i)) count++;
  });
  return count;
}

async function resolve(name) {
  try {
    return (await resolver.resolve4(name))[0];
  } catch (error) {
    if (error.code === "ENOTFOUND" || error.code === "ENODATA") return undefined;
    throw error;
  }
}

async function startBind() {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-bind-"));
  writeFileSync(
    join(folder, "zone"),
    "$TTL 60\n@ IN SOA ns hostmaster 1 3600 600 86400 5\n@ IN NS ns\nns IN A 127.0.0.1\n",
  );
  writeFileSync(
    join(folder, "named.conf"),
    `options { directory "${folder}"; pid-file none; session-keyfile none; recursion no; dnssec-validation no;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; };
controls { };
key "${key.keyName}" { algorithm ${key.algorithm}; secret "${key.secret}"; };
zone "${domain}" { type primary; file "zone"; allow-update { key "${key.keyName}"; }; };
`,
  );
  const child = spawn(named, ["-g", "-n", "1", "-c", join(folder, "named.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  await new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`named has ended:\n${said}`)));
    child.stderr.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-10_000);
      if (/\brunning$/m.test(said)) resolve();
    });
  });
  return child;
}
