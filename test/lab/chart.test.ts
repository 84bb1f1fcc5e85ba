/**
 * The chart as a cluster admin installs it, on a real API server: the controller in the image that the Dockerfile makes, as a user without rights on a read-only file
 * system, and a Gateway whose proxies are the embedded ones, in the same image.
 */
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { makeImageRoot } from "../../scripts/image-root.mjs";
import { renderChart } from "../../scripts/manifests.mjs";
import { need } from "../components/need.ts";
import { until, useLab, type Lab } from "./lab.ts";

const run = promisify(execFile);
const image = mkdtempSync(join(tmpdir(), "gatewright-image-"));
chmodSync(image, 0o755);
afterAll(() => rmSync(image, { recursive: true, force: true }));

const useIt = useLab({
  crds: "experimental",
  components: ["helm", "echo-basic", "curl"],
  images: {
    gatewright: {
      entrypoint: ["/usr/local/bin/node", "/app/dist/cli/main.js"],
      files: { "/app": join(image, "app"), "/usr/local/bin/node": process.execPath },
      env: { NODE_ENV: "production" },
      user: 65_532,
    },
  },
});

let installed: Promise<Lab> | undefined;
const begin = (context: TestContext): Promise<Lab> => {
  installed ??= install(context);
  return installed;
};

async function install(context: TestContext): Promise<Lab> {
  makeImageRoot(join(image, "app"));
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

const objects = `
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { pod-security.kubernetes.io/enforce: restricted } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP }]
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
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: echo
          image: registry.test/echo-basic:v1
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
          readinessProbe: { httpGet: { path: /, port: 3000 }, periodSeconds: 1 }
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

const curl = async (url: string) =>
  (await run("curl", ["-sS", "-m", "10", "-o", "/dev/null", "-w", "%{http_code}", url])).stdout;

describe("the chart", () => {
  it("installs a controller that serves a Gateway in a namespace with the restricted standard", async (context) => {
    const lab = await begin(context);
    await lab.apply(objects);
    await lab.kubectl("wait", "-n", "shop", "--for=condition=Programmed", "gateway/web", "--timeout=60s");
    const address = await lab.kubectl(
      "get",
      "gateway",
      "web",
      "-n",
      "shop",
      "-o",
      "jsonpath={.status.addresses[0].value}",
    );
    expect(await until("an answer", async () => (await curl(`http://${address}/`)) === "200")).toBe(true);
  });

  it("replaces proxies without losing a request", async (context) => {
    const lab = await begin(context);
    const address = await lab.kubectl(
      "get",
      "gateway",
      "web",
      "-n",
      "shop",
      "-o",
      "jsonpath={.status.addresses[0].value}",
    );
    let isOver = false;
    const answers = new Map<string, number>();
    const client = async (ask: () => Promise<string>) => {
      while (!isOver) {
        const answer = await ask().catch((error: Error) => error.message);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    };
    // One connects for every request, the others stay connected for as long as they are let.
    const agent = new Agent({ keepAlive: true });
    const staying = () => ask(`http://${address}/`, agent);
    const clients = [client(() => curl(`http://${address}/`)), client(staying), client(staying)];
    const pods = async () =>
      (
        await lab.kubectl(
          "get",
          "pods",
          "-n",
          "shop",
          "-l",
          "gateway.networking.k8s.io/gateway-name=web",
          "-o",
          "name",
        )
      )
        .trim()
        .split("\n");
    const before = await pods();
    await lab.kubectl("rollout", "restart", "deployment/web-gatewright", "-n", "shop");
    await until("other Pods", async () => {
      const now = await pods();
      return now.length === before.length && !now.some((pod) => before.includes(pod));
    });
    isOver = true;
    await Promise.all(clients);
    agent.destroy();
    expect([...answers.keys()]).toEqual(["200"]);
    expect(answers.get("200")).toBeGreaterThan(100);
  });

  it("removes everything of a Gateway that goes", async (context) => {
    const lab = await begin(context);
    await lab.kubectl("delete", "gateway", "web", "-n", "shop");
    const kinds = "deployment,service,serviceaccount,configmap,secret,poddisruptionbudget,pod";
    const args = ["get", kinds, "-n", "shop", "-l", "app.kubernetes.io/managed-by=gatewright", "-o", "name"];
    expect(await until("nothing", async () => (await lab.kubectl(...args)).trim() === "")).toBe(true);
  });
});
