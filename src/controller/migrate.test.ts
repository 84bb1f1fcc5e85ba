import { describe, expect, it } from "vitest";
import { parseResource, type Resource } from "../resources/index.ts";
import { memorySource } from "../sources/index.ts";
import { migrateFrom, type Migrated } from "./migrate.ts";

function parsed(object: object): Resource {
  const result = parseResource(object);
  if (result.outcome !== "resource") throw new Error(JSON.stringify(result));
  return result.resource;
}

const backend = { service: { name: "web", port: { number: 80 } } };

function ingress(name: string, spec: object): Resource {
  return parsed({
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name, namespace: "shop" },
    spec,
  });
}

const secured = (host: string) =>
  ingress(host.replaceAll(".", "-"), {
    tls: [{ hosts: [host], secretName: "tls" }],
    rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
  });

const gateway = parsed({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "Gateway",
  metadata: { name: "web", namespace: "infra" },
  spec: { gatewayClassName: "gatewright", listeners: [{ name: "plain", port: 80, protocol: "HTTP" }] },
});

const migrate = (...objects: readonly Resource[]) =>
  migrateFrom(memorySource(objects), { gateway: "infra/web", gatewayClass: "gatewright" });

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly listeners: readonly object[];
    readonly parentRefs: readonly object[];
    readonly rules: readonly object[];
  };
}

const ofKind = ({ objects }: Migrated, kind: string) =>
  objects.map(({ object }) => object as unknown as Printed).filter((object) => object.kind === kind);

describe("migrating Ingresses", () => {
  it("adds to a Gateway that is there already by a ListenerSet", async () => {
    const migrated = await migrate(gateway, secured("a.test"));
    expect(ofKind(migrated, "Gateway")).toEqual([]);
    expect(ofKind(migrated, "ListenerSet")).toMatchObject([
      { metadata: { namespace: "infra", name: "web-tls" }, spec: { parentRef: { name: "web" } } },
    ]);
    expect(migrated.notes).toMatchObject([{ object: "Gateway infra/web", outcome: "lost" }]);
    expect(ofKind(migrated, "ReferenceGrant")).toMatchObject([{ spec: { from: [{ kind: "ListenerSet" }] } }]);
    expect(ofKind(migrated, "HTTPRoute").map(({ spec }) => spec.parentRefs)).toEqual([
      [{ name: "web", namespace: "infra", sectionName: "plain" }],
      [
        {
          group: "gateway.networking.k8s.io",
          kind: "ListenerSet",
          name: "web-tls",
          namespace: "infra",
          sectionName: "https-1",
        },
      ],
    ]);
  });

  it("keeps within the API's limits: 64 listeners, 16 rules", async () => {
    const hosts = Array.from({ length: 70 }, (_, index) => secured(`h${index}.test`));
    const paths = Array.from({ length: 20 }, (_, index) => ({
      path: `/${index}`,
      pathType: "Prefix",
      backend,
    }));
    const migrated = await migrate(
      ...hosts,
      ingress("many", { rules: [{ host: "many.test", http: { paths } }] }),
    );
    expect(ofKind(migrated, "Gateway").map(({ spec }) => spec.listeners.length)).toEqual([64]);
    expect(ofKind(migrated, "ListenerSet").map(({ spec }) => spec.listeners.length)).toEqual([7]);
    const many = ofKind(migrated, "HTTPRoute").filter(({ metadata }) => metadata.name.startsWith("many"));
    expect(many.map(({ metadata, spec }) => [metadata.name, spec.rules.length])).toEqual([
      ["many", 16],
      ["many-part-2", 4],
    ]);
    for (const { object } of migrated.objects) expect(() => parsed(object)).not.toThrow();
  });

  it("has nothing to print without Ingresses", async () => {
    expect(await migrate(gateway)).toMatchObject({ objects: [], notes: [] });
  });
});
