import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { folderOf, gatewright } from "./program.ts";

const ingress = (name: string, annotations: string) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${name}, namespace: shop, annotations: { ${annotations} } }
spec:
  tls: [{ hosts: [${name}.example.com], secretName: shop-tls }]
  rules:
    - host: ${name}.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] }
`;
const plain = ingress("plain", 'nginx.ingress.kubernetes.io/proxy-body-size: "8m"');
const guarded = ingress("guarded", 'nginx.ingress.kubernetes.io/whitelist-source-range: "10.0.0.0/8"');

const kindsIn = (text: string) =>
  (loadAll(text) as { kind: string; metadata: { name: string } }[]).map(
    ({ kind, metadata }) => `${kind} ${metadata.name}`,
  );

describe("gatewright migrate ingress", () => {
  it("prints objects that check is content with, and says what was lost", async () => {
    const folder = folderOf({ "plain.yaml": plain });
    const { code, stdout, stderr } = await gatewright([
      "migrate",
      "ingress",
      "-f",
      folder,
      "--gateway",
      "infra/web",
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain("Ingress shop/plain  not carried over: proxy-body-size");
    expect(stdout).toContain("# from Ingress shop/plain\n# not carried over: proxy-body-size");
    expect(kindsIn(stdout)).toEqual([
      "Gateway web",
      "ReferenceGrant infra-web-certificates",
      "HTTPRoute plain-1",
      "HTTPRoute plain-2",
    ]);
    const checked = await gatewright(["check", "-f", "-", "--allow-refused"], { input: stdout });
    expect(checked).toMatchObject({ code: 0, stderr: "" });
  });

  it("keeps what must not be opened, and ends with 1", async () => {
    const folder = folderOf({ "plain.yaml": plain, "guarded.yaml": guarded });
    const { code, stdout, stderr } = await gatewright(["migrate", "ingress", "-f", folder]);
    expect(code).toBe(1);
    expect(stderr).toContain("Ingress shop/guarded  stays an Ingress: ");
    expect(kindsIn(stdout)).toContain("Ingress guarded");
  });

  it("ends with 1 without Ingresses, and with 2 for another kind", async () => {
    const folder = folderOf({ "a.yaml": "" });
    expect((await gatewright(["migrate", "ingress", "-f", folder])).code).toBe(1);
    expect((await gatewright(["migrate", "route", "-f", folder])).code).toBe(2);
    expect((await gatewright(["migrate", "ingress", "-f", folder, "--gateway", "web"])).code).toBe(2);
  });
});
