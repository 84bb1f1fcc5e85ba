/**
 * The data plane `ossm`: what is made for a class of ours, and what of others is left alone. OLM and the mesh cannot run here; their kinds are there, and
 * the tests say what they would.
 */
import { describe, expect, it } from "vitest";
import type { KubernetesClient, KubernetesObject } from "../../src/kubernetes/index.ts";
import { defaultMesh, type Compat } from "../../src/operator/index.ts";
import type { Condition } from "../../src/status/index.ts";
import {
  controllerNames,
  installOpenshift,
  kindOf,
  openCrd,
  openshift,
  operatorSays,
  setGates,
} from "../operator/openshift.ts";
import { useOperator } from "../operator/operator-lab.ts";
import { crdType, openshiftAccount, roleType, shortly, type RunningOperator } from "../operator/platform.ts";
import { until, type Lab } from "./lab.ts";

const {
  classes,
  clusterOperators,
  controlPlanes,
  infrastructures,
  installPlans,
  istioRevisions,
  istios,
  proxies,
  subscriptions,
} = openshift;
const operatorsNamespace = "openshift-operators";

const { begin, run } = useOperator({
  account: openshiftAccount,
  prepare: async (lab) => {
    // OLM comes with the first test, and what OLM brings.
    await installOpenshift(lab, [proxies, infrastructures, istios, istioRevisions]);
    for (const name of [operatorsNamespace, "openshift-ingress", "istio-system", "team"]) {
      await lab.kubectl("create", "namespace", name);
    }
  },
});

function start(
  client: KubernetesClient,
  compat: Compat,
  meshManifests?: readonly KubernetesObject[],
): RunningOperator {
  const controllerName = controllerNames[compat];
  return run(client, { profile: "openshift", compat, controllerName, mesh: defaultMesh, meshManifests });
}

const gatewayType = kindOf("gateway.networking.k8s.io", "v1", "gateways", "Gateway", true);
const policyType = kindOf("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);
const makeGateway = (lab: Lab, namespace: string, name: string, gatewayClassName: string) =>
  lab.client.create(gatewayType, {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { name, namespace },
    spec: { gatewayClassName, listeners: [{ name: "http", port: 80, protocol: "HTTP" }] },
  });

const makeClass = (lab: Lab, name: string, controllerName: string, annotations = {}) =>
  lab.client.create(classes, {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "GatewayClass",
    metadata: { name, annotations },
    spec: { controllerName },
  });

const subscribe = (lab: Lab, namespace: string, name: string, spec: object, annotations = {}) =>
  lab.client.create(subscriptions, {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name, namespace, annotations },
    spec,
  });

/** There is no Infrastructure here that says where names are published. */
const troublesOf = ({ troubles }: RunningOperator) =>
  troubles.filter((trouble) => !trouble.includes("no names are published"));

const quiet = () => new Promise((resolve) => setTimeout(resolve, 700));
const specOf = (object: KubernetesObject | undefined) =>
  object?.["spec"] as Record<string, unknown> | undefined;

describe("as designed", () => {
  it("1.1.7, 1.1.8: without OLM there are CRDs and roles, and nothing that depends on a mesh; with OLM the mesh comes, and its control plane when its kind does", async (context) => {
    const { lab, client } = await begin(context);
    const running = start(client, "proposal");
    await operatorSays(lab, "Available=True/AsExpected");
    const { metadata } = await makeClass(lab, "early", controllerNames.proposal);
    await makeGateway(lab, "openshift-ingress", "early", "early");
    await until("the roles", () =>
      lab.client.get(roleType, "system:openshift:gateway-api:aggregate-to-view"),
    );
    await quiet();
    const { metadata: untouched } = (await lab.client.get(
      gatewayType,
      "early",
      "openshift-ingress",
    )) as KubernetesObject;
    expect(untouched.labels).toBeUndefined();
    expect((await lab.client.get(classes, "early"))?.metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect((await lab.client.list(policyType, { namespace: "openshift-ingress" })).items).toEqual([]);

    for (const type of [subscriptions, installPlans]) await lab.client.create(crdType, openCrd(type));
    await until("the Subscription", () =>
      lab.client.get(subscriptions, "servicemeshoperator", operatorsNamespace).catch(() => undefined),
    );
    expect(await operatorSays(lab, "Progressing=True/InstallingMesh")).toContain("ServiceMeshControlPlane");
    await lab.client.create(crdType, openCrd(controlPlanes));
    const found = () =>
      lab.client.get(controlPlanes, "openshift-gateway", "openshift-ingress").catch(() => undefined);
    await until("the control plane", found);
    await operatorSays(lab, "Progressing=False/AsExpected");
    expect(troublesOf(running)).toEqual([]);
    await running.stop();
    await lab.client.delete(gatewayType, "early", "openshift-ingress");
    await lab.client.delete(classes, "early");
    await lab.client.delete(subscriptions, "servicemeshoperator", operatorsNamespace);
    await lab.client.delete(controlPlanes, "openshift-gateway", "openshift-ingress");
  });

  it("1.1.1, 1.1.2, 1.1.9: without a class of ours nothing is made", async (context) => {
    const { lab, client } = await begin(context);
    const running = start(client, "proposal");
    await operatorSays(lab, "Degraded=False/AsExpected");
    await makeClass(lab, "foreign", "example.com/other");
    await makeClass(lab, "istio", controllerNames.proposal);
    await quiet();
    expect((await lab.client.list(subscriptions)).items).toEqual([]);
    expect((await lab.client.list(controlPlanes)).items).toEqual([]);
    expect(running.mayWrite).toBe(false);
  });

  it("1.12.7 row 6, 0.1, 0.5, 1.1.10, 1.2.1, 1.2.2, 1.2.4, 1.2.5, 1.3.1 to 1.3.7, 1.3.11: the first class brings one Subscription and one ServiceMeshControlPlane", async (context) => {
    const { lab, client } = await begin(context);
    const running = start(client, "proposal");
    const created = await makeClass(lab, "openshift-default", controllerNames.proposal);
    const subscription = await until("the Subscription", () =>
      lab.client.get(subscriptions, "servicemeshoperator", operatorsNamespace),
    );
    expect(subscription.metadata.annotations).toEqual({ "ingress.operator.openshift.io/owned": "" });
    expect(specOf(subscription)).toEqual({
      channel: "stable",
      name: "servicemeshoperator",
      installPlanApproval: "Automatic",
      source: "redhat-operators",
      sourceNamespace: "openshift-marketplace",
      config: {
        resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: {} },
        annotations: {
          "openshift.io/required-scc": "restricted-v2",
          "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}',
        },
      },
    });
    const plane = await until("the control plane", () =>
      lab.client.get(controlPlanes, "openshift-gateway", "openshift-ingress"),
    );
    expect(plane.metadata.ownerReferences).toEqual([
      {
        apiVersion: "gateway.networking.k8s.io/v1beta1",
        kind: "GatewayClass",
        name: "openshift-default",
        uid: created.metadata.uid,
      },
    ]);
    expect(specOf(plane)).toMatchObject({
      version: "v2.4",
      profiles: ["default"],
      mode: "ClusterWide",
      policy: { type: "Istiod" },
      tracing: { type: "None" },
      security: { manageNetworkPolicy: false },
      addons: {
        grafana: { enabled: false },
        kiali: { enabled: false },
        prometheus: { enabled: false },
        jaeger: { name: "jaeger" },
      },
      gateways: {
        egress: { enabled: false },
        ingress: { enabled: true, ingress: true, service: { type: "LoadBalancer" } },
      },
      proxy: { accessLogging: { envoyService: { enabled: true }, file: { name: "/dev/stdout" } } },
      runtime: {
        components: {
          pilot: {
            container: {
              env: {
                PILOT_ENABLE_GATEWAY_API: "true",
                PILOT_ENABLE_GATEWAY_API_DEPLOYMENT_CONTROLLER: "true",
                PILOT_ENABLE_GATEWAY_API_STATUS: "true",
                PILOT_GATEWAY_API_CONTROLLER_NAME: "openshift.io/gateway-controller",
                PILOT_GATEWAY_API_DEFAULT_GATEWAYCLASS: "openshift-default",
              },
            },
          },
        },
      },
    });
    await makeClass(lab, "second", controllerNames.proposal);
    // What OLM and the mesh would say.
    await lab.client.patch(subscriptions, "servicemeshoperator", operatorsNamespace, {
      status: { state: "AtLatestKnown" },
    });
    await lab.client.patch(controlPlanes, "openshift-gateway", "openshift-ingress", {
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
    await quiet();
    await operatorSays(lab, "Degraded=False/AsExpected");
    expect((await lab.client.list(subscriptions)).items).toHaveLength(1);
    expect((await lab.client.list(controlPlanes)).items).toHaveLength(1);
    expect(troublesOf(running)).toEqual([]);
  });

  it("1.2.10, 1.2.11, 1.3.8 to 1.3.10: what was changed or deleted is restored; a status is not looked at; istio-system/basic is left alone", async (context) => {
    const { lab, client } = await begin(context);
    const running = start(client, "proposal");
    await lab.client.create(controlPlanes, {
      apiVersion: "maistra.io/v2",
      kind: "ServiceMeshControlPlane",
      metadata: { name: "basic", namespace: "istio-system" },
      spec: { version: "v2.3" },
    });
    await lab.client.patch(controlPlanes, "openshift-gateway", "openshift-ingress", {
      spec: { mode: "MultiTenant" },
    });
    await until(
      "the mode",
      async () =>
        specOf(await lab.client.get(controlPlanes, "openshift-gateway", "openshift-ingress"))?.["mode"] ===
        "ClusterWide",
    );
    await lab.client.patch(subscriptions, "servicemeshoperator", operatorsNamespace, {
      spec: { channel: "other" },
    });
    await until(
      "the channel",
      async () =>
        specOf(await lab.client.get(subscriptions, "servicemeshoperator", operatorsNamespace))?.[
          "channel"
        ] === "stable",
    );
    await lab.client.delete(subscriptions, "servicemeshoperator", operatorsNamespace);
    await until("the Subscription", () =>
      lab.client.get(subscriptions, "servicemeshoperator", operatorsNamespace),
    );
    // We may see it before the operator has heard that it is made.
    await until("that it is told", () => running.written.some((what) => what.endsWith("created")));
    running.written.length = 0;
    await lab.client.patch(controlPlanes, "openshift-gateway", "openshift-ingress", {
      status: { readiness: "ok" },
    });
    await quiet();
    expect(running.written).toEqual([]);
    expect(specOf(await lab.client.get(controlPlanes, "basic", "istio-system"))).toEqual({ version: "v2.3" });
  });

  it("1.2.8, attack 39: somebody else's Subscription of the package does as well, and is never changed, whatever it says of itself", async (context) => {
    const { lab, client } = await begin(context);
    await lab.client.delete(subscriptions, "servicemeshoperator", operatorsNamespace);
    await lab.client.delete(controlPlanes, "openshift-gateway", "openshift-ingress");
    const forged = { "ingress.operator.openshift.io/owned": "" };
    await subscribe(lab, "team", "mesh", { name: "servicemeshoperator", channel: "1.0" }, forged);
    const running = start(client, "proposal");
    await until("the control plane", () =>
      lab.client.get(controlPlanes, "openshift-gateway", "openshift-ingress"),
    );
    await quiet();
    const all = (await lab.client.list(subscriptions)).items;
    expect(all.map(({ metadata, spec }) => [metadata.namespace, metadata.name, spec])).toEqual([
      ["team", "mesh", { name: "servicemeshoperator", channel: "1.0" }],
    ]);
    expect(troublesOf(running)).toEqual([]);
    await operatorSays(lab, "Degraded=False/AsExpected");
    // Ours comes when theirs goes.
    await lab.client.delete(subscriptions, "mesh", "team");
    await until("ours", () => lab.client.get(subscriptions, "servicemeshoperator", operatorsNamespace));
  });
});

describe("as shipped", () => {
  it("0.1, 0.4, 0.5, 1.1.11, 1.2.3, 1.2.7, 1.4.1 to 1.4.7, 1.4.10, 1.11.3: Subscription and Istio of the oldest class", async (context) => {
    const { lab, client } = await begin(context);
    await lab.client.delete(subscriptions, "servicemeshoperator", operatorsNamespace);
    await makeClass(lab, "newer", controllerNames.shipped, {
      "unsupported.do-not-use.openshift.io/istio-version": "v1.99",
    });
    start(client, "shipped");
    const istio = await until("the Istio", () => lab.client.get(istios, "openshift-gateway"));
    expect(specOf(istio)?.["version"]).toBe("v1.99");
    await lab.client.patch(classes, "newer", undefined, {
      metadata: { annotations: { "unsupported.do-not-use.openshift.io/istio-version": null } },
    });
    await until(
      "the version",
      async () =>
        specOf(await lab.client.get(istios, "openshift-gateway"))?.["version"] === defaultMesh.istioVersion,
    );
    await makeClass(lab, "newest", controllerNames.shipped);
    const spec = await until("both classes", async () => {
      const now = specOf(await lab.client.get(istios, "openshift-gateway"));
      return JSON.stringify(now).includes('"newest"') ? now : undefined;
    });
    const perClass = {
      horizontalPodAutoscaler: { spec: { minReplicas: 2, maxReplicas: 10 } },
      deployment: {
        spec: {
          template: {
            spec: {
              containers: [{ name: "istio-proxy", terminationMessagePolicy: "FallbackToLogsOnError" }],
            },
          },
        },
      },
    };
    expect(spec).toMatchObject({
      namespace: "openshift-ingress",
      updateStrategy: { type: "InPlace" },
      values: {
        global: {
          defaultPodDisruptionBudget: { enabled: false },
          istioNamespace: "openshift-ingress",
          priorityClassName: "system-cluster-critical",
          trustBundleName: "openshift-gw-ca-root-cert",
        },
        sidecarInjectorWebhook: { enableNamespacesByDefault: false },
        meshConfig: { ingressControllerMode: "OFF", accessLogFile: "/dev/stdout" },
        gatewayClasses: { newer: perClass, newest: perClass },
      },
    });
    const { pilot, meshConfig } = (
      spec as { values: { pilot: { env: object }; meshConfig: { defaultConfig: object } } }
    ).values;
    expect(pilot.env).toEqual({
      PILOT_ENABLE_GATEWAY_API: "true",
      PILOT_ENABLE_ALPHA_GATEWAY_API: "false",
      PILOT_ENABLE_GATEWAY_API_STATUS: "true",
      PILOT_ENABLE_GATEWAY_API_DEPLOYMENT_CONTROLLER: "true",
      PILOT_ENABLE_GATEWAY_API_GATEWAYCLASS_CONTROLLER: "false",
      PILOT_GATEWAY_API_DEFAULT_GATEWAYCLASS_NAME: "openshift-default",
      PILOT_GATEWAY_API_CONTROLLER_NAME: "openshift.io/gateway-controller/v1",
      PILOT_MULTI_NETWORK_DISCOVER_GATEWAY_API: "false",
      ENABLE_GATEWAY_API_MANUAL_DEPLOYMENT: "false",
      PILOT_ENABLE_GATEWAY_API_CA_CERT_ONLY: "true",
      PILOT_ENABLE_CA_CRL: "false",
      PILOT_ENABLE_GATEWAY_API_COPY_LABELS_ANNOTATIONS: "false",
      PILOT_IGNORE_RESOURCES: "listenersets.gateway.networking.k8s.io",
    });
    expect(meshConfig.defaultConfig).toEqual({
      proxyHeaders: {
        server: { disabled: true },
        envoyDebugHeaders: { disabled: true },
        metadataExchangeHeaders: { mode: "IN_MESH" },
      },
    });
    const subscription = await lab.client.get(subscriptions, "servicemeshoperator3", operatorsNamespace);
    expect(specOf(subscription)).toMatchObject({
      name: "servicemeshoperator3",
      installPlanApproval: "Manual",
      startingCSV: defaultMesh.version,
    });
    const owners = (await lab.client.get(istios, "openshift-gateway"))?.metadata.ownerReferences;
    expect(owners).toMatchObject([{ kind: "GatewayClass", name: "newer" }]);
    await lab.client.patch(istios, "openshift-gateway", undefined, { metadata: { ownerReferences: null } });
    await until(
      "its owner",
      async () =>
        (await lab.client.get(istios, "openshift-gateway"))?.metadata.ownerReferences?.[0]?.name === "newer",
    );
    await until("related objects", async () =>
      JSON.stringify((await lab.client.get(clusterOperators, "ingress"))?.["status"]).includes(
        '"resource":"istios"',
      ),
    );
  });

  it("1.4.8, 1.4.9, 1.4.10: it follows inference pools, the cluster's proxy and its topology", async (context) => {
    const { lab, client } = await begin(context);
    const running = start(client, "shipped");
    const says = (what: string, wanted = true) =>
      until(
        `${what}: ${wanted}`,
        async () =>
          JSON.stringify(specOf(await lab.client.get(istios, "openshift-gateway"))).includes(what) === wanted,
      );
    const pools = kindOf("inference.networking.x-k8s.io", "v1", "inferencepools", "InferencePool", true);
    await lab.client.create(crdType, openCrd(pools, false));
    await says('"ENABLE_GATEWAY_API_INFERENCE_EXTENSION":"true"');
    await lab.client.delete(crdType, "inferencepools.inference.networking.x-k8s.io");
    await says("ENABLE_GATEWAY_API_INFERENCE_EXTENSION", false);
    await lab.client.create(proxies, {
      apiVersion: "config.openshift.io/v1",
      kind: "Proxy",
      metadata: { name: "cluster" },
      status: { httpProxy: "http://proxy:3128", noProxy: ".svc" },
    });
    await says(
      '"proxyMetadata":{"HTTP_PROXY":"http://proxy:3128","NO_PROXY":".svc","http_proxy":"http://proxy:3128","no_proxy":".svc"}',
    );
    await lab.client.create(infrastructures, {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      status: { infrastructureTopology: "SingleReplica" },
    });
    await says('"minReplicas":1');
    await lab.client.delete(proxies, "cluster");
    await says("proxyMetadata", false);
    expect(troublesOf(running)).toEqual([]);
  });

  it("1.2.9, attack 39: only the newest plan of our own Subscription, for what we want, is approved", async (context) => {
    const { lab, client } = await begin(context);
    start(client, "shipped");
    const ours = await until("ours", () =>
      lab.client.get(subscriptions, "servicemeshoperator3", operatorsNamespace),
    );
    const plan = (name: string, uid: string | undefined, csv: string, phase: string) =>
      lab.client.create(installPlans, {
        apiVersion: "operators.coreos.com/v1alpha1",
        kind: "InstallPlan",
        metadata: {
          name,
          namespace: operatorsNamespace,
          ownerReferences: [
            {
              apiVersion: "operators.coreos.com/v1alpha1",
              kind: "Subscription",
              name: "servicemeshoperator3",
              uid: uid ?? "",
            },
          ],
        },
        spec: { approved: false, clusterServiceVersionNames: [csv] },
        status: { phase },
      });
    const foreign = await subscribe(lab, operatorsNamespace, "another", { name: "another" });
    await plan("of-another", foreign.metadata.uid, defaultMesh.version, "RequiresApproval");
    await plan("other-version", ours.metadata.uid, "servicemeshoperator3.v9.9.9", "RequiresApproval");
    await plan("done", ours.metadata.uid, defaultMesh.version, "Complete");
    await quiet();
    const approved = async () =>
      (await lab.client.list(installPlans)).items
        .filter((one) => specOf(one)?.["approved"] === true)
        .map(({ metadata }) => metadata.name);
    expect(await approved()).toEqual([]);
    await plan("ours", ours.metadata.uid, defaultMesh.version, "RequiresApproval");
    await until("it is approved", async () => (await approved()).length > 0);
    await quiet();
    expect(await approved()).toEqual(["ours"]);
  });

  it("1.11.1, 1.11.2: other meshes are reported: in the way if they are rivals or older, worth a word if not", async (context) => {
    const { lab, client } = await begin(context);
    start(client, "shipped");
    await subscribe(lab, "team", "sail", { name: "sailoperator" });
    const said = await operatorSays(lab, "Degraded=True/GatewayAPIInstallConflict");
    expect(said).toContain("package sailoperator is subscribed to by team/sail");
    await lab.client.delete(subscriptions, "sail", "team");
    await operatorSays(lab, "Degraded=False/AsExpected");
    await subscribe(lab, "team", "mesh", {
      name: "servicemeshoperator3",
      startingCSV: "servicemeshoperator3.v3.0.0",
    });
    await operatorSays(lab, "Degraded=True/GatewayAPIInstallConflict");
    await lab.client.patch(subscriptions, "mesh", "team", {
      status: { installedCSV: "servicemeshoperator3.v3.10.0" },
    });
    expect(await operatorSays(lab, "Degraded=False/GatewayAPIInstallWarnings")).toContain("team/mesh");
    await lab.client.delete(subscriptions, "mesh", "team");
  });

  it("1.6.11, 1.6.12, 1.6.13: Gateways of ours get the mesh's label, and a policy where the control plane is; both are restored", async (context) => {
    const { lab, client } = await begin(context);
    start(client, "shipped");
    await makeGateway(lab, "openshift-ingress", "web", "newer");
    await makeGateway(lab, "team", "web", "newest");
    const foreign = await makeGateway(lab, "openshift-ingress", "foreign", "foreign");
    const labelOf = async (namespace: string) =>
      (await lab.client.get(gatewayType, "web", namespace))?.metadata.labels?.["istio.io/rev"];
    for (const namespace of ["openshift-ingress", "team"]) {
      await until("the label", async () => (await labelOf(namespace)) === "openshift-gateway");
    }
    await until("the event", async () =>
      (await lab.kubectl("get", "events", "-n", "team", "-o", "jsonpath={.items[*].reason}")).includes(
        "AddedLabel",
      ),
    );
    await lab.kubectl("label", "gateway", "web", "-n", "team", "istio.io/rev-");
    await until("the label again", async () => (await labelOf("team")) === "openshift-gateway");

    const policy = (name: string) => lab.client.get(policyType, name, "openshift-ingress");
    const allow = await until("the policy", () => policy("web-allow"));
    expect(allow.metadata).toMatchObject({
      labels: { "ingress.openshift.io/owning-gateway": "web" },
      ownerReferences: [{ kind: "Gateway", name: "web" }],
    });
    expect(specOf(allow)).toEqual({
      podSelector: { matchLabels: { "gateway.networking.k8s.io/gateway-name": "web" } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{}],
      egress: [{}],
    });
    const istiod = await until("istiod's", () => policy("istiod-allow"));
    expect(specOf(istiod)).toEqual({
      podSelector: { matchLabels: { app: "istiod" } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          ports: [8080, 15010, 15011, 15012, 15014, 15017].map((port) => ({ port, protocol: "TCP" })),
        },
      ],
      egress: [{}],
    });
    await lab.client.patch(policyType, "web-allow", "openshift-ingress", { spec: { egress: [] } });
    await until(
      "its rules",
      async () => JSON.stringify(specOf(await policy("web-allow"))?.["egress"]) === "[{}]",
    );
    expect((await lab.client.list(policyType, { namespace: "team" })).items).toEqual([]);
    expect(await lab.client.get(gatewayType, "foreign", "openshift-ingress")).toEqual(foreign);
    expect(await policy("foreign-allow")).toBeUndefined();

    // It stays when the class goes.
    await lab.client.delete(classes, "newest");
    await quiet();
    expect(await labelOf("team")).toBe("openshift-gateway");
    await lab.client.delete(gatewayType, "web", "openshift-ingress");
    await until("the policy goes with its Gateway", async () => !(await policy("web-allow")));
    await makeClass(lab, "newest", controllerNames.shipped);
  });
});

describe("without OLM", () => {
  const name = "istiod-openshift-gateway";
  const crdNames = ["wasmplugins.extensions.istio.io", "telemetries.telemetry.istio.io"];
  const meshCrds = [
    openCrd(kindOf("extensions.istio.io", "v1alpha1", "wasmplugins", "WasmPlugin", true)),
    openCrd(kindOf("telemetry.istio.io", "v1", "telemetries", "Telemetry", true)),
  ];
  const labels = { app: "istiod" };
  const manifests: readonly KubernetesObject[] = [
    ...meshCrds,
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace: "openshift-ingress", labels },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: name,
            containers: [
              { name: "discovery", image: "registry.test/busybox:v1", command: ["sleep", "infinity"] },
            ],
          },
        },
      },
    },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name },
      rules: [{ apiGroups: [""], resources: ["services"], verbs: ["list"] }],
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name },
      webhooks: [],
    },
  ];
  const deployments = kindOf("apps", "v1", "deployments", "Deployment", true);
  const webhooks = kindOf(
    "admissionregistration.k8s.io",
    "v1",
    "validatingwebhookconfigurations",
    "ValidatingWebhookConfiguration",
  );
  const containersOf = (object: KubernetesObject | undefined) =>
    (
      object?.["spec"] as
        { template: { spec: { containers: readonly { readonly command: readonly string[] }[] } } } | undefined
    )?.template.spec.containers ?? [];
  const deployment = (lab: Lab) => lab.client.get(deployments, name, "openshift-ingress");
  const finalizer = "openshift.io/ingress-operator-sail-finalizer";
  const classSays = (lab: Lab, gatewayClass: string, wanted: string) =>
    until(wanted, async () => {
      const { conditions = [] } = ((await lab.client.get(classes, gatewayClass))?.["status"] ?? {}) as {
        conditions?: Condition[];
      };
      const found = conditions.find(({ type }) => type === wanted.split("=")[0]);
      return shortly(conditions, wanted.split("=")[0] ?? "") === wanted ? found : undefined;
    });

  it("1.5.1, 1.5.2, 1.5.3, 1.5.5, 1.5.7 to 1.5.9: what OLM has installed goes first; then the manifests are applied, and the classes say so", async (context) => {
    const { lab, client } = await begin(context);
    // As OLM has left it: a control plane whose revision takes its time to go, and one of the CRDs.
    await until("the Istio", () => lab.client.get(istios, "openshift-gateway"));
    await lab.client.create(istioRevisions, {
      apiVersion: "sailoperator.io/v1",
      kind: "IstioRevision",
      metadata: { name: "openshift-gateway" },
      spec: {},
    });
    const ofOlm = meshCrds[0] as KubernetesObject;
    const olmLabels = {
      "olm.managed": "true",
      "operators.coreos.com/servicemeshoperator3.openshift-operators": "",
    };
    await lab.client.create(crdType, { ...ofOlm, metadata: { ...ofOlm.metadata, labels: olmLabels } });
    await setGates(lab, { enabled: ["GatewayAPIWithoutOLM"] });
    const running = start(client, "shipped", manifests);
    const { message } = await classSays(lab, "newer", "ControllerInstalled=Unknown/Pending");
    expect(message).toBe("waiting for first reconciliation");
    await until("no Istio", async () => !(await lab.client.get(istios, "openshift-gateway")));
    expect(await operatorSays(lab, "Progressing=True/InstallingMesh")).toContain(
      "IstioRevision openshift-gateway",
    );
    for (const one of ["newer", "newest"]) {
      expect((await lab.client.get(classes, one))?.metadata.finalizers).toContain(finalizer);
    }
    expect(await deployment(lab)).toBeUndefined();

    await lab.client.delete(istioRevisions, "openshift-gateway");
    const installed = await classSays(lab, "newest", "ControllerInstalled=True/Installed");
    expect(installed.message).toBe(`istiod ${defaultMesh.istioVersion} installed`);
    await classSays(lab, "newer", "CRDsReady=True/MixedOwnership");
    const available = await until("istiod", async () => {
      const { metadata, status } = (await deployment(lab)) ?? { metadata: {}, status: {} };
      const { conditions = [] } = (status ?? {}) as { conditions?: Condition[] };
      const found = conditions.find(({ type, status: is }) => type === "Available" && is === "True");
      return found && `${metadata.generation}-${Date.parse(found.lastTransitionTime) / 1000}`;
    });
    await until(
      "the annotation",
      async () =>
        (await lab.client.get(classes, "newer"))?.metadata.annotations?.[
          "ingress.operator.openshift.io/sync"
        ] === available,
    );
    expect(await operatorSays(lab, "Degraded=False/OrphanedOSSMSubscription")).toContain(
      "openshift-operators/servicemeshoperator3",
    );
    expect(running.numbers.hasOrphan).toBe(true);

    // Nobody needs OLM's CRD any more: neither a Subscription nor a plan of it is left.
    for (const { metadata } of (await lab.client.list(installPlans)).items) {
      await lab.client.delete(installPlans, metadata.name, metadata.namespace);
    }
    await lab.client.delete(subscriptions, "servicemeshoperator3", operatorsNamespace);
    await classSays(lab, "newer", "CRDsReady=True/ManagedByCIO");
    await operatorSays(lab, "Degraded=False/AsExpected");

    // What somebody changes is put right; webhooks are completed by the control plane, and need only be there.
    const [container] = containersOf(await deployment(lab));
    await lab.client.patch(deployments, name, "openshift-ingress", {
      spec: { template: { spec: { containers: [{ ...container, command: ["sleep", "1"] }] } } },
    });
    await until("its command", async () =>
      containersOf(await deployment(lab))[0]?.command.includes("infinity"),
    );
    await lab.client.delete(webhooks, name);
    await until("the webhook", () => lab.client.get(webhooks, name));
    expect(troublesOf(running)).toEqual([]);
  });

  it("1.5.4: the control plane goes with the last class, the CRDs stay; 1.5.6: with OLM nothing is said of it any more", async (context) => {
    const { lab, client } = await begin(context);
    const running = start(client, "shipped", manifests);
    await classSays(lab, "newer", "ControllerInstalled=True/Installed");
    await lab.client.delete(classes, "newest");
    await until("it is gone", async () => !(await lab.client.get(classes, "newest")));
    expect(await deployment(lab)).toBeDefined();
    await lab.client.delete(classes, "newer");
    await until("the last is gone", async () => !(await lab.client.get(classes, "newer")));
    expect(await deployment(lab)).toBeUndefined();
    expect(await lab.client.get(webhooks, name)).toBeUndefined();
    for (const one of crdNames) expect(await lab.client.get(crdType, one)).toBeDefined();

    await makeClass(lab, "again", controllerNames.shipped);
    await classSays(lab, "again", "ControllerInstalled=True/Installed");
    await until("the control plane", () => deployment(lab));
    await setGates(lab, {});
    await until("OLM's", () => lab.client.get(subscriptions, "servicemeshoperator3", operatorsNamespace));
    expect(await deployment(lab)).toBeUndefined();
    const { metadata, status } = (await lab.client.get(classes, "again")) as KubernetesObject;
    expect(metadata.finalizers).toBeUndefined();
    expect(JSON.stringify(status ?? {})).not.toMatch(/ControllerInstalled|CRDsReady/);
    expect(troublesOf(running)).toEqual([]);
  });

  it("1.5.2: without manifests nothing is installed, and the class says why", async (context) => {
    const { lab, client } = await begin(context);
    await setGates(lab, { enabled: ["GatewayAPIWithoutOLM"] });
    start(client, "shipped");
    const { message } = await classSays(lab, "again", "ControllerInstalled=False/InstallFailed");
    expect(message).toContain("--mesh-manifests");
    await setGates(lab, {});
    await until("nothing is said any more", async () => {
      const { metadata } = (await lab.client.get(classes, "again")) as KubernetesObject;
      return metadata.finalizers === undefined;
    });
  });
});
