/**
 * What an admin decides, and what the operator does then: the gate, succession from an older release, management modes, roles. The
 * cases build on each other: one cluster goes from an older release of the Gateway API to this one.
 */
import { describe, expect, it, type TestContext } from "vitest";
import { readCrdBundle } from "../../scripts/crd-bundle.mjs";
import { compareCrds, exportCrds } from "../../src/controller/index.ts";
import type { KubernetesClient, KubernetesObject } from "../../src/kubernetes/index.ts";
import { need } from "../components/need.ts";
import { useOperator } from "../operator/operator-lab.ts";
import {
  askPlatform,
  bindingType,
  clientAs,
  crdsIn,
  crdType,
  fakeCrd,
  pinnedBundle,
  platformIs,
  platformStatus,
  policyType,
  refusal,
  roleType,
  runOperator,
  safeUpgrades,
  specsOf,
} from "../operator/platform.ts";
import { until, type Lab } from "./lab.ts";

const { begin, run } = useOperator();
const policyName = "gatewright-gateway-api-crds";
const { standard } = pinnedBundle().channels;

let backup: readonly KubernetesObject[] = [];

const older = (context: TestContext) => {
  const bundle = readCrdBundle(need(context, "gateway-api-v1.5.1"), "v1.5.1");
  if (!bundle) throw new Error("no bundle");
  return bundle.channels.standard;
};

const objects = `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: ours }
spec: { controllerName: example.com/none }
---
apiVersion: gateway.networking.k8s.io/v1beta1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: ours
  listeners: [{ name: http, port: 80, protocol: HTTP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  rules: [{ backendRefs: [{ name: web, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: TLSRoute
metadata: { name: tls, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [a.example.com]
  rules: [{ backendRefs: [{ name: web, port: 443 }] }]
---
apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata: { name: grant, namespace: shop }
spec:
  from: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: blog }]
  to: [{ group: "", kind: Service }]
`;
const userObjects = async (lab: Lab) => {
  const kinds = "gatewayclasses,gateways,httproutes,tlsroutes,referencegrants";
  const list = JSON.parse(await lab.kubectl("get", kinds, "-A", "-o", "json")) as {
    items: KubernetesObject[];
  };
  return list.items.map(({ kind, metadata: { name, uid, generation }, spec }) => ({
    kind,
    name,
    uid,
    generation,
    spec,
  }));
};

describe("a release in preview", () => {
  it("3.4.1 to 3.4.5, 3.7.1: asks for consent while there are CRDs, and holds the next release up while they differ", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client, { maturity: "tech-preview", checkEvery: 200 });
    await platformIs(lab, "Upgradeable=True/Upgradeable", "Available=False/FeatureGateDisabled");
    const gates = async () => (await platformStatus(lab)).adminGates;
    expect(await gates()).toBeUndefined();

    // Those that the next release expects: it may come, once the admin agrees.
    const [first] = standard.crds;
    await lab.client.create(crdType, first as KubernetesObject);
    await until("the gate", gates);
    await platformIs(lab, "Upgradeable=True/Upgradeable");
    expect(await gates()).toMatchObject([{ name: "gateway-api-crd-management", acknowledged: false }]);
    await askPlatform(lab, { acknowledgements: ["gateway-api-crd-management"] });
    await until("it is taken notice of", async () => (await gates())?.[0]?.acknowledged);
    await askPlatform(lab, { acknowledgements: null });

    // One more that it does not: it must wait.
    await lab.client.create(crdType, fakeCrd("tests", "gateway.networking.x-k8s.io"));
    await platformIs(lab, "Upgradeable=False/GatewayAPICRDsNotCompatible");
    const said = (await platformStatus(lab)).conditions.find(({ type }) => type === "Upgradeable")?.message;
    expect(said).toContain("tests.gateway.networking.x-k8s.io");

    // None: nothing to agree to.
    for (const { metadata } of await crdsIn(lab.client)) await lab.client.delete(crdType, metadata.name);
    await platformIs(lab, "Upgradeable=True/Upgradeable");
    await until("no gate", async () => (await gates()) === undefined);
    expect(operator.written).toEqual([]);
  });

  it("3.4.4: finds the CRDs of an older release incompatible", async (context) => {
    const { lab, client } = await begin(context);
    const { crds, safeUpgrades: guards } = older(context);
    for (const crd of crds) await lab.client.create(crdType, crd);
    await lab.client.create(policyType, guards.policy);
    await lab.client.create(bindingType, guards.binding);
    await lab.kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all");
    await lab.apply(objects);
    run(client, { maturity: "tech-preview", checkEvery: 200 });
    await platformIs(lab, "Upgradeable=False/GatewayAPICRDsNotCompatible");
    const said = (await platformStatus(lab)).conditions.find(({ type }) => type === "Upgradeable")?.message;
    expect(said).toContain("httproutes.gateway.networking.k8s.io");
  });

  it("3.4.7: an admin sees how they differ, and keeps them for the way back", async (context) => {
    const { lab } = await begin(context);
    const { differences, deadFields } = await compareCrds(
      { kubeconfig: lab.kubeconfig },
      "standard",
      pinnedBundle(),
    );
    expect(differences).toHaveLength(10);
    expect(differences).toContainEqual({
      crd: "tcproutes.gateway.networking.k8s.io",
      how: "is missing",
      added: [],
      absent: [],
    });
    expect(differences.find(({ crd }) => crd.startsWith("gateways."))?.how).toBe(
      "is v1.5.1, standard channel",
    );
    expect(deadFields).toEqual([]);
    backup = await exportCrds({ kubeconfig: lab.kubeconfig });
    expect(specsOf(backup.filter(({ kind }) => kind === "CustomResourceDefinition"))).toEqual(
      specsOf(older(context).crds),
    );
    expect(backup.map(({ kind }) => kind).slice(-2)).toEqual([
      "ValidatingAdmissionPolicy",
      "ValidatingAdmissionPolicyBinding",
    ]);
  });
});

describe("the release after it", () => {
  it("1.1.3: does and watches nothing while the gate is off", async (context) => {
    const { lab, client } = await begin(context);
    await askPlatform(lab, { featureGates: { GatewayAPI: false } });
    const asked: string[] = [];
    const listening: KubernetesClient = {
      ...methodsOf(client),
      list: (type, options) => {
        asked.push(`list ${type.plural}`);
        return client.list(type, options);
      },
      open: (request) => {
        asked.push(`watch ${new URL(request.path, "https://x").pathname}`);
        return client.open(request);
      },
    };
    const before = specsOf(await crdsIn(lab.client));
    const operator = run(listening);
    await platformIs(lab, "Available=False/FeatureGateDisabled");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(new Set(asked)).toEqual(
      new Set(["list platforms", "watch /apis/gatewright.dev/v1alpha1/platforms"]),
    );
    expect(operator.written).toEqual([]);
    expect(operator.turns).toEqual([]);
    expect(specsOf(await crdsIn(lab.client))).toEqual(before);
  });

  it("3.4.6, 3.5.1: leaves CRDs alone by the unsupported override", async (context) => {
    const { lab, client } = await begin(context);
    await askPlatform(lab, { featureGates: null, unsupportedConfigOverrides: { keepCRDs: true } });
    const operator = run(client);
    await operator.served;
    await platformIs(lab, "GatewayAPICRDsManaged=False/UnsupportedConfigOverride");
    await platformIs(lab, "GatewayAPICRDsCompliant=False/VersionMismatch", "Degraded=False/AsExpected");
    expect(specsOf(await crdsIn(lab.client))).toEqual(specsOf(older(context).crds));
    expect(await lab.client.get(policyType, policyName)).toBeUndefined();
    expect(operator.mayWrite).toBe(true);
  });

  it("3.4.6, 3.1.3: takes CRDs over although nobody agreed, leaves the question behind, and keeps what users have made", async (context) => {
    const { lab, client } = await begin(context);
    const before = await userObjects(lab);
    expect(before).toHaveLength(5);
    await askPlatform(lab, { unsupportedConfigOverrides: null });
    const operator = run(client);
    await platformIs(lab, "GatewayAPICRDsCompliant=True/VersionMatch", "Degraded=False/AsExpected");
    await operator.served;
    expect(specsOf(await crdsIn(lab.client))).toEqual(specsOf(standard.crds));
    expect(await userObjects(lab)).toEqual(before);
    expect((await platformStatus(lab)).adminGates).toMatchObject([{ acknowledged: false }]);
    expect(await lab.kubectl("get", "tcproutes", "-A")).toBe("");
  });
});

describe("the gate", () => {
  it("off again: nothing is torn down, nothing more is managed; on again: everything is", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    await askPlatform(lab, { featureGates: { GatewayAPI: false } });
    await platformIs(lab, "Available=False/FeatureGateDisabled");
    expect(operator.mayWrite).toBe(false);
    expect(await crdsIn(lab.client)).toHaveLength(10);
    await until("no policy", async () => (await lab.client.get(bindingType, policyName)) === undefined);
    operator.written.length = 0;
    await until(
      "nobody is kept from it",
      async () =>
        (await refusal(lab.client.delete(crdType, "udproutes.gateway.networking.k8s.io"))) === "allowed",
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(operator.written).toEqual([]);
    await askPlatform(lab, { featureGates: null });
    await platformIs(lab, "Available=True/AsExpected", "Progressing=False/AsExpected");
    expect(await crdsIn(lab.client)).toHaveLength(10);
    expect(await lab.client.get(bindingType, policyName)).toBeDefined();
    expect(operator.turns).toEqual([true, false, true]);
  });

  it("of two replicas only the one that leads writes, and the other goes on where it stopped", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    operator.lead(false);
    const other = runOperator(client);
    await Promise.all([operator.served, other.served]);
    await client.delete(crdType, "udproutes.gateway.networking.k8s.io");
    await until("it again", async () => other.written.length > 0);
    expect(operator.written).toEqual([]);
    await other.stop();
    operator.lead(true);
    await client.delete(crdType, "tcproutes.gateway.networking.k8s.io");
    await until("it again, from the other", async () => operator?.written.length);
    await platformIs(lab, "Available=True/AsExpected", "Progressing=False/AsExpected");
    expect(await crdsIn(lab.client)).toHaveLength(10);
  });
});

describe("management modes", () => {
  it("0.11, 3.6.1 to 3.6.3, 3.5.2: unmanaged: the controller stops, then the policy goes, then nothing is done; fields that have no effect are told of", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    await platformIs(
      lab,
      "GatewayAPICRDsManaged=True/ManagedByIngressOperator",
      "GatewayAPICRDsPresent=True/CRDsFound",
      "GatewayAPICRDsCompliant=True/VersionMatch",
    );
    await askPlatform(lab, { crds: { managementMode: "Unmanaged" } });
    await platformIs(lab, "GatewayAPICRDsManaged=False/Unmanaged", "GatewayAPICRDsPresent=True/CRDsFound");
    expect(operator.turns.at(-1)).toBe(false);
    expect(await lab.client.get(bindingType, policyName)).toBeUndefined();
    expect(await lab.client.get(policyType, policyName)).toBeUndefined();
    expect(await crdsIn(lab.client)).toHaveLength(10);
    expect(await userObjects(lab)).toHaveLength(5);

    const name = "httproutes.gateway.networking.k8s.io";
    const crd = (await lab.client.get(crdType, name)) as KubernetesObject;
    const spec = structuredClone(crd["spec"]) as {
      versions: {
        schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } };
      }[];
    };
    const properties = spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {};
    properties["future"] = { type: "object", properties: { inner: { type: "string" } } };
    await until(
      "nobody is kept from it",
      async () => (await refusal(lab.client.replace(crdType, { ...crd, spec }))) === "allowed",
    );
    await platformIs(
      lab,
      "GatewayAPICRDsCompliant=False/VersionMismatch",
      "Degraded=False/AsExpected",
      "Upgradeable=True/Upgradeable",
    );
    expect((await platformStatus(lab)).deadFields).toEqual([
      { crd: name, version: "v1", fields: ["spec.future"] },
    ]);
    expect(operator.written.filter((what) => !what.startsWith("ClusterRole"))).toEqual([]);
  });

  it("3.6.4, 3.6.5: managed again: others than expected are not overwritten, also by another process, until they are put right", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await askPlatform(lab, { crds: { managementMode: null } });
    await until("it is not managed", async () =>
      (await platformStatus(lab)).conditions
        .find(({ type }) => type === "GatewayAPICRDsManaged")
        ?.message.includes("not overwritten"),
    );
    await platformIs(
      lab,
      "GatewayAPICRDsManaged=False/Unmanaged",
      "GatewayAPICRDsCompliant=False/VersionMismatch",
      "Degraded=False/AsExpected",
      "Upgradeable=True/Upgradeable",
    );
    expect(operator.mayWrite).toBe(false);
    expect(operator.written).toEqual([]);
    expect(await lab.client.get(policyType, policyName)).toBeUndefined();
    await lab.client.delete(crdType, "httproutes.gateway.networking.k8s.io");
    await platformIs(
      lab,
      "GatewayAPICRDsManaged=True/ManagedByIngressOperator",
      "GatewayAPICRDsCompliant=True/VersionMatch",
    );
    await until("the policy", () => lab.client.get(bindingType, policyName));
    expect(operator.mayWrite).toBe(true);
    expect((await platformStatus(lab)).deadFields).toBeUndefined();
  });
});

describe("roles", () => {
  const adminRole = "gatewright:gateway-api:aggregate-to-admin";
  const viewRole = "gatewright:gateway-api:aggregate-to-view";

  it("1.10.1, 1.10.2, 1.10.5: an admin or editor of a namespace makes routes and reads Gateways; only who was given it makes Gateways", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    await lab.apply(
      ["admin", "edit", "view"]
        .map(
          (role) => `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: ${role}, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${role} }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: ${role}-of-shop }]`,
        )
        .join("\n---"),
    );
    await lab.kubectl(
      "create",
      "role",
      "gateway-operator",
      "-n",
      "shop",
      "--verb=*",
      "--resource=gateways.gateway.networking.k8s.io",
    );
    await lab.kubectl(
      "create",
      "rolebinding",
      "gateway-operator",
      "-n",
      "shop",
      "--role=gateway-operator",
      "--user=operator-of-shop",
    );
    const can = async (user: string, verb: string, what: string) => {
      const answer = await lab
        .kubectl("auth", "can-i", verb, `${what}.gateway.networking.k8s.io`, "-n", "shop", `--as=${user}`)
        .catch((error: { stdout?: string }) => error.stdout ?? "");
      return answer.trim().startsWith("yes");
    };
    await until("the roles are put together", () => can("view-of-shop", "get", "httproutes"));
    await until("the roles are put together", () => can("admin-of-shop", "create", "httproutes"));
    const routes = ["httproutes", "grpcroutes", "tlsroutes", "udproutes"];
    for (const user of ["admin-of-shop", "edit-of-shop"]) {
      for (const route of routes)
        expect([user, route, await can(user, "create", route)]).toEqual([user, route, true]);
      expect([user, await can(user, "deletecollection", "tcproutes")]).toEqual([user, true]);
      expect([user, await can(user, "list", "gateways")]).toEqual([user, true]);
      expect([user, await can(user, "create", "gateways")]).toEqual([user, false]);
      expect([user, await can(user, "get", "gatewayclasses")]).toEqual([user, false]);
      expect([user, await can(user, "get", "referencegrants")]).toEqual([user, false]);
    }
    expect(await can("view-of-shop", "watch", "gateways")).toBe(true);
    expect(await can("view-of-shop", "create", "httproutes")).toBe(false);

    const gateway = {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "Gateway",
      metadata: { name: "mine", namespace: "shop" },
      spec: { gatewayClassName: "ours", listeners: [{ name: "http", port: 80, protocol: "HTTP" }] },
    };
    const gateways = {
      group: "gateway.networking.k8s.io",
      version: "v1",
      plural: "gateways",
      kind: "Gateway",
      namespaced: true,
    };
    const [admin, gatewayOperator] = [
      await clientAs(lab, { as: "admin-of-shop" }),
      await clientAs(lab, { as: "operator-of-shop" }),
    ];
    expect(await refusal(admin.create(gateways, gateway))).toContain("forbidden");
    expect(await refusal(gatewayOperator.create(gateways, gateway))).toBe("allowed");
    await Promise.all([admin.close(), gatewayOperator.close()]);
  });

  it("1.10.4: are put right when they were changed or removed; an admin's own additions stay", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    const found = await until("the role", () => lab.client.get(roleType, adminRole));
    await lab.apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: own-addition
  labels: { rbac.authorization.k8s.io/aggregate-to-edit: "true" }
rules: [{ apiGroups: [gateway.networking.k8s.io], resources: [gateways], verbs: [create] }]
`);
    await lab.client.replace(roleType, {
      ...found,
      metadata: {
        ...found.metadata,
        labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" },
        annotations: { "example.com/note": "mine" },
      },
      rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
    });
    const restored = await until("the rules", async () => {
      const now = await lab.client.get(roleType, adminRole);
      return JSON.stringify(now?.["rules"]) === JSON.stringify(found["rules"]) ? now : undefined;
    });
    expect(restored.metadata.labels).toEqual(found.metadata.labels);
    expect(restored.metadata.annotations).toMatchObject({ "example.com/note": "mine" });
    await lab.client.delete(roleType, viewRole);
    await until("it again", () => lab.client.get(roleType, viewRole));
    expect(await lab.client.get(roleType, "own-addition")).toMatchObject({ rules: [{ verbs: ["create"] }] });
  });
});

describe("the way back", () => {
  it("3.4.7: the backup is applied once nobody manages the CRDs and the Gateway API's policy is gone; what users have made stays", async (context) => {
    const { lab, client } = await begin(context);
    const before = await userObjects(lab);
    const operator = run(client);
    await operator.served;
    await askPlatform(lab, { crds: { managementMode: "Unmanaged" } });
    await platformIs(lab, "GatewayAPICRDsManaged=False/Unmanaged");
    await lab.kubectl("delete", "validatingadmissionpolicybinding,validatingadmissionpolicy", safeUpgrades);
    const documents = backup.map((object) => JSON.stringify(object)).join("\n---\n");
    await until("it is applied", () => lab.apply(documents).catch(() => undefined));
    const found = await crdsIn(lab.client);
    const names = new Set(older(context).crds.map(({ metadata }) => metadata.name));
    expect(specsOf(found.filter(({ metadata }) => names.has(metadata.name)))).toEqual(
      specsOf(older(context).crds),
    );
    expect((await userObjects(lab)).map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid));
    await platformIs(lab, "GatewayAPICRDsCompliant=False/VersionMismatch", "Degraded=False/AsExpected");
  });
});

/** Of a class instance, bound. */
function methodsOf(client: KubernetesClient): KubernetesClient {
  return {
    fieldManager: client.fieldManager,
    server: client.server,
    get: (...args) => client.get(...args),
    list: (...args) => client.list(...args),
    create: (...args) => client.create(...args),
    replace: (...args) => client.replace(...args),
    replaceStatus: (...args) => client.replaceStatus(...args),
    apply: (...args) => client.apply(...args),
    patch: (...args) => client.patch(...args),
    delete: (...args) => client.delete(...args),
    request: (...args) => client.request(...args),
    open: (...args) => client.open(...args),
    close: () => client.close(),
  };
}
