/**
 * The operator as an admin installs it, on a cluster that has nothing of the Gateway API: the chart, with the rights that it gives and no
 * others, in the image that the Dockerfile makes. The rows are those of the design's test plan.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { makeImageRoot } from "../../scripts/image-root.mjs";
import { renderChart } from "../../scripts/manifests.mjs";
import { clusterController, makeSelfSigned } from "../../src/controller/index.ts";
import type { KubernetesObject } from "../../src/kubernetes/index.ts";
import { need } from "../components/need.ts";
import {
  clientAs,
  crdsIn,
  crdType,
  namesOf,
  pinnedBundle,
  platformIs,
  refusal,
  roleType,
} from "../operator/platform.ts";
import { addressOf, answer, leaderOf, system, tlsAnswer, types } from "./installed-chart.ts";
import { until, useLab, type Lab } from "./lab.ts";

const image = mkdtempSync(join(tmpdir(), "gatewright-image-"));
chmodSync(image, 0o755);
afterAll(() => rmSync(image, { recursive: true, force: true }));

const useIt = useLab({
  components: ["helm", "echo-basic"],
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
const begin = (context: TestContext): Promise<Lab> => (installed ??= install(context));

async function install(context: TestContext): Promise<Lab> {
  makeImageRoot(join(image, "app"));
  const lab = await useIt(context);
  await lab.kubectl("create", "namespace", system);
  const values = ["operator.enabled=true", "replicas=2", "proxies.driver=embedded"];
  const flags = ["--include-crds", ...values.flatMap((value) => ["--set", value])];
  const documents = (await renderChart(need(context, "helm"), flags)).split(/^---$/m);
  const isDefinition = (text: string) => text.includes("kind: CustomResourceDefinition");
  await lab.apply(documents.filter(isDefinition).join("---\n"));
  await lab.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s");
  await lab.apply(documents.filter((text) => !isDefinition(text)).join("---\n"));
  await lab.kubectl("rollout", "status", "deployment/gatewright", "-n", system, "--timeout=120s");
  return lab;
}

const echo = (namespace: string) => `
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace} }
---
apiVersion: v1
kind: Service
metadata: { name: echo, namespace: ${namespace} }
spec: { selector: { app: echo }, ports: [{ port: 80, targetPort: 3000 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: echo, namespace: ${namespace} }
spec:
  selector: { matchLabels: { app: echo } }
  template:
    metadata: { labels: { app: echo } }
    spec: { containers: [{ name: echo, image: "registry.test/echo-basic:v1" }] }
`;

const host = "web.shop.example.com";

describe("the chart's operator", () => {
  it("1.12.6 row 5, 1.1.3: brings the CRDs and the default class, and says so, also in its metrics", async (context) => {
    const lab = await begin(context);
    await platformIs(
      lab,
      "Available=True/AsExpected",
      "Degraded=False/AsExpected",
      "Progressing=False/AsExpected",
    );
    expect(namesOf(await crdsIn(lab.client))).toEqual(namesOf(pinnedBundle().channels.standard.crds));
    await lab.kubectl("wait", "--for=condition=Accepted", "gatewayclass/gatewright", "--timeout=60s");
    const leader = await until("a leader", () => leaderOf(lab));
    const podIP = (
      await lab.kubectl("get", "pod", leader, "-n", system, "-o", "jsonpath={.status.podIP}")
    ).trim();
    const metrics = await (await fetch(`http://${podIP}:19000/metrics`)).text();
    expect(metrics).toContain('gatewright_operator_condition{type="Available",status="True"} 1');
    expect(metrics).toMatch(/gatewright_operator_written_total\{kind="CustomResourceDefinition"\} \d/);
  });

  it("1.12.1 row 1a, 1.1.12: users create, change and delete v1beta1 objects", async (context) => {
    const lab = await begin(context);
    const objects = (label: string) => `
apiVersion: v1
kind: Namespace
metadata: { name: old }
---
apiVersion: gateway.networking.k8s.io/v1beta1
kind: GatewayClass
metadata: { name: foreign, labels: { at: ${label} } }
spec: { controllerName: example.com/other }
---
apiVersion: gateway.networking.k8s.io/v1beta1
kind: Gateway
metadata: { name: foreign, namespace: old, labels: { at: ${label} } }
spec: { gatewayClassName: foreign, listeners: [{ name: http, port: 80, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1beta1
kind: HTTPRoute
metadata: { name: foreign, namespace: old, labels: { at: ${label} } }
spec: { parentRefs: [{ name: foreign }] }
---
apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata: { name: foreign, namespace: old, labels: { at: ${label} } }
spec: { from: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: shop }], to: [{ group: "", kind: Service }] }
`;
    await lab.apply(objects("first"));
    await lab.apply(objects("second"));
    const kinds = "gatewayclasses,gateways,httproutes,referencegrants";
    const left = async () =>
      (await lab.kubectl("get", kinds, "-A", "-l", "at=second", "-o", "name")).trim().split("\n");
    expect(await left()).toHaveLength(4);
    // 1.1.2: nothing of another controller's class is touched.
    const { status } = (await lab.client.get(types.gateways, "foreign", "old")) as unknown as {
      status: { conditions: { reason: string }[] };
    };
    expect(status.conditions.map(({ reason }) => reason)).toEqual(["Pending", "Pending"]);
    expect(await lab.kubectl("get", "service,deployment", "-n", "old", "-o", "name")).toBe("");
    await lab.delete(objects("second"));
    expect(await left()).toEqual([""]);
  });

  it("1.12.3 row 2, 1.12.4 row 3, 1.12.10 row 9, 1.1.13, 1.6.15, 1.6.16: an application is reached over HTTP and edge-terminated HTTPS, by a load balancer that is ready", async (context) => {
    const lab = await begin(context);
    await lab.apply(echo("shop"));
    const { certificate, privateKey } = await makeSelfSigned([host]);
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    await lab.apply(`
apiVersion: v1
kind: Secret
metadata: { name: cert, namespace: shop }
type: kubernetes.io/tls
data: { tls.crt: ${base64(certificate)}, tls.key: ${base64(privateKey)} }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: stage-http, port: 80, protocol: HTTP, hostname: "*.shop.example.com" }
    - name: stage-https
      port: 443
      protocol: HTTPS
      hostname: "*.shop.example.com"
      tls: { certificateRefs: [{ name: cert }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [${host}]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`);
    await lab.kubectl("wait", "-n", "shop", "--for=condition=Programmed", "gateway/web", "--timeout=90s");
    const address = await addressOf(lab, "web");
    await until("HTTP", async () => (await answer(`http://${address}/`, undefined, host)) === "200", {
      seconds: 60,
    });
    expect(await tlsAnswer(address, host)).toBe("200");
    const service = await lab.client.get(types.services, "web-gatewright", "shop");
    expect(service).toMatchObject({ status: { loadBalancer: { ingress: [{ ip: address }] } } });
    const route = (await lab.client.get(types.httpRoutes, "web", "shop")) as unknown as {
      status: { parents: { conditions: { type: string; status: string }[] }[] };
    };
    const conditions = route.status.parents[0]?.conditions ?? [];
    expect(conditions.filter(({ status }) => status !== "True")).toEqual([]);
  });

  it("1.12.5 row 4, 1.6.14, 1.6.17: a ReferenceGrant lets a route reach a Service elsewhere; a listener for all lets a route from elsewhere in", async (context) => {
    const lab = await begin(context);
    await lab.apply(echo("blog"));
    await lab.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: blog, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [blog.shop.example.com]
  rules: [{ backendRefs: [{ name: echo, namespace: blog, port: 80 }] }]
`);
    const url = `http://${await addressOf(lab, "web")}/`;
    await until("a refusal", async () => (await answer(url, undefined, "blog.shop.example.com")) === "500", {
      seconds: 30,
    });
    await lab.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: { name: shop, namespace: blog }
spec: { from: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: shop }], to: [{ group: "", kind: Service }] }
`);
    await until("an answer", async () => (await answer(url, undefined, "blog.shop.example.com")) === "200", {
      seconds: 60,
    });
    expect(await tlsAnswer(await addressOf(lab, "web"), "blog.shop.example.com")).toBe("200");

    await lab.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: guest, namespace: blog }
spec:
  parentRefs: [{ name: web, namespace: shop, sectionName: stage-http }]
  hostnames: [guest.shop.example.com]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`);
    await until("it is refused", async () =>
      JSON.stringify((await lab.client.get(types.httpRoutes, "guest", "blog"))?.["status"]).includes(
        "NotAllowedByListeners",
      ),
    );
    const { spec } = (await lab.client.get(types.gateways, "web", "shop")) as unknown as {
      spec: { listeners: { name: string }[] };
    };
    const listeners = spec.listeners.map((listener) =>
      listener.name === "stage-http"
        ? { ...listener, allowedRoutes: { namespaces: { from: "All" } } }
        : listener,
    );
    await lab.client.patch(types.gateways, "web", "shop", { spec: { listeners } });
    await until("the guest", async () => (await answer(url, undefined, "guest.shop.example.com")) === "200");
  });

  it("1.6.10: a Gateway that names an existing Service is accepted, and gets one of its own", async (context) => {
    const lab = await begin(context);
    await lab.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: merged, namespace: shop }
spec:
  gatewayClassName: gatewright
  addresses: [{ type: Hostname, value: web-gatewright.shop.svc.cluster.local }]
  listeners: [{ name: http, port: 80, protocol: HTTP }]
`);
    await lab.kubectl("wait", "-n", "shop", "--for=condition=Accepted", "gateway/merged", "--timeout=60s");
    const service = await until("its Service", () =>
      lab.client.get(types.services, "merged-gatewright", "shop"),
    );
    expect(service).toMatchObject({ spec: { type: "LoadBalancer" } });
    await lab.kubectl("delete", "gateway", "merged", "-n", "shop");
  });

  it("another controller beside it serves its own class, and neither touches what is the other's", async (context) => {
    const lab = await begin(context);
    await lab.apply(`
apiVersion: v1
kind: Namespace
metadata: { name: other-system }
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: other }
spec: { controllerName: example.com/other }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: other, namespace: shop }
spec: { gatewayClassName: other, listeners: [{ name: http, port: 80, protocol: HTTP }] }
`);
    const ours = ["web-gatewright", "web-gatewright-channel"];
    const versions = async () =>
      (
        await lab
          .kubectl("get", "deployment,service,secret,serviceaccount", "-n", "shop", "-o", "json")
          .then((text) => (JSON.parse(text) as { items: KubernetesObject[] }).items)
      )
        .filter(({ metadata }) => ours.includes(metadata.name))
        .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid} ${metadata.generation}`);
    const before = await versions();
    const other = clusterController({
      kubeconfig: lab.kubeconfig,
      namespace: "other-system",
      controllerNames: ["example.com/other"],
      driver: "embedded",
      channel: { listen: { address: "0.0.0.0", port: 18_001 }, host: "10.0.0.10:18001" },
      images: { envoy: "envoy", gatewright: "gatewright" },
      electsLeader: true,
      allowExternalNames: false,
      version: "0.0.0-test",
    });
    await other.start();
    try {
      await lab.kubectl("wait", "-n", "shop", "--for=condition=Programmed", "gateway/other", "--timeout=90s");
      const [url, theirs] = [await addressOf(lab, "web"), await addressOf(lab, "other")];
      // What the load balancer knows of the Pod's readiness comes a little later.
      await until("an answer", async () => (await answer(`http://${theirs}/`)) === "404", { seconds: 60 });
      expect(await answer(`http://${url}/`, undefined, host)).toBe("200");
      expect(await versions()).toEqual(before);
      const service = await lab.client.get(types.services, "other-other", "shop");
      expect(service?.metadata.annotations).toMatchObject({
        "gatewright.dev/controller": "example.com/other",
      });
      await lab.kubectl("delete", "gateway", "other", "-n", "shop");
      await until("its objects are gone", async () =>
        (await lab.kubectl("get", "deployment,service", "-n", "shop", "-o", "name")).includes("other-other")
          ? false
          : true,
      );
    } finally {
      await other.stop();
    }
  });

  it("1.12.11 row 10, 1.6.18: an Ingress and what its controller wrote stay as they are", async (context) => {
    const lab = await begin(context);
    await lab.apply(`
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: other }
spec: { controller: example.com/ingress }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop, namespace: shop }
spec:
  ingressClassName: other
  rules: [{ host: ${host}, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: echo, port: { number: 80 } } } }] } }]
`);
    const ingresses = {
      group: "networking.k8s.io",
      version: "v1",
      plural: "ingresses",
      kind: "Ingress",
      namespaced: true,
    };
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
    const written = await lab.client.patch(ingresses, "shop", "shop", { status }, { subresource: "status" });
    await lab.kubectl("annotate", "gateway", "web", "-n", "shop", "example.com/touched=1");
    await lab.kubectl("label", "service", "echo", "-n", "shop", "example.com/touched=1");
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const now = await lab.client.get(ingresses, "shop", "shop");
    expect(now).toEqual(written);
  });

  it("attack 40: its account cannot give more than is listed, nor delete a CRD", async (context) => {
    const lab = await begin(context);
    const account = await clientAs(lab, { as: `system:serviceaccount:${system}:gatewright` });
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "more" },
    };
    const everything = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];
    expect(await refusal(account.create(roleType, { ...role, rules: everything }))).toContain("forbidden");
    expect(await refusal(account.delete(crdType, "gateways.gateway.networking.k8s.io"))).toContain(
      "forbidden",
    );
    expect(await refusal(account.patch(roleType, "cluster-admin", undefined, { rules: [] }))).toContain(
      "forbidden",
    );
    await account.close();
  });

  it("a leader that ends in the middle of a rollout is followed by one that goes on; nothing is doubled, and nothing that is served notices", async (context) => {
    const lab = await begin(context);
    const leader = await leaderOf(lab);
    await lab.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: late, namespace: shop }
spec: { gatewayClassName: gatewright, listeners: [{ name: http, port: 80, protocol: HTTP }] }
`);
    await until("its rollout has begun", () => lab.client.get(types.deployments, "late-gatewright", "shop"));
    await lab.kubectl("delete", "pod", leader, "-n", system, "--wait=false");
    const admin = "gatewright:gateway-api:aggregate-to-admin";
    await until(
      "another leader",
      async () => {
        const now = await leaderOf(lab);
        return now !== "" && now !== leader;
      },
      { seconds: 60 },
    );
    await lab.client.delete(roleType, admin);
    await until("the role again", () => lab.client.get(roleType, admin), { seconds: 60 });
    expect(await answer(`http://${await addressOf(lab, "web")}/`, undefined, host)).toBe("200");
    await lab.kubectl("wait", "-n", "shop", "--for=condition=Programmed", "gateway/late", "--timeout=90s");
    const names = ["echo", "late-gatewright", "web-gatewright"];
    const wanted = ["deployment.apps", "service"].flatMap((kind) => names.map((name) => `${kind}/${name}`));
    // What earlier tests deleted may still be on its way out.
    await until(
      "these and no others",
      async () =>
        (await lab.kubectl("get", "deployment,service", "-n", "shop", "-o", "name")) ===
        wanted.map((line) => `${line}\n`).join(""),
      { seconds: 60 },
    );
  });

  it("1.12.2 row 1b, 1.1.13, 1.6.1: a deleted Gateway takes everything with it", async (context) => {
    const lab = await begin(context);
    await lab.kubectl("delete", "gateway", "web", "late", "-n", "shop");
    const kinds =
      "deployment,replicaset,service,endpointslice,serviceaccount,configmap,secret,poddisruptionbudget,networkpolicy,pod";
    const label = "gateway.networking.k8s.io/gateway-name in (web, late)";
    const left = () => lab.kubectl("get", kinds, "-n", "shop", "-l", label, "-o", "name");
    expect(await until("nothing", async () => (await left()).trim() === "", { seconds: 60 })).toBe(true);
  });
});
