/** What must hold whatever happens. The numbers are those of the list of attack and fault cases. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freePort } from "../../src/driver-kit/traffic/free-port.ts";
import { requestHttp1 } from "../../src/driver-kit/traffic/http-client.ts";
import { modelKinds } from "../../src/model/index.ts";
import { memorySource } from "../../src/sources/index.ts";
import { httpBackend } from "./support/backends.ts";
import {
  keyOf,
  objectsIn,
  startGateway,
  startGatewayFrom,
  type GatewayUnderTest,
} from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, service } from "./support/objects.ts";

const toWeb = `
  rules:
    - backendRefs: [{ name: web, port: 80 }]`;

const grant = `
---
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: { name: from-shop, namespace: backend }
spec:
  from: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: shop }]
  to: [{ group: "", kind: Service }]
`;

describe("invariant 1: the last good configuration keeps serving", () => {
  it("when the source is gone", async () => {
    const web = await httpBackend("web");
    const source = memorySource(objectsIn(httpGateway + httpRoute(toWeb) + service("web", [web.port])));
    const gateway = await startGatewayFrom(source);
    await source.stop();
    for (let request = 0; request < 5; request++) expect((await gateway.get({})).from).toBe("web");
  });

  it("when statuses cannot be written", async () => {
    const web = await httpBackend("web");
    const source = memorySource(objectsIn(httpGateway + httpRoute(toWeb)));
    source.writeStatuses = () => Promise.reject(new Error("the disk is full"));
    const gateway = await startGatewayFrom(source);
    for (const resource of objectsIn(service("web", [web.port]))) source.set(resource);
    await gateway.controller.settled();
    expect((await gateway.get({})).from).toBe("web");
    expect(gateway.faults.length).toBeGreaterThan(0);
  });
});

describe("invariant 2: a bad object changes only its own routes and status", () => {
  it("and the model of everybody else stays the same, byte for byte", async () => {
    const web = await httpBackend("web");
    const gateway = await startGateway(
      httpGateway + httpRoute(`  hostnames: [good.test]${toWeb}`) + service("web", [web.port]),
    );
    const before = modelOf(gateway);
    const hostile = [
      httpRoute('  rules: [{ matches: [{ path: { type: RegularExpression, value: "(((" } }] }]', "regex"),
      httpRoute(
        "  rules: [{ backendRefs: [{ name: nowhere, port: 1 }, { name: web, namespace: kube-system, port: 80 }] }]\n  hostnames: [bad.test]",
        "refs",
      ),
      httpRoute(
        "  hostnames: [bad.test]\n  rules: [{ filters: [{ type: ExtensionRef, extensionRef: { group: a.b, kind: C, name: d } }] }]",
        "filter",
      ),
      httpRoute("  hostnames: [bad.test]", "parent").replace(
        "{ name: web }",
        "{ name: web, sectionName: none }",
      ),
      `
---
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: { name: uninvited, namespace: blog }
spec:
  parentRef: { name: web, namespace: shop }
  listeners: [{ name: tcp, port: 80, protocol: TCP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata: { name: uninvited, namespace: blog }
spec:
  targetRefs: [{ group: "", kind: Service, name: web }]
  validation: { hostname: a.test, wellKnownCACertificates: System }
`,
    ];
    for (const objects of hostile) await gateway.apply(objects);
    const after = modelOf(gateway).filter(([key]) => !key.includes("bad.test"));
    expect(after).toEqual(before);
    expect((await gateway.get({ host: "good.test" })).from).toBe("web");
    expect(gateway.faults).toEqual([]);
  });

  const modelOf = ({ controller }: GatewayUnderTest): [string, string][] =>
    modelKinds.flatMap((kind) =>
      [...controller.model[kind].entries()].map(([key, item]): [string, string] => [
        `${kind} ${key}`,
        JSON.stringify(item),
      ]),
    );
});

describe("invariant 3: no backend of another namespace answers without a grant", () => {
  it("also while the grant comes and goes under traffic", async () => {
    const api = await httpBackend("api");
    const gateway = await startGateway(
      httpGateway +
        httpRoute("  rules: [{ backendRefs: [{ name: api, namespace: backend, port: 80 }] }]") +
        service("api", [api.port], { namespace: "backend" }),
    );
    let isGranted = false;
    let grants = 0;
    let isOver = false;
    const leaks: string[] = [];
    const hammer = async () => {
      while (!isOver) {
        const [wasGranted, grantsBefore] = [isGranted, grants];
        const { from } = await gateway.get({});
        // Sent when the grant was gone, and answered before it came back.
        if (!wasGranted && grantsBefore === grants && from === "api") leaks.push(String(from));
      }
    };
    const clients = [hammer(), hammer(), hammer()];
    for (let turn = 0; turn < 10; turn++) {
      isGranted = true;
      grants++;
      await gateway.apply(grant);
      expect((await gateway.get({})).from).toBe("api");
      await gateway.delete("ReferenceGrant", "backend/from-shop");
      isGranted = false;
      for (let request = 0; request < 5; request++) expect((await gateway.get({})).status).toBe(500);
    }
    isOver = true;
    await Promise.all(clients);
    expect(leaks).toEqual([]);
  });

  it("also while objects arrive one by one, in any order", async () => {
    const api = await httpBackend("api");
    const objects = objectsIn(
      httpGateway +
        httpRoute("  rules: [{ backendRefs: [{ name: api, namespace: backend, port: 80 }] }]") +
        service("api", [api.port], { namespace: "backend" }),
    );
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(objects, { minLength: objects.length }), async (order) => {
        const source = memorySource();
        const gateway = await startGatewayFrom(source);
        for (const resource of order) {
          source.set(resource);
          await gateway.controller.settled();
          const isOpen = gateway.driver.describe().listeners.length > 0;
          expect([404, 500]).toContain(isOpen ? (await gateway.get({})).status : 404);
        }
        await gateway.controller.stop();
      }),
      { numRuns: 8, seed: 7 },
    );
    expect(api.requests).toEqual([]);
  });
});

describe("invariants 4 and 5: no traffic before the configuration is complete, no Programmed before traffic", () => {
  it("the first answer of a new port is the right one", async () => {
    const web = await httpBackend("web");
    const port = await freePort();
    const routes = Array.from({ length: 300 }, (_, number) =>
      httpRoute(`  hostnames: [host-${number}.test]${toWeb}`, `route-${number}`),
    );
    const objects = objectsIn(httpGateway + routes.join("") + service("web", [web.port]));
    const answers: (string | number)[] = [];
    let isOver = false;
    const knock = (async () => {
      while (!isOver) {
        try {
          const answer = await requestHttp1({ address: "127.0.0.1", port }, { host: "host-299.test" });
          answers.push(answer.from);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
    })();
    await startGatewayFrom(memorySource(objects), {
      driver: { bind: () => ({ host: "127.0.0.1", port }) },
    });
    await expect.poll(() => answers.length).toBeGreaterThan(3);
    isOver = true;
    await knock;
    expect(new Set(answers)).toEqual(new Set(["web"]));
  });

  it("a Gateway that says Programmed answers at that moment", async () => {
    const web = await httpBackend("web");
    const port = await freePort();
    const asked: Promise<string | number>[] = [];
    const source = memorySource(objectsIn(httpRoute(toWeb) + service("web", [web.port])));
    const gateway = await startGatewayFrom(source, {
      driver: { bind: () => ({ host: "127.0.0.1", port }) },
      events: {
        statuses: (statuses) => {
          for (const { key } of statuses.filter(({ kind }) => kind === "Gateway")) {
            expect(key).toBe("Gateway/shop/web");
            if (gateway.condition("Gateway", "shop/web", "Programmed") !== "True/Programmed") continue;
            asked.push(requestHttp1({ address: "127.0.0.1", port }, {}).then(({ from }) => from));
          }
        },
      },
    });
    for (const resource of objectsIn(httpGateway)) source.set(resource);
    await gateway.controller.settled();
    expect(asked.length).toBeGreaterThan(0);
    expect(await Promise.all(asked)).toEqual(asked.map(() => "web"));
  });
});

describe("invariant 6: statuses converge, and what others wrote stays", () => {
  it("times move only with the condition's status", async () => {
    const web = await httpBackend("web");
    const old = "2020-01-01T00:00:00Z";
    const foreign = {
      type: "example.com/Audited",
      status: "True",
      reason: "Audited",
      message: "ok",
      lastTransitionTime: old,
    };
    const ours = {
      type: "Accepted",
      status: "True",
      reason: "Accepted",
      message: "from before",
      lastTransitionTime: old,
    };
    const theirs = {
      controllerName: "example.com/other",
      parentRef: { name: "other" },
      conditions: [foreign],
    };
    const mine = {
      controllerName: "gatewright.dev/gateway-controller",
      parentRef: { group: "gateway.networking.k8s.io", kind: "Gateway", name: "web" },
      conditions: [ours, foreign],
    };
    const withStatus = `${httpRoute(toWeb).trimEnd()}
status: ${JSON.stringify({ parents: [theirs, mine] })}
`;
    const gateway = await startGateway(httpGateway + withStatus + service("web", [web.port]));
    const entries = () => gateway.status("HTTPRoute", "shop/shop").parents!;
    const accepted = () => entries()[1]!.conditions!.find(({ type }) => type === "Accepted")!;
    expect(entries()[0]).toEqual(theirs);
    expect(entries()[1]!.conditions).toContainEqual(foreign);
    expect(accepted()).toMatchObject({ status: "True", lastTransitionTime: old, observedGeneration: 1 });

    await gateway.apply(withStatus.replace("{ name: web }", "{ name: web, sectionName: none }"));
    await gateway.delete("Service", "shop/web");
    expect(entries()[0]).toEqual(theirs);
    const refused = entries().find(({ controllerName }) => controllerName !== "example.com/other")!;
    const condition = refused.conditions!.find(({ type }) => type === "Accepted")!;
    expect(condition.status).toBe("False");
    expect(condition.lastTransitionTime > old).toBe(true);
  });
});

describe("invariants 11 and 12: order of events and equal times decide nothing", () => {
  it("the same objects give the same answers, whatever came first", async () => {
    const [a, b] = [await httpBackend("a"), await httpBackend("b")];
    const twin = (name: string) =>
      httpRoute(`  rules: [{ backendRefs: [{ name: ${name}, port: 80 }] }]`, name).replace(
        "namespace: shop",
        'namespace: shop, creationTimestamp: "2026-01-01T00:00:00Z"',
      );
    const objects = objectsIn(
      httpGateway + twin("b") + twin("a") + service("a", [a.port]) + service("b", [b.port]),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(objects, { minLength: objects.length }),
        fc.shuffledSubarray(objects),
        async (order, again) => {
          const source = memorySource();
          const gateway = await startGatewayFrom(source);
          for (const resource of order) source.set(resource);
          await gateway.controller.settled();
          for (const resource of again) {
            const [, ...key] = keyOf(resource).split("/");
            source.delete(resource.kind, key.join("/"));
          }
          await gateway.controller.settled();
          for (const resource of again) source.set(resource);
          await gateway.controller.settled();
          expect((await gateway.get({})).from).toBe("a");
          await gateway.controller.stop();
        },
      ),
      { numRuns: 10, seed: 11 },
    );
  });
});
