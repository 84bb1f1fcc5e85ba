// The product's own client against a real API server: what a stand-in only claims to do.

import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import {
  KubernetesError,
  kubernetesClient,
  leaderElection,
  loadCredentials,
  watchObjects,
  type Credentials,
  type KubernetesClient,
  type ResourceType,
} from "../../src/kubernetes/index.ts";
import { RecordingHandler } from "../kubernetes/recording-handler.ts";
import { configMaps, leases } from "../kubernetes/resource-types.ts";
import { until, useLab, type Lab } from "./lab.ts";

const useIt = useLab();
let lab: Lab;
let client: KubernetesClient;
const begin = async (context: TestContext): Promise<void> => {
  lab = await useIt(context);
  const credentials = await loadCredentials({ kubeconfig: lab.kubeconfig });
  client = kubernetesClient({
    credentials,
    userAgent: "test",
    fieldManager: "test",
    pingEvery: 1_000,
    connectTimeout: 2_000,
  });
  onTestFinished(() => client.close());
};

const configMap = (name: string, data: Record<string, string> = {}, namespace = "default") => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, labels: { test: "client" } },
  data,
});

const failureOf = (promise: Promise<unknown>): Promise<KubernetesError> =>
  promise.then(
    () => {
      throw new Error("it went well");
    },
    (error: unknown) => error as KubernetesError,
  );

function watch(
  type: ResourceType,
  options: { namespace?: string; fieldSelector?: string; by?: KubernetesClient } = {},
) {
  const { by = client, ...selection } = options;
  const handler = new RecordingHandler();
  const watched = watchObjects(by, { type, labelSelector: "test=client", ...selection }, handler);
  onTestFinished(() => watched.stop());
  return { handler, watched };
}

describe("the client", () => {
  it("creates, reads, changes and deletes", async (context) => {
    await begin(context);
    const created = await client.create(configMaps, configMap("crud", { k: "1" }));
    const replaced = await client.replace(configMaps, { ...created, data: { k: "2" } });
    expect(await failureOf(client.replace(configMaps, created))).toMatchObject({
      isConflict: true,
      isAlreadyExists: false,
    });
    expect(await failureOf(client.create(configMaps, configMap("crud")))).toMatchObject({
      isAlreadyExists: true,
    });
    const stale = { metadata: { resourceVersion: created.metadata.resourceVersion }, data: { k: "3" } };
    expect(await failureOf(client.patch(configMaps, "crud", "default", stale))).toMatchObject({
      isConflict: true,
    });
    const fresh = { ...stale, metadata: { resourceVersion: replaced.metadata.resourceVersion } };
    expect(await client.patch(configMaps, "crud", "default", fresh)).toMatchObject({ data: { k: "3" } });
    const applied = await client.apply(configMaps, configMap("crud", { mine: "1" }), { force: true });
    expect(applied).toMatchObject({ data: { k: "3", mine: "1" } });
    await client.delete(configMaps, "crud", "default", { uid: "another" });
    expect(await client.get(configMaps, "crud", "default")).toBeDefined();
    await client.delete(configMaps, "crud", "default", {
      uid: created.metadata.uid ?? "",
      propagation: "Background",
    });
    await client.delete(configMaps, "crud", "default");
    expect(await client.get(configMaps, "crud", "default")).toBeUndefined();
  });

  it("lists by pages", async (context) => {
    await begin(context);
    const credentials = await loadCredentials({ kubeconfig: lab.kubeconfig });
    const paging = kubernetesClient({ credentials, userAgent: "test", fieldManager: "test", pageSize: 7 });
    onTestFinished(() => paging.close());
    await client.create(
      { ...configMaps, plural: "namespaces", namespaced: false },
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "pages" } },
    );
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => client.create(configMaps, configMap(`page-${i}`, {}, "pages"))),
    );
    const { items, resourceVersion } = await paging.list(configMaps, {
      namespace: "pages",
      labelSelector: "test=client",
    });
    expect(new Set(items.map(({ metadata }) => metadata.name)).size).toBe(50);
    expect(items[0]).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    expect(resourceVersion).toMatch(/^\d+$/);
  });

  it("says what a ServiceAccount may not, and reads by name where that is all it may", async (context) => {
    await begin(context);
    await lab.apply(`
apiVersion: v1
kind: ServiceAccount
metadata: { name: reader, namespace: default }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: reader, namespace: default }
rules:
  - apiGroups: [""]
    resources: ["secrets"]
    resourceNames: ["wanted"]
    verbs: ["get", "list", "watch"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: reader, namespace: default }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader }
subjects: [{ kind: ServiceAccount, name: reader, namespace: default }]
---
apiVersion: v1
kind: Secret
metadata: { name: wanted, namespace: default }
stringData: { k: v }
---
apiVersion: v1
kind: Secret
metadata: { name: other, namespace: default }
`);
    const token = (await lab.kubectl("create", "token", "reader")).trim();
    const admin = await loadCredentials({ kubeconfig: lab.kubeconfig });
    const credentials: Credentials = {
      ...admin,
      tls: async () => {
        const { cert: _cert, key: _key, ...rest } = await admin.tls();
        return rest;
      },
      headers: async () => ({ authorization: `Bearer ${token}` }),
    };
    const reader = kubernetesClient({ credentials, userAgent: "test", fieldManager: "test" });
    onTestFinished(() => reader.close());
    const secrets: ResourceType = { ...configMaps, plural: "secrets", kind: "Secret" };
    const handler = new RecordingHandler();
    const wanted = watchObjects(
      reader,
      { type: secrets, namespace: "default", fieldSelector: "metadata.name=wanted" },
      handler,
    );
    onTestFinished(() => wanted.stop());
    await wanted.synced;
    expect(handler.names).toEqual(["wanted"]);
    const refused = watch(secrets, { namespace: "default", by: reader });
    await until("a refusal", () => refused.handler.troubles.length > 0);
    expect(refused.handler.troubles[0]).toMatchObject({
      kind: "forbidden",
      message: expect.stringContaining(
        "May not list secrets in namespace default: a Role must allow",
      ) as string,
    });
  });
});

describe("a watch", () => {
  it.for(["restarted", "killed after a compaction", "paused"])(
    "loses nothing when the API server is %s",
    { timeout: 60_000 },
    async (how, context) => {
      await begin(context);
      const { faults } = lab;
      const { handler, watched } = watch(configMaps, { namespace: "default" });
      await watched.synced;
      const name = how.replaceAll(" ", "-");
      await client.create(configMaps, configMap(`before-${name}`));
      await until("the object", () => handler.names.includes(`before-${name}`));
      if (how === "restarted") await faults.restartApiServer();
      if (how === "killed after a compaction") {
        await faults.compactEtcd();
        await faults.restartApiServer();
      }
      if (how === "paused") {
        faults.pauseApiServer();
        await until("trouble", () => handler.troubles.at(-1)?.kind === "unreachable", { seconds: 30 });
        faults.resumeApiServer();
      }
      await until("the server", () =>
        lab.client.create(configMaps, configMap(`after-${name}`)).catch(() => undefined),
      );
      await lab.client.delete(configMaps, `before-${name}`, "default");
      await until(
        "what happened meanwhile",
        () => handler.names.includes(`after-${name}`) && !handler.names.includes(`before-${name}`),
        { seconds: 30 },
      );
      expect(handler.faults).toEqual([]);
    },
  );

  it("waits for a CustomResourceDefinition, and notices when it goes", async (context) => {
    await begin(context);
    const widgets: ResourceType = {
      group: "test.example",
      version: "v1",
      plural: "widgets",
      kind: "Widget",
      namespaced: true,
    };
    const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.test.example }
spec:
  group: test.example
  scope: Namespaced
  names: { plural: widgets, kind: Widget, singular: widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
    const widget = `{ apiVersion: test.example/v1, kind: Widget, metadata: { name: w, namespace: default, labels: { test: client } } }`;
    const { handler } = watch(widgets);
    await until("trouble", () => handler.troubles[0]?.kind === "not-served");
    for (let i = 0; i < 2; i++) {
      await lab.apply(definition);
      await until("the widget", () => lab.apply(widget).catch(() => undefined), { seconds: 30 });
      await until("the object", () => handler.names.join() === "w", { seconds: 30 });
      await lab.delete(definition);
      await until(
        "its absence",
        () => handler.names.length === 0 && handler.troubles.at(-1)?.kind === "not-served",
        {
          seconds: 30,
        },
      );
    }
    expect(handler.faults).toEqual([]);
  }, 120_000);
});

describe("leader election", () => {
  it("hands over when the leader stops, and outlives a restart of the API server", async (context) => {
    await begin(context);
    const log: string[] = [];
    const times = { leaseDuration: 6_000, renewDeadline: 4_000, retryPeriod: 300 };
    const candidates = ["a", "b"].map((identity) =>
      leaderElection(
        client,
        { namespace: "default", name: "lab", identity, ...times },
        { started: () => log.push(`${identity} started`), stopped: () => log.push(`${identity} stopped`) },
      ),
    );
    onTestFinished(async () => {
      for (const candidate of candidates) await candidate.stop();
    });
    const leaders = () => candidates.filter(({ isLeader }) => isLeader);
    await until("a leader", () => leaders().length === 1);
    const [first] = leaders();
    await lab.faults.restartApiServer();
    await until("a leader", () => leaders().length === 1);
    await first?.stop();
    await until("another leader", () => leaders().length === 1 && leaders()[0] !== first);
    const lease = await client.get(leases, "lab", "default");
    expect(lease).toMatchObject({ spec: { leaseDurationSeconds: 6 } });
  }, 120_000);
});
