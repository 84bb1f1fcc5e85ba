/**
 * The operator in the OpenShift profile, on a real API server with that platform's kinds, as far as they matter here: the same
 * logic, with settings from and health to where the platform has them, and with its exact names and messages.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import { clusterController, makeSelfSigned } from "../../src/controller/index.ts";
import type { KubernetesObject, ResourceType } from "../../src/kubernetes/index.ts";
import { createProvider } from "../../src/operator/dns/providers/rfc2136/index.ts";
import { customResourceDefinition, openshiftDnsRecordKind } from "../../src/resources/index.ts";
import type { Condition } from "../../src/status/index.ts";
import { need } from "../components/need.ts";
import { startBind } from "../dns/bind.ts";
import {
  controllerNames,
  installOpenshift,
  kindOf,
  openCrd,
  openshift,
  setGates,
} from "../operator/openshift.ts";
import { useOperator } from "../operator/operator-lab.ts";
import {
  bindingType,
  crdsIn,
  crdType,
  fakeCrd,
  openshiftAccount,
  pinnedBundle,
  policyType,
  refusal,
  roleType,
  shortly,
} from "../operator/platform.ts";
import { until, type Lab } from "./lab.ts";

const policyName = "openshift-ingress-operator-gatewayapi-crd-admission";
const gateKey = "ack-4.18-gateway-api-management-in-4.19";
const { standard } = pinnedBundle().channels;
const { featureGates, clusterOperators, ingresses } = openshift;
const configMaps: ResourceType = {
  group: "",
  version: "v1",
  plural: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};

async function prepare(lab: Lab): Promise<void> {
  await installOpenshift(lab);
  await lab.kubectl("create", "namespace", "openshift-config-managed");
  await lab.apply(`
apiVersion: config.openshift.io/v1
kind: FeatureGate
metadata: { name: cluster }
spec: { featureSet: "" }
---
apiVersion: operator.openshift.io/v1alpha1
kind: Ingress
metadata: { name: cluster }
spec: {}
---
apiVersion: config.openshift.io/v1
kind: ClusterOperator
metadata: { name: ingress }
spec: {}
`);
  const foreign = {
    conditions: [
      {
        type: "EvaluationConditionsDetected",
        status: "False",
        reason: "AsExpected",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ],
    relatedObjects: [{ group: "", resource: "namespaces", name: "openshift-ingress" }],
  };
  await lab.client.patch(
    clusterOperators,
    "ingress",
    undefined,
    { status: foreign },
    { subresource: "status" },
  );
}

const { begin, run } = useOperator({ account: openshiftAccount, prepare });

interface OperatorStatus {
  readonly conditions: readonly Condition[];
  readonly extension?: unknown;
  readonly relatedObjects: readonly object[];
}

const conditionsIn = (object: KubernetesObject | undefined) =>
  ((object?.["status"] as Partial<OperatorStatus> | undefined)?.conditions ?? []) as readonly Condition[];
const statusOf = async (lab: Lab, type: ResourceType, name: string) =>
  ((await lab.client.get(type, name))?.["status"] ?? {
    conditions: [],
    relatedObjects: [],
  }) as OperatorStatus;

async function says(lab: Lab, type: ResourceType, name: string, ...wanted: readonly string[]): Promise<void> {
  await until(`${type.kind} ${wanted.join(", ")}`, async () => {
    const conditions = conditionsIn(await lab.client.get(type, name));
    return wanted.every((one) => shortly(conditions, one.split("=")[0] ?? "") === one);
  });
}
const clusterOperatorIs = (lab: Lab, ...wanted: readonly string[]) =>
  says(lab, clusterOperators, "ingress", ...wanted);
const ingressIs = (lab: Lab, ...wanted: readonly string[]) => says(lab, ingresses, "cluster", ...wanted);
const messageOf = async (lab: Lab, type: string) =>
  (await statusOf(lab, clusterOperators, "ingress")).conditions.find((one) => one.type === type)?.message;
const setGate = (lab: Lab, spec: object, status: object = { featureGates: [] }) =>
  lab.client
    .patch(featureGates, "cluster", undefined, { spec })
    .then(() => lab.client.patch(featureGates, "cluster", undefined, { status }, { subresource: "status" }));

describe("before the release that manages the CRDs", () => {
  const preview = { profile: "openshift", maturity: "tech-preview", checkEvery: 200 } as const;
  const gates = async (lab: Lab) =>
    ((await lab.client.get(configMaps, "admin-gates", "openshift-config-managed"))?.["data"] ?? {}) as Record<
      string,
      string
    >;

  it("3.4.2, 3.4.3, 3.4.5: the admin gate comes and goes with the CRDs; incompatible ones block the upgrade", async (context) => {
    const { lab, client } = await begin(context);
    await lab.client.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "admin-gates", namespace: "openshift-config-managed" },
      data: { "ack-4.18-other": "somebody else's" },
    });
    run(client, preview);
    await clusterOperatorIs(lab, "Upgradeable=True/Upgradeable", "Available=True/FeatureGateDisabled");
    expect(await gates(lab)).toEqual({ "ack-4.18-other": "somebody else's" });
    await lab.client.create(crdType, standard.crds[0] as KubernetesObject);
    await until("the gate", async () => (await gates(lab))[gateKey]);
    await clusterOperatorIs(lab, "Upgradeable=True/Upgradeable");
    expect(await messageOf(lab, "Upgradeable")).toContain("has not agreed yet");
    await lab.kubectl("create", "namespace", "openshift-config");
    await lab.kubectl(
      "create",
      "configmap",
      "admin-acks",
      "-n",
      "openshift-config",
      `--from-literal=${gateKey}=true`,
    );
    await until("consent", async () => (await messageOf(lab, "Upgradeable"))?.includes("has agreed"));
    const text = (await gates(lab))[gateKey];
    await lab.client.patch(configMaps, "admin-gates", "openshift-config-managed", {
      data: { [gateKey]: "tampered" },
    });
    await until("its text again", async () => (await gates(lab))[gateKey] === text);
    await lab.client.create(crdType, fakeCrd("tests", "gateway.networking.k8s.io"));
    await lab.client.create(crdType, fakeCrd("tests", "gateway.networking.x-k8s.io"));
    await clusterOperatorIs(lab, "Upgradeable=False/GatewayAPICRDsNotCompatible");
    await until("both names", async () =>
      (await messageOf(lab, "Upgradeable"))?.startsWith(
        "Incompatible Gateway API CRDs found: tests.gateway.networking.k8s.io, tests.gateway.networking.x-k8s.io\n",
      ),
    );
    for (const { metadata } of await crdsIn(lab.client)) await lab.client.delete(crdType, metadata.name);
    await until("no gate", async () => !(gateKey in (await gates(lab))));
    await clusterOperatorIs(lab, "Upgradeable=True/Upgradeable");
    expect(await gates(lab)).toEqual({ "ack-4.18-other": "somebody else's" });
  });

  it("1.1.4: a technology preview is on by the set TechPreviewNoUpgrade, a developer preview by a custom one; then there is no way on", async (context) => {
    const { lab, client } = await begin(context);
    await setGate(lab, { featureSet: "CustomNoUpgrade", customNoUpgrade: { enabled: ["Other"] } });
    const operator = run(client, { ...preview, maturity: "dev-preview" });
    await clusterOperatorIs(lab, "Available=True/FeatureGateDisabled");
    await setGate(lab, { featureSet: "CustomNoUpgrade", customNoUpgrade: { enabled: ["GatewayAPI"] } });
    await operator.served;
    await clusterOperatorIs(lab, "Available=True/AsExpected", "Upgradeable=False/FeatureGateInPreview");
    expect(await lab.client.get(policyType, policyName)).toBeUndefined();
    await operator.stop();
    await setGate(lab, { featureSet: "TechPreviewNoUpgrade", customNoUpgrade: null });
    const later = run(client, preview);
    await later.served;
    await clusterOperatorIs(lab, "Upgradeable=False/FeatureGateInPreview");
  });
});

describe("the release that manages the CRDs", () => {
  const general = { profile: "openshift" } as const;
  const username = "system:serviceaccount:openshift-ingress-operator:ingress-operator";

  it("1.1.3, 1.12.6: is on by default, and off where the gate is listed as disabled", async (context) => {
    const { lab, client } = await begin(context);
    await setGate(
      lab,
      { featureSet: "" },
      { featureGates: [{ version: "4.19", disabled: [{ name: "GatewayAPI" }] }] },
    );
    const operator = run(client, general);
    await clusterOperatorIs(lab, "Available=True/FeatureGateDisabled", "Upgradeable=True/Upgradeable");
    expect(operator.mayWrite).toBe(false);
    await setGate(
      lab,
      { featureSet: "" },
      { featureGates: [{ version: "4.19", enabled: [{ name: "GatewayAPI" }] }] },
    );
    await operator.served;
    await clusterOperatorIs(
      lab,
      "Available=True/AsExpected",
      "Degraded=False/AsExpected",
      "Upgradeable=True/Upgradeable",
    );
    expect(await crdsIn(lab.client)).toHaveLength(10);
    expect(operator.turns).toEqual([true]);
  });

  it("1.1.5: without the gate GatewayAPIController there are CRDs and roles, and nothing serves them", async (context) => {
    const { lab, client } = await begin(context);
    await setGates(lab, { disabled: ["GatewayAPIController"] });
    const operator = run(client, general);
    let isServed = false;
    void operator.served.then(() => (isServed = true));
    await clusterOperatorIs(lab, "Available=True/ControllerDisabled", "Degraded=False/AsExpected");
    await until("the role", () => lab.client.get(roleType, "system:openshift:gateway-api:aggregate-to-view"));
    expect({ isServed, mayWrite: operator.mayWrite }).toEqual({ isServed: false, mayWrite: false });
    await setGates(lab, { enabled: ["GatewayAPI", "GatewayAPIController"] });
    await operator.served;
    await clusterOperatorIs(lab, "Available=True/AsExpected");
    expect(operator.turns).toEqual([true]);
  });

  it("1.5.9, 1.11.4: the platform's monitoring gets its rules once it is there, and the numbers that they are made of", async (context) => {
    const { lab, client } = await begin(context);
    const { classes, prometheusRules } = openshift;
    const operator = run(client, { ...general, controllerName: "openshift.io/gateway-controller" });
    await operator.served;
    await clusterOperatorIs(lab, "Degraded=False/AsExpected");
    await lab.client.create(crdType, openCrd(prometheusRules));
    const rules = () =>
      lab.client.get(prometheusRules, "gateway-api", "openshift-ingress-operator").catch(() => undefined);
    const found = await until("the rules", rules);
    expect((found["spec"] as { groups: { rules: object[] }[] }).groups[0]?.rules).toMatchObject([
      {
        record: "openshift:gateway_api_usage:count",
        expr: "max by (gateway_class_type) (gatewright_operator_gateways)",
      },
      { alert: "OrphanedOSSMSubscription", for: "1h", labels: { severity: "info" } },
    ]);
    await lab.client.patch(prometheusRules, "gateway-api", "openshift-ingress-operator", {
      spec: { groups: [] },
    });
    await until("them again", async () => JSON.stringify((await rules())?.["spec"] ?? {}).includes("record"));

    for (const [name, controllerName] of [
      ["ours", "openshift.io/gateway-controller"],
      ["theirs", "example.com/other"],
    ] as const) {
      await lab.client.create(classes, {
        apiVersion: "gateway.networking.k8s.io/v1",
        kind: "GatewayClass",
        metadata: { name },
        spec: { controllerName },
      });
      await lab.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: ${name}, namespace: default }
spec: { gatewayClassName: ${name}, listeners: [{ name: http, port: 80, protocol: HTTP }] }
`);
    }
    await until("they are counted", () => operator.numbers.gateways?.["not-openshift"] === 1);
    expect(operator.numbers).toMatchObject({
      isLeader: true,
      gateways: { openshift: 1, "not-openshift": 1 },
      failures: 0,
    });
    expect(operator.numbers.written.get("PrometheusRule")).toBe(2);
    for (const name of ["ours", "theirs"]) {
      await lab.kubectl("delete", "gateway", name, "-n", "default");
      await lab.kubectl("delete", "gatewayclass", name);
    }
  });

  it("1.11.3, 3.2.2, 3.2.3: ClusterOperator ingress names what belongs to us, and CRDs that do not; what others wrote stays", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client, general);
    await operator.served;
    for (const plural of ["zeds", "tests"])
      await client.create(crdType, {
        ...fakeCrd(plural, "gateway.networking.k8s.io"),
        spec: {
          ...(fakeCrd(plural, "gateway.networking.k8s.io")["spec"] as object),
          names: { plural, kind: plural === "zeds" ? "Zed" : "Test" },
        },
      });
    const both = "tests.gateway.networking.k8s.io,zeds.gateway.networking.k8s.io";
    await until(
      "both names",
      async () => (await messageOf(lab, "Degraded")) === `Unmanaged Gateway API CRDs found: ${both}.`,
    );
    await clusterOperatorIs(
      lab,
      "Degraded=True/GatewayAPICRDsDegraded",
      "EvaluationConditionsDetected=False/AsExpected",
    );
    const status = await statusOf(lab, clusterOperators, "ingress");
    expect(status.extension).toEqual({ unmanagedGatewayAPICRDNames: both });
    expect(status.relatedObjects).toEqual([
      { group: "", resource: "namespaces", name: "openshift-ingress" },
      { group: "gateway.networking.k8s.io", resource: "gatewayclasses", name: "" },
      { group: "gateway.networking.k8s.io", resource: "gateways", namespace: "openshift-ingress", name: "" },
    ]);
    for (const plural of ["zeds", "tests"])
      await client.delete(crdType, `${plural}.gateway.networking.k8s.io`);
    await clusterOperatorIs(lab, "Degraded=False/AsExpected");
    expect((await statusOf(lab, clusterOperators, "ingress")).extension).toBeUndefined();
  });

  it("3.3.2, 3.3.4, 3.3.5: the policy has the platform's name, user and messages", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client, general);
    await operator.served;
    const policy = await until("the policy", () => lab.client.get(policyType, policyName));
    expect((policy["spec"] as { validations: object[] }).validations).toMatchObject([
      {
        expression: `request.userInfo.username == "${username}"`,
        message:
          "Gateway API Custom Resource Definitions are managed by the Ingress Operator and may not be modified",
        reason: "Forbidden",
      },
      {
        message:
          'this user must have both "authentication.kubernetes.io/node-name" and "authentication.kubernetes.io/pod-name" claims',
        reason: "Forbidden",
      },
    ]);
    expect(await lab.client.get(bindingType, policyName)).toMatchObject({
      spec: { policyName, validationActions: ["Deny"] },
    });
    const labelled = { metadata: { labels: { "example.com/x": "1" } } };
    await until("its effect", async () =>
      (
        await refusal(lab.client.patch(crdType, "gateways.gateway.networking.k8s.io", undefined, labelled))
      ).includes("are managed by the Ingress Operator and may not be modified"),
    );
  });

  it("3.6.1 to 3.6.4, 3.6.6: the mode and its conditions are those of Ingress cluster; without its gate there is no mode", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client, general);
    await operator.served;
    await ingressIs(
      lab,
      "GatewayAPICRDsManaged=True/ManagedByIngressOperator",
      "GatewayAPICRDsPresent=True/CRDsFound",
      "GatewayAPICRDsCompliant=True/VersionMatch",
    );
    await lab.client.patch(ingresses, "cluster", undefined, {
      spec: { gatewayAPI: { managementMode: "Unmanaged" } },
    });
    await ingressIs(lab, "GatewayAPICRDsManaged=False/Unmanaged");
    expect(operator.mayWrite).toBe(false);
    expect(await lab.client.get(bindingType, policyName)).toBeUndefined();
    await clusterOperatorIs(lab, "Degraded=False/AsExpected", "Upgradeable=True/Upgradeable");
    const disabled = { featureGates: [{ disabled: [{ name: "GatewayAPIManagementMode" }] }] };
    await setGate(lab, { featureSet: "" }, disabled);
    await ingressIs(lab, "GatewayAPICRDsManaged=True/ManagedByIngressOperator");
    await until("the policy", () => lab.client.get(bindingType, policyName));
    await lab.client.patch(ingresses, "cluster", undefined, { spec: { gatewayAPI: null } });
    await setGate(lab, { featureSet: "" });
  });

  it.for(["proposal", "shipped"] as const)(
    "0.6, 1.10.2, 1.10.3: roles by the platform's names, compat %s",
    async (compat, context) => {
      const { lab, client } = await begin(context);
      const operator = run(client, { ...general, compat });
      await operator.served;
      const rulesOf = async (name: string) =>
        ((await lab.client.get(roleType, name))?.["rules"] ?? []) as {
          resources: string[];
          verbs: string[];
        }[];
      const [admin, view] = ["admin", "view"].map(
        (one) => `system:openshift:gateway-api:aggregate-to-${one}`,
      ) as [string, string];
      await until(
        "ReferenceGrants",
        async () =>
          (await rulesOf(view)).some(({ resources }) => resources.includes("referencegrants")) ===
          (compat === "shipped"),
      );
      const written = (await rulesOf(admin)).find(({ verbs }) => verbs.includes("create"));
      const resources = [
        "httproutes",
        "grpcroutes",
        "backendtlspolicies",
        "listenersets",
        "tlsroutes",
        "tcproutes",
        "udproutes",
      ];
      expect(written?.resources).toEqual(
        compat === "shipped" ? [...resources, "referencegrants"] : resources,
      );
      expect(written?.verbs).toEqual([
        "get",
        "list",
        "watch",
        "create",
        "update",
        "patch",
        "delete",
        "deletecollection",
      ]);
      expect((await lab.client.get(roleType, admin))?.metadata.labels).toEqual({
        "rbac.authorization.k8s.io/aggregate-to-admin": "true",
        "rbac.authorization.k8s.io/aggregate-to-edit": "true",
      });
      expect((await lab.client.get(roleType, view))?.metadata.labels).toEqual({
        "rbac.authorization.k8s.io/aggregate-to-view": "true",
      });
    },
  );
});

describe("Gateways that we serve ourselves", () => {
  const services = kindOf("", "v1", "services", "Service", true);
  const deployments = kindOf("apps", "v1", "deployments", "Deployment", true);
  const internal = {
    "service.beta.kubernetes.io/aws-load-balancer-internal": "true",
    "service.beta.kubernetes.io/azure-load-balancer-internal": "true",
    "cloud.google.com/load-balancer-type": "Internal",
  };

  it.for(["proposal", "shipped"] as const)(
    "0.1, 1.6.1 to 1.6.9, compat %s: have a Deployment and a load balancer by the platform's names, which go with them",
    async (compat, context) => {
      const { lab } = await begin(context);
      const namespace = `ingress-${compat}`;
      const { certificate, privateKey } = await makeSelfSigned(["*.stage.example.com"]);
      const base64 = (text: string) => Buffer.from(text).toString("base64");
      const controller = clusterController({
        kubeconfig: lab.kubeconfig,
        namespace: openshiftAccount.namespace,
        controllerNames: [controllerNames[compat]],
        driver: "embedded",
        channel: { listen: { address: "127.0.0.1", port: 0 }, host: "gatewright.example.com:18000" },
        images: { envoy: "envoy", gatewright: "gatewright" },
        electsLeader: false,
        allowExternalNames: false,
        version: "0.0.0-test",
        operator: { profile: "openshift", compat, bundle: pinnedBundle() },
      });
      await controller.start();
      try {
        await clusterOperatorIs(lab, "Available=True/AsExpected", "Degraded=False/AsExpected");
        await lab.apply(`
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace} }
---
apiVersion: v1
kind: Secret
metadata: { name: cert, namespace: ${namespace} }
type: kubernetes.io/tls
data: { tls.crt: ${base64(certificate)}, tls.key: ${base64(privateKey)} }
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: class-${compat} }
spec: { controllerName: ${controllerNames[compat]} }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: gateway, namespace: ${namespace}, annotations: { example.com/own: "1" }, labels: { own: "1" } }
spec:
  gatewayClassName: class-${compat}
  infrastructure: { annotations: ${JSON.stringify(internal)} }
  listeners:
    - { name: stage-http, port: 80, protocol: HTTP, hostname: "*.stage.example.com" }
    - name: stage-https
      port: 443
      protocol: HTTPS
      hostname: "*.stage.example.com"
      tls: { certificateRefs: [{ name: cert }] }
    - name: prod-https
      port: 443
      protocol: HTTPS
      hostname: "*.prod.example.com"
      tls: { certificateRefs: [{ name: cert }] }
`);
        const name = compat === "shipped" ? "gateway-class-shipped" : "gateway";
        const find = (type: ResourceType) => lab.client.get(type, name, namespace);
        const { metadata, spec } = (await until("the Service", () => find(services))) as KubernetesObject & {
          spec: { type: string; selector: object; ports: readonly object[] };
        };
        expect(metadata).toMatchObject({
          labels: { "gateway.istio.io/managed": controllerNames[compat].replaceAll("/", "-") },
          annotations: internal,
          ownerReferences: [{ kind: "Gateway", name: "gateway" }],
        });
        expect(metadata.annotations).not.toHaveProperty(["example.com/own"]);
        expect(metadata.labels).not.toHaveProperty("own");
        expect(spec.type).toBe("LoadBalancer");
        expect(spec.selector).toEqual(
          compat === "shipped"
            ? {
                "gateway.networking.k8s.io/gateway-name": "gateway",
                "gateway.networking.k8s.io/gateway-class-name": "class-shipped",
              }
            : { "istio.io/gateway-name": "gateway" },
        );
        expect(spec.ports).toMatchObject([
          { name: "status-port", port: 15_021, protocol: "TCP" },
          { name: "stage-http", port: 80, protocol: "TCP", appProtocol: "http" },
          { name: "stage-https", port: 443, protocol: "TCP", appProtocol: "https" },
        ]);
        await until("the Deployment", () => find(deployments));
        await lab.kubectl("delete", "gateway", "gateway", "-n", namespace);
        await until("both are gone", async () => !(await find(services)) && !(await find(deployments)));
      } finally {
        await controller.stop();
      }
    },
  );
});

describe("names", () => {
  const services: ResourceType = { ...configMaps, plural: "services", kind: "Service" };
  const gateways = kindOf("gateway.networking.k8s.io", "v1", "gateways", "Gateway", true);
  const dnses = kindOf("config.openshift.io", "v1", "dnses", "DNS");
  const long = { seconds: 90 };

  it("1.12.8 row 7, 1.7.2 to 1.7.4, 1.7.14, 1.8.3: DNSRecords of the platform's own kind, in its zones, with its Secret", async (context) => {
    const named = need(context, "named");
    const { lab, client } = await begin(context);
    for (const type of [dnses, openshift.infrastructures]) await lab.client.create(crdType, openCrd(type));
    await lab.client.create(
      crdType,
      customResourceDefinition(openshiftDnsRecordKind) as unknown as KubernetesObject,
    );
    await lab.kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all");
    const bind = await startBind(named, { zones: { "example.com": "" } });
    onTestFinished(() => bind.stop());
    const operator = run(client, {
      profile: "openshift",
      compat: "shipped",
      controllerName: controllerNames.shipped,
      // There is no cloud here: what AWS would publish, BIND does.
      loadDnsProvider: (name) =>
        name === "aws"
          ? Promise.resolve({
              createProvider: ({ credentials }) =>
                createProvider({ credentials, settings: { server: bind.server } }),
            })
          : undefined,
    });
    await until(
      "trouble",
      () => operator.troubles.some((one) => one.startsWith("DNS cluster: there is none")),
      long,
    );
    const secret = [...bind.credentials].map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
    await lab.apply(`
apiVersion: v1
kind: Namespace
metadata: { name: openshift-ingress }
---
apiVersion: v1
kind: Secret
metadata: { name: cloud-credentials, namespace: openshift-ingress-operator }
stringData:
${secret.join("\n")}
---
apiVersion: config.openshift.io/v1
kind: DNS
metadata: { name: cluster }
spec: { baseDomain: example.com, publicZone: { id: example.com } }
---
apiVersion: config.openshift.io/v1
kind: Infrastructure
metadata: { name: cluster }
status: { platformStatus: { type: AWS, aws: { region: eu-west-1 } } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: openshift-default }
spec: { controllerName: ${controllerNames.shipped} }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: gw, namespace: openshift-ingress }
spec:
  gatewayClassName: openshift-default
  listeners: [{ name: prod, hostname: "*.prod.example.com", port: 80, protocol: HTTP }]
`);
    const gateway = await lab.client.get(gateways, "gw", "openshift-ingress");
    const ownerReferences = [
      {
        apiVersion: "gateway.networking.k8s.io/v1",
        kind: "Gateway",
        name: "gw",
        uid: gateway?.metadata.uid ?? "",
      },
    ];
    // As the mesh makes it.
    const service = await lab.client.create(services, {
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name: "gw-openshift-default",
        namespace: "openshift-ingress",
        labels: { "gateway.networking.k8s.io/gateway-name": "gw" },
        ownerReferences,
      },
      spec: { type: "LoadBalancer", ports: [{ name: "http", port: 80 }] },
    });
    const record = () =>
      lab.client.get({ ...openshiftDnsRecordKind }, "gw-76456f8647-wildcard", "openshift-ingress");
    const found = await until("the record", record, long);
    expect(found).toMatchObject({
      metadata: {
        labels: { "gateway.networking.k8s.io/gateway-name": "gw" },
        finalizers: ["operator.openshift.io/ingress-dns"],
        ownerReferences: [{ apiVersion: "v1", kind: "Service", uid: service.metadata.uid }],
      },
      spec: { dnsName: "*.prod.example.com.", recordType: "A", recordTTL: 30 },
    });
    const [address] = (found["spec"] as { targets: string[] }).targets;
    await until("the name", async () => (await bind.resolve("x.prod.example.com"))[0] === address, long);
    await until(
      "conditions",
      async () => {
        const conditions = conditionsIn(await lab.client.get(gateways, "gw", "openshift-ingress"));
        return (
          shortly(conditions, "DNSReady") === "DNSReady=True/AllListenersReady" &&
          shortly(conditions, "LoadBalancerReady") === "LoadBalancerReady=True/LoadBalancerProvisioned"
        );
      },
      long,
    );
    await lab.kubectl("delete", "gateway", "gw", "-n", "openshift-ingress");
    await until("no record", async () => (await record()) === undefined, long);
    expect(await bind.resolve("x.prod.example.com")).toEqual([]);
  });
});
