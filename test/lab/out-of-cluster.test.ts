/**
 * GEP-3951 on a real API server: the operator holds the CRDs with the fields of the gates, and a gateway in a network of its own, outside of the
 * cluster's, reads the cluster's objects by a kubeconfig and reaches a workload behind its mesh peer.
 */
import { execFile, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { DefaultMesh } from "../../src/controller/cluster/default-mesh.ts";
import { clusterSource, localGateway, meshPeerSource } from "../../src/controller/index.ts";
import type { ResourceType } from "../../src/kubernetes/index.ts";
import { gatedBundle } from "../../src/operator/crds/gated-bundle.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { program, RunningProgram } from "../features/cli/program.ts";
import { httpBackend } from "../features/support/backends.ts";
import { secret } from "../features/support/objects.ts";
import { useOperator } from "../operator/operator-lab.ts";
import { askPlatform, crdsIn, namesOf, pinnedBundle, platformIs, specsOf } from "../operator/platform.ts";
import { until, type Lab } from "./lab.ts";

const { begin, run } = useOperator();
const both = { GatewayExtraMinimalOCG: true, MeshExtraMinimalOCG: true };
const gated = gatedBundle(pinnedBundle(), ["GatewayExtraMinimalOCG", "MeshExtraMinimalOCG"]).channels
  .standard;
const xMeshes: ResourceType = {
  group: "gateway.networking.x-k8s.io",
  version: "v1alpha1",
  plural: "xmeshes",
  kind: "XMesh",
  namespaced: false,
};
const controllerName = "gatewright.dev/out-of-cluster";
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` };
const ip = (...args: readonly string[]) => promisify(execFile)("ip", [...args], { env });

describe("the operator", () => {
  it("4.17, 4.18: holds the pinned CRDs plus the fields while the gates are on, and says that there is no way on", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    await platformIs(lab, "Upgradeable=True/Upgradeable", "Degraded=False/AsExpected");
    await askPlatform(lab, { featureGates: both });
    await platformIs(lab, "Upgradeable=False/ExperimentalGates", "GatewayAPICRDsCompliant=True/VersionMatch");
    const found = await crdsIn(lab.client);
    expect(namesOf(found)).toEqual(namesOf(gated.crds));
    expect(specsOf(found)).toEqual(specsOf(gated.crds));
    const gateways = found.find(({ metadata }) => metadata.name.startsWith("gateways."));
    expect(gateways?.metadata.annotations).toMatchObject({
      "gateway.networking.k8s.io/channel": "experimental",
      "gatewright.dev/gates": "GatewayExtraMinimalOCG",
    });
    await lab.apply(gateway("stored", 80));
    const stored = JSON.parse(await lab.kubectl("get", "gateway", "stored", "-n", "edge", "-o", "json")) as {
      spec: { mesh: unknown };
    };
    expect(stored.spec.mesh).toEqual({
      trustBundle: {
        kind: "ConfigMap",
        name: "mesh-ca",
        namespace: "mesh-system",
        bundleKey: "ca-bundle.crt",
      },
      labelSelector: { matchLabels: { mesh: "one" } },
    });

    await askPlatform(lab, { featureGates: { GatewayExtraMinimalOCG: false, MeshExtraMinimalOCG: false } });
    await platformIs(lab, "Upgradeable=True/Upgradeable", "GatewayAPICRDsCompliant=True/VersionMatch");
    const [again] = (await crdsIn(lab.client)).filter(({ metadata }) =>
      metadata.name.startsWith("gateways."),
    );
    expect(specsOf([again!])).toEqual(
      specsOf(
        pinnedBundle().channels.standard.crds.filter(({ metadata }) => metadata.name.startsWith("gateways.")),
      ),
    );
    await lab.kubectl("delete", "gateway", "stored", "-n", "edge");
  });
});

describe("a gateway outside of the cluster", () => {
  it("4.7, 4.9, 4.12, 4.19, 4.20: reads the cluster's objects, and reaches a meshed workload by mutual TLS", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await askPlatform(lab, { featureGates: both });
    await operator.served;
    await platformIs(lab, "Upgradeable=False/ExperimentalGates", "GatewayAPICRDsCompliant=True/VersionMatch");

    const [meshCa, gatewayCa] = [await makeCa({ name: "mesh" }), await makeCa({ name: "gateways" })];
    const workload = await makeCertificate({ ca: meshCa, names: ["web"] });
    const shown = await makeCertificate({ ca: gatewayCa, clientAuth: true });
    await makeMesh(lab);
    await lab.apply(
      objects + bundle("mesh-ca", meshCa.certificate) + bundle("ocg-ca", gatewayCa.certificate),
    );
    await lab.apply(secret("workload", workload) + secret("gateway", shown, "edge"));
    await lab.apply(gateway("web", 8080) + gateway("denied", 8081, "vault"));

    const web = await httpBackend("web");
    await startPeer(lab, web.port);
    const outside = await makeOutside();
    const flags = `--address ${outside.address} --admin off --gate GatewayExtraMinimalOCG --gate MeshExtraMinimalOCG`;
    const gatewayProgram = outside.start("run", "--kubeconfig", await accountOf(lab), ...flags.split(" "));
    await gatewayProgram.find(/Ctrl-C stops/);
    const status = (port = 8080) =>
      fetch(`http://${outside.address}:${port}/`).then(
        (answer) => answer.status,
        () => 0,
      );
    await until("an answer of the workload", async () => (await status()) === 200, { seconds: 60 });
    expect(web.requests.at(-1)?.tls).toBeUndefined();
    expect(await condition(lab, "web", "MeshTrust")).toContain("True Experimental");
    expect(await lab.kubectl("get", "xmesh", "gatewright", "-o", conditionPath("Accepted"))).toContain(
      "True Accepted",
    );
    expect(
      await lab.kubectl("get", "xmesh", "gatewright", "-o", "jsonpath={.status.supportedFeatures[*].name}"),
    ).toBe("MeshExtraMinimalOCG");

    // A bundle that we may not read is told on the Gateway, and vouches for nobody.
    await until("a word on the bundle", async () =>
      /False InvalidCACertificateRef .*vault\/mesh-ca is not valid/.test(
        await condition(lab, "denied", "MeshTrust"),
      ),
    );
    expect(await status(8081)).toBe(500);

    // Without the label it is plain text, which the peer does not take; with it, all is well again.
    const before = web.requests.length;
    await lab.kubectl("label", "namespace", "shop", "mesh-");
    await until("an error", async () => (await status()) >= 500, { seconds: 60 });
    const seen = web.requests.length;
    expect(await status()).toBeGreaterThanOrEqual(500);
    expect(web.requests).toHaveLength(seen);
    expect(seen).toBeGreaterThanOrEqual(before);
    await lab.kubectl("label", "namespace", "shop", "mesh=one");
    await until("an answer again", async () => (await status()) === 200, { seconds: 60 });
    expect(await gatewayProgram.stop("SIGTERM")).toBe(0);
  });
});

const gateway = (name: string, port: number, bundles = "mesh-system") => `
---
apiVersion: v1
kind: Namespace
metadata: { name: edge }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: ${name}, namespace: edge }
spec:
  gatewayClassName: outside
  listeners: [{ name: http, port: ${port}, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }]
  tls: { backend: { clientCertificateRef: { name: gateway } } }
  mesh:
    trustBundle: { name: mesh-ca, namespace: ${bundles} }
    labelSelector: { matchLabels: { mesh: one } }
`;

const bundle = (name: string, certificates: string) => `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: mesh-system }
data: { ca-bundle.crt: ${JSON.stringify(certificates)} }
`;

/** The endpoint is a machine of the cluster: what is outside can reach it. */
const objects = `
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { mesh: one } }
---
apiVersion: v1
kind: Namespace
metadata: { name: mesh-system }
---
apiVersion: v1
kind: Namespace
metadata: { name: vault }
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: outside }
spec: { controllerName: ${controllerName} }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec:
  parentRefs: [{ name: web, namespace: edge }, { name: denied, namespace: edge }]
  rules: [{ backendRefs: [{ name: web, port: 80 }] }]
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { ports: [{ port: 80, targetPort: 15443 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, namespace: shop, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ port: 15443 }]
endpoints: [{ addresses: [10.0.0.10] }]
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: gateway, namespace: edge }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: outside-gateway }
rules:
  - apiGroups: [gateway.networking.k8s.io, gateway.networking.x-k8s.io]
    resources: ["*"]
    verbs: [get, list, watch, patch]
  - { apiGroups: [""], resources: [services, namespaces], verbs: [get, list, watch] }
  - { apiGroups: [discovery.k8s.io], resources: [endpointslices], verbs: [get, list, watch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: outside-gateway }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: outside-gateway }
subjects: [{ kind: ServiceAccount, name: gateway, namespace: edge }]
${["edge", "mesh-system"]
  .map(
    (namespace) => `---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: outside-gateway, namespace: ${namespace} }
rules: [{ apiGroups: [""], resources: [${namespace === "edge" ? "secrets" : "configmaps"}], verbs: [get, list, watch] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: outside-gateway, namespace: ${namespace} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: outside-gateway }
subjects: [{ kind: ServiceAccount, name: gateway, namespace: edge }]
`,
  )
  .join("")}`;

/** The mesh of our own is made, and left alone when it is there; then it says whom it trusts. */
async function makeMesh(lab: Lab): Promise<void> {
  const [written, troubles]: [string[], (string | undefined)[]] = [[], []];
  const options = {
    client: lab.client,
    written: (what: string) => written.push(what),
    trouble: (_where: string, message: string | undefined) => troubles.push(message),
  };
  const mesh = new DefaultMesh({ ...options, controllerNames: [controllerName] });
  onTestFinished(() => mesh.stop());
  mesh.want(true);
  await until("a mesh", () => written.includes("XMesh gatewright created"));
  const made = await lab.client.get(xMeshes, "gatewright");
  expect(made?.["spec"]).toEqual({ controllerName });
  expect(JSON.stringify(made?.["status"])).toContain("Waiting for controller");
  const other = new DefaultMesh({ ...options, controllerNames: ["example.com/mesh"] });
  onTestFinished(() => other.stop());
  other.want(true);
  await until("a warning", () => troubles.some((message) => message?.includes("it is left alone")));
  await lab.client.patch(xMeshes, "gatewright", undefined, {
    spec: { ocg: { trustBundle: { name: "ocg-ca", namespace: "mesh-system" } } },
  });
}

async function startPeer(lab: Lab, port: number): Promise<void> {
  const { source } = await clusterSource({
    kubeconfig: lab.kubeconfig,
    kinds: ["XMesh"],
    writes: false,
    version: "test",
  });
  const peer = localGateway({
    source: meshPeerSource(source, {
      mesh: "gatewright",
      certificate: { namespace: "shop", name: "workload" },
      listen: { address: "10.0.0.10", port: 15443 },
      workload: { address: "127.0.0.1", port },
      protocol: "http",
    }),
    driver: "embedded",
    version: "test",
  });
  onTestFinished(() => peer.stop());
  await peer.start();
}

/** A network of its own, with a wire to the cluster's. */
async function makeOutside() {
  const [address, other] = ["172.31.0.2", "172.31.0.1"];
  const commands = [
    "netns add outside",
    "link add outside type veth peer name eth0 netns outside",
    `address add ${other}/30 dev outside`,
    "link set outside up",
    "-n outside link set lo up",
    `-n outside address add ${address}/30 dev eth0`,
    "-n outside link set eth0 up",
    `-n outside route add default via ${other}`,
  ];
  for (const command of commands) await ip(...command.split(" "));
  onTestFinished(async () => {
    await ip("netns", "delete", "outside").catch(() => undefined);
  });
  return {
    address,
    start(...args: readonly string[]) {
      const child = spawn("ip", ["netns", "exec", "outside", process.execPath, program, ...args], { env });
      const running = new RunningProgram(child);
      onTestFinished(async () => {
        child.kill("SIGKILL");
        await running.ended;
      });
      return running;
    },
  };
}

/** A kubeconfig of the gateway's own account. */
async function accountOf(lab: Lab): Promise<string> {
  const token = (await lab.kubectl("create", "token", "gateway", "-n", "edge")).trim();
  const config = JSON.parse(await lab.kubectl("config", "view", "--raw", "-o", "json")) as {
    users: { user: object }[];
  };
  for (const user of config.users) user.user = { token };
  const file = join(lab.folder, "outside.kubeconfig");
  writeFileSync(file, JSON.stringify(config));
  return file;
}

function conditionPath(type: string): string {
  return `jsonpath={range .status.conditions[?(@.type=="${type}")]}{.status} {.reason} {.message}{end}`;
}

function condition(lab: Lab, name: string, type: string): Promise<string> {
  return lab.kubectl("get", "gateway", name, "-n", "edge", "-o", conditionPath(type));
}
