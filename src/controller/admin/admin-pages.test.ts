import { beforeAll, describe, expect, it } from "vitest";
import { dryRunOf, secretYaml, serviceYaml } from "../../../test/controller/dry-objects.ts";
import type { ShownObject } from "../shown-object.ts";
import { adminPages } from "./admin-pages.ts";
import type { AdminPage } from "./admin-page.ts";

const objects = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: https, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: tls }] } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  rules: [{ backendRefs: [{ name: cart, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: broken, namespace: shop }
spec: { rules: 1 }
`;

let pages: readonly AdminPage[];
let isReady = false;

beforeAll(async () => {
  const { controller } = await dryRunOf(
    objects,
    await secretYaml("tls", ["shop.example.com"]),
    serviceYaml("cart", "10.0.0.1"),
  );
  const metric = { name: "driver_metric", help: "x", type: "gauge", samples: [{ value: 1 }] } as const;
  pages = adminPages({
    controller,
    version: "1.2.3",
    isReady: () => isReady,
    moreMetrics: () => [metric],
  });
});

function read(path: string): { readonly status: number; readonly text: string } | undefined {
  const [name = "", ...rest] = path.split("/");
  const content = pages.find((page) => page.name === name)?.render(rest);
  if (!content) return undefined;
  const { body, status = 200 } = content;
  return { status, text: typeof body === "string" ? body : [...body].join("") };
}

function readJson(path: string): unknown {
  return JSON.parse(read(path)?.text ?? "null");
}

describe("the pages of the admin endpoint", () => {
  it("begin with an index of all", () => {
    expect(read("")?.text).toMatch(/^Gatewright 1\.2\.3, pid \d+\n\n\/healthz/);
    for (const name of ["readyz", "metrics", "statuses", "findings", "problems", "model"]) {
      expect(read("")?.text).toContain(`/${name}`);
    }
  });

  it("are healthy at once, and ready when the start is over", () => {
    expect(read("healthz")).toEqual({ status: 200, text: "ok\n" });
    expect(read("readyz")).toEqual({ status: 503, text: "starting\n" });
    isReady = true;
    expect(read("readyz")).toEqual({ status: 200, text: "ok\n" });
    expect(read("healthz/more")).toBeUndefined();
  });

  it("list objects with their statuses, and no Secret", () => {
    const list = readJson("statuses") as { kind: string; items: ShownObject[] };
    expect(list.kind).toBe("List");
    expect(list.items.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      "Gateway/web",
      "HTTPRoute/cart",
      "Service/cart",
      "EndpointSlice/cart",
    ]);
    expect(list.items[1]?.status).toMatchObject({ parents: [{ controllerName: expect.any(String) }] });
  });

  it("list one kind, by any of its names, or show one object", () => {
    expect(readJson("statuses/hr")).toMatchObject({ items: [{ metadata: { name: "cart" } }] });
    expect(readJson("statuses/gateways/shop/web")).toMatchObject({
      kind: "Gateway",
      status: expect.anything(),
    });
    expect(readJson("statuses/secrets")).toMatchObject({ items: [] });
    expect(read("statuses/secrets/shop/tls")).toBeUndefined();
    expect(read("statuses/gateways/shop/other")).toBeUndefined();
    expect(read("statuses/nonsense")).toBeUndefined();
  });

  it("tell the problems that stand", () => {
    expect(readJson("problems")).toMatchObject({
      problems: [{ severity: "error", object: "HTTPRoute shop/broken", field: "spec.rules", line: 20 }],
    });
  });

  it("show the model without keys", () => {
    const model = readJson("model") as Record<string, unknown[]>;
    expect(model["virtualHosts"]).toHaveLength(1);
    expect(model["certificates"]).toEqual([
      { key: "Secret/shop/tls", sha256: expect.stringMatching(/^[0-9a-f]{64}$/), privateKey: "(hidden)" },
    ]);
    expect(read("model")?.text).not.toContain("PRIVATE KEY");
    expect(Object.keys(readJson("model/listeners") as object)).toEqual(["listeners"]);
    expect(read("model/nonsense")).toBeUndefined();
  });

  it("tell what to look at, of kinds without conditions too", async () => {
    const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop, namespace: shop }
spec: { defaultBackend: { service: { name: crat, port: { name: http } } } }`;
    const { controller } = await dryRunOf(ingress, serviceYaml("cart", "10.0.0.1"));
    const page = adminPages({ controller, version: "1.2.3", isReady: () => true }).find(
      ({ name }) => name === "findings",
    );
    expect(JSON.parse(page?.render([])?.body as string)).toEqual({
      findings: [
        expect.objectContaining({
          kind: "Ingress",
          namespace: "shop",
          name: "shop",
          reason: "InvalidBackend",
          message: expect.stringMatching(/Service shop\/crat .*; did you mean Service shop\/cart\?$/),
        }),
      ],
    });
  });

  it("count", () => {
    const text = read("metrics")?.text ?? "";
    expect(text).toContain('gatewright_objects{kind="HTTPRoute"} 1\n');
    expect(text).toContain('gatewright_problems{severity="error"} 1\n');
    expect(text).toContain('gatewright_conditions{kind="HTTPRoute",type="Accepted",status="True"} 1\n');
    expect(text).toMatch(/gatewright_recomputations_total\{node="gateway statuses"\} [1-9]/);
    expect(text).toContain('gatewright_model_items{kind="listeners"} 1\n');
    expect(text).toMatch(
      /gatewright_certificate_expiry_timestamp_seconds\{kind="Secret",namespace="shop",name="tls"\} [12]\d{9}\n/,
    );
    expect(text).toContain("driver_metric 1\n");
  });
});
