/**
 * The chart as a cluster admin installs it, on a real API server: the controller in the image that the Dockerfile makes, as a user without rights on a read-only file
 * system; a Gateway whose proxies are the embedded ones, in the same image, and one with Envoy.
 */
import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { renderChart } from "../../scripts/manifests.mjs";
import { parseResource } from "../../src/resources/index.ts";
import { need } from "../components/need.ts";
import { makeImageFileSystem } from "./image-file-system.ts";
import { until, useLab, type Lab } from "./lab.ts";

const run = promisify(execFile);
const image = mkdtempSync(join(tmpdir(), "gatewright-image-"));
chmodSync(image, 0o755);
afterAll(() => rmSync(image, { recursive: true, force: true }));

const useIt = useLab({
  crds: "experimental",
  components: ["helm", "echo-basic", "curl", "envoy"],
  images: {
    gatewright: {
      entrypoint: ["/usr/local/bin/node", "/app/dist/cli/main.js"],
      root: join(image, "root"),
      env: { NODE_ENV: "production" },
      workingDir: "/app",
      user: 65_532,
      group: 65_532,
    },
  },
});

let installed: Promise<Lab> | undefined;
const begin = (context: TestContext): Promise<Lab> => {
  installed ??= install(context);
  return installed;
};

async function install(context: TestContext): Promise<Lab> {
  makeImageFileSystem(join(image, "root"), need(context, "image-node"));
  const lab = await useIt(context);
  await lab.kubectl("create", "namespace", "gatewright-system");
  const values = [
    "replicas=2",
    "proxies.driver=embedded",
    "proxyConfig.replicas=2",
    "proxyConfig.drainSeconds=5",
  ];
  const chart = await renderChart(need(context, "helm"), [
    "--include-crds",
    ...values.flatMap((v) => ["--set", v]),
  ]);
  const documents = chart.split(/^---$/m);
  // As Helm does: the definitions of kinds before objects of these kinds.
  const isDefinition = (text: string) => text.includes("kind: CustomResourceDefinition");
  await lab.apply(documents.filter(isDefinition).join("---\n"));
  await lab.kubectl(
    "wait",
    "--for=condition=Established",
    "crd/proxyconfigs.gatewright.dev",
    "--timeout=30s",
  );
  await lab.apply(documents.filter((text) => !isDefinition(text)).join("---\n"));
  await lab.kubectl("rollout", "status", "deployment/gatewright", "-n", "gatewright-system", "--timeout=90s");
  return lab;
}

/** A namespace with the restricted standard, and an echo in it. */
const backend = `
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { pod-security.kubernetes.io/enforce: restricted } }
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
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: echo
          image: registry.test/echo-basic:v1
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
          readinessProbe: { httpGet: { path: /, port: 3000 }, periodSeconds: 1 }
`;

const objects = `${backend}---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: edge, namespace: shop }
spec:
  gatewayClassName: gatewright
  infrastructure: { parametersRef: { group: gatewright.dev, kind: ProxyConfig, name: edge } }
  listeners: [{ name: http, port: 80, protocol: HTTP }]
---
apiVersion: gatewright.dev/v1alpha1
kind: ProxyConfig
metadata: { name: edge, namespace: shop }
spec: { driver: envoy }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: echo, namespace: shop }
spec:
  parentRefs: [{ name: web }, { name: edge }]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`;

/** Status of the answer. A kept connection that was closed before an answer began is tried anew, as every client does. */
function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, timeout: 10_000 }, (answer) => {
      answer.resume().on("end", () => resolve(String(answer.statusCode)));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && error.code === "ECONNRESET") resolve(ask(url, agent));
      else reject(error);
    });
  });
}

const curl = async (url: string, ...more: readonly string[]) =>
  (await run("curl", ["-sS", "-m", "10", "-o", "/dev/null", "-w", "%{http_code}", ...more, url])).stdout;

const gateways = [
  ["web", "embedded"],
  ["edge", "envoy"],
] as const;

async function addressOf(lab: Lab, gateway: string): Promise<string> {
  const path = "jsonpath={.status.addresses[0].value}";
  return `http://${await lab.kubectl("get", "gateway", gateway, "-n", "shop", "-o", path)}/`;
}

async function podsOf(lab: Lab, gateway: string): Promise<readonly string[]> {
  const label = `gateway.networking.k8s.io/gateway-name=${gateway}`;
  return (await lab.kubectl("get", "pods", "-n", "shop", "-l", label, "-o", "name")).trim().split("\n");
}

/** Of the lab, all of them are in its /proc. */
function processesOf(command: string): readonly string[] {
  const start = ["/usr/local/bin/node", "/app/dist/cli/main.js", command, ""].join("\0");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => `/proc/${name}`)
    .filter((folder) => {
      try {
        return readFileSync(`${folder}/cmdline`, "utf8").startsWith(start);
      } catch {
        // It has just ended.
        return false;
      }
    });
}

describe("the chart's controller", () => {
  it("runs as a user without rights on the image's file system, which has no shell and cannot be written", async (context) => {
    await begin(context);
    const controllers = processesOf("controller");
    expect(controllers).toHaveLength(2);
    for (const folder of controllers) {
      const root = join(folder, "root");
      expect(readFileSync(`${folder}/status`, "utf8")).toMatch(/^Uid:(?:\s+65532){4}$/m);
      expect(readFileSync(`${folder}/mountinfo`, "utf8")).toMatch(/^\d+ \d+ \S+ \S+ \/ ro\b/m);
      expect(readdirSync(join(root, "usr/local/bin"))).toEqual(["node"]);
      expect(["bin", "usr/bin", "usr/lib"].filter((path) => existsSync(join(root, path)))).toEqual([]);
    }
  });
});

describe.each(gateways)("the chart's controller and Gateway %s, driver %s", (gateway) => {
  it("serve, in a namespace with the restricted standard", async (context) => {
    const lab = await begin(context);
    await lab.apply(objects);
    const condition = "--for=condition=Programmed";
    await lab.kubectl("wait", "-n", "shop", condition, `gateway/${gateway}`, "--timeout=60s");
    const url = await addressOf(lab, gateway);
    expect(await until("an answer", async () => (await curl(url)) === "200")).toBe(true);
  });

  it("replace proxies without losing a request", async (context) => {
    const lab = await begin(context);
    const url = await addressOf(lab, gateway);
    let isOver = false;
    const answers = new Map<string, number>();
    const client = async (request: () => Promise<string>) => {
      while (!isOver) {
        const answer = await request().catch((error: Error) => error.message);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    };
    // One connects for every request, the others stay connected for as long as they are let.
    const agent = new Agent({ keepAlive: true });
    const staying = () => ask(url, agent);
    const clients = [client(() => curl(url)), client(staying), client(staying)];
    const before = await podsOf(lab, gateway);
    await lab.kubectl("rollout", "restart", `deployment/${gateway}-gatewright`, "-n", "shop");
    await until("other Pods", async () => {
      const now = await podsOf(lab, gateway);
      return now.length === before.length && !now.some((pod) => before.includes(pod));
    });
    isOver = true;
    await Promise.all(clients);
    agent.destroy();
    expect(Object.fromEntries(answers)).toEqual({ 200: expect.any(Number) as number });
    expect(answers.get("200")).toBeGreaterThan(100);
  });

  it("remove everything when it goes", async (context) => {
    const lab = await begin(context);
    await lab.kubectl("delete", "gateway", gateway, "-n", "shop");
    const kinds = "deployment,service,serviceaccount,configmap,secret,poddisruptionbudget,pod";
    const label = `gateway.networking.k8s.io/gateway-name=${gateway}`;
    const left = () => lab.kubectl("get", kinds, "-n", "shop", "-l", label, "-o", "name");
    expect(await until("nothing", async () => (await left()).trim() === "")).toBe(true);
  });
});

const patience = { seconds: 90, every: 500 };

const logged = (isEnabled: boolean) => `---
apiVersion: gatewright.dev/v1alpha1
kind: ProxyConfig
metadata: { name: logged, namespace: shop }
spec: { driver: envoy, replicas: 1, accessLog: { enabled: ${isEnabled} } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: logged, namespace: shop }
spec:
  gatewayClassName: gatewright
  infrastructure: { parametersRef: { group: gatewright.dev, kind: ProxyConfig, name: logged } }
  listeners: [{ name: http, port: 80, protocol: HTTP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: logged, namespace: shop }
spec:
  parentRefs: [{ name: logged }]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`;

describe("the access log of an Envoy that runs", () => {
  it("falls silent when it is switched off", async (context) => {
    const lab = await begin(context);
    await lab.apply(backend);
    await lab.apply(logged(true));
    const condition = "--for=condition=Programmed";
    await lab.kubectl("wait", "-n", "shop", condition, "gateway/logged", "--timeout=60s");
    const url = await addressOf(lab, "logged");
    await until("an answer", async () => (await curl(`${url}heard`)) === "200", patience);
    const pods = await podsOf(lab, "logged");
    const isLogged = async (path: string) =>
      (await lab.kubectl("logs", "-n", "shop", pods[0]!)).includes(`"/${path}"`);
    await until("a record", () => isLogged("heard"), patience);

    await lab.apply(logged(false));
    for (let turn = 0, path = "heard"; await isLogged(path); turn++) {
      expect(turn).toBeLessThan(10);
      path = `unheard-${turn}`;
      expect(await curl(`${url}${path}`)).toBe("200");
      // Envoy writes what it has to say every ten seconds.
      await pause(12_000);
    }
    expect(await podsOf(lab, "logged")).toEqual(pods);
    await lab.kubectl("delete", "gateway/logged", "httproute/logged", "proxyconfig/logged", "-n", "shop");
  }, 300_000);
});

const ingress = (name: string, annotations: string) => `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${name}, namespace: shop, annotations: { ${annotations} } }
spec:
  ingressClassName: gatewright
  rules:
    - host: ${name}.test
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: echo, port: { number: 80 } } } }] }
`;

/** Specs that the API server refuses are refused by our schema too, and the other way round. */
const specs: readonly object[] = [
  { defaultBackend: { service: { name: "web", port: { name: "http" } } } },
  { defaultBackend: { service: { name: "web", port: { name: "http", number: 80 } } } },
  { defaultBackend: { resource: { kind: "Bucket", name: "icons" } } },
  { rules: [] },
  { rules: [{ host: "192.0.2.1" }] },
  { rules: [{ host: "*.example.com" }] },
  { rules: [{ host: "a.*.example.com" }] },
  ...["/a", "a", "/a/../b", "/a//b", "/(.*)", ""].flatMap((path) =>
    ["Exact", "Prefix", "ImplementationSpecific"].map((pathType) => ({
      rules: [
        {
          http: { paths: [{ path, pathType, backend: { service: { name: "web", port: { number: 80 } } } }] },
        },
      ],
    })),
  ),
];

describe("the chart's IngressClass", () => {
  it("has Ingresses that our schema reads as the API server does", async (context) => {
    const lab = await begin(context);
    const objectsWith = specs.map((spec, index) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: `spec-${index}`, namespace: "default" },
      spec,
    }));
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: objectsWith });
    const file = join(image, "specs.json");
    writeFileSync(file, list);
    const named = await lab
      .kubectl("create", "--dry-run=server", "-o", "name", "-f", file)
      .catch((error: { stdout?: string }) => error.stdout ?? "");
    const accepted = new Set(
      named
        .trim()
        .split("\n")
        .map((line) => line.replace(/^.*\//, "")),
    );
    expect(accepted.size).toBeGreaterThan(5);
    const differing = objectsWith.filter(
      (object) => (parseResource(object).outcome === "resource") !== accepted.has(object.metadata.name),
    );
    expect(differing).toEqual([]);
  });

  it("5.20 serves Ingresses, says where, and tells in an Event that a snippet is refused", async (context) => {
    const lab = await begin(context);
    const snippet = 'nginx.ingress.kubernetes.io/configuration-snippet: "return 200;"';
    await lab.apply(`${objects}---${ingress("plain", "")}---${ingress("snippet", snippet)}`);
    const field = (path: string) =>
      lab.kubectl("get", "ingress", "plain", "-n", "shop", "-o", `jsonpath={${path}}`);
    const address = await until("an address", () => field(".status.loadBalancer.ingress[0].ip"));
    const answer = (host: string) => curl(`http://${address}/`, "-H", `Host: ${host}`);
    expect(await until("an answer", async () => (await answer("plain.test")) === "200")).toBe(true);
    expect(await answer("snippet.test")).toBe("500");
    const told = () =>
      lab.kubectl(
        "get",
        "events.events.k8s.io",
        "-n",
        "shop",
        "-o",
        "jsonpath={range .items[*]}{.regarding.name} {.reason}{'\\n'}{end}",
      );
    expect(await until("an Event", async () => (await told()).includes("snippet SnippetRefused"))).toBe(true);
    await lab.kubectl("delete", "ingress", "--all", "-n", "shop");
    const label = "gateway.networking.k8s.io/gateway-name=ingress";
    const left = () =>
      lab.kubectl("get", "deployment,service", "-n", "gatewright-system", "-l", label, "-o", "name");
    expect(await until("nothing", async () => (await left()).trim() === "")).toBe(true);
  });
});

/** As much of Contour's CRDs as matters here. */
const contourCrd = (kind: string, plural: string) => `
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.projectcontour.io }
spec:
  group: projectcontour.io
  names: { kind: ${kind}, listKind: ${kind}List, plural: ${plural}, singular: ${kind.toLowerCase()} }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

const httpProxy = `
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: echo, namespace: shop }
spec:
  ingressClassName: gatewright
  virtualhost: { fqdn: proxy.example.com }
  routes: [{ services: [{ name: echo, port: 80 }] }]
`;

describe("an HTTPProxy", () => {
  it("is served once its CRD is there, by proxies of a Gateway that nobody wrote", async (context) => {
    const lab = await begin(context);
    await lab.apply(backend);
    await lab.apply(
      contourCrd("HTTPProxy", "httpproxies") +
        contourCrd("TLSCertificateDelegation", "tlscertificatedelegations"),
    );
    const crd = "crd/httpproxies.projectcontour.io";
    await lab.kubectl("wait", "--for=condition=Established", crd, "--timeout=30s");
    await lab.apply(httpProxy);
    const field = (path: string) =>
      lab.kubectl("get", "httpproxy", "echo", "-n", "shop", "-o", `jsonpath={${path}}`);
    const address = await until("an address", () => field(".status.loadBalancer.ingress[0].ip"), {
      seconds: 120,
    });
    expect(await field(".status.currentStatus")).toBe("valid");
    const host = ["-H", "Host: proxy.example.com"];
    await until("an answer", async () => (await curl(`http://${address}/`, ...host)) === "200");
    expect(await lab.kubectl("get", "gateways", "-n", "gatewright-system", "-o", "name")).toBe("");

    await lab.kubectl("delete", "httpproxy", "echo", "-n", "shop");
    const fleet = ["-n", "gatewright-system", "-l", "gateway.networking.k8s.io/gateway-name=ingress"];
    await until("nothing to be left", async () => {
      const left = await lab.kubectl("get", "deployments,services,secrets", ...fleet, "-o", "name");
      return left.trim() === "";
    });
  });
});
