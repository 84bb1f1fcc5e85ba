import { describe, expect, it } from "vitest";
import { secretYaml, serviceYaml } from "../../controller/dry-objects.ts";
import { folderOf, gatewright } from "./program.ts";

const objects = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: http, port: 80, protocol: HTTP }
    - { name: a, port: 443, protocol: HTTPS, hostname: a.example.com, tls: { certificateRefs: [{ name: tls }] } }
    - { name: b, port: 443, protocol: HTTPS, hostname: b.example.com, tls: { certificateRefs: [{ name: tls }] } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [a.example.com]
  rules:
    - matches: [{ path: { value: /cart } }]
      backendRefs: [{ name: cart, port: 80 }]
    - matches: [{ path: { value: /old } }]
      filters: [{ type: RequestRedirect, requestRedirect: { scheme: https, statusCode: 301 } }]
`;

async function ask(...args: string[]) {
  const folder = folderOf({
    "objects.yaml": objects,
    "secret.json": await secretYaml("tls", ["a.example.com", "b.example.com"]),
    "service.yaml": serviceYaml("cart", "10.0.0.1"),
  });
  return gatewright(["explain", ...args, "-f", folder]);
}

describe("gatewright explain", () => {
  it("knows HTTPProxies and the Gateway that serves them", async () => {
    const proxy = `apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: shop, namespace: shop }
spec:
  virtualhost: { fqdn: shop.example.com }
  routes:
    - conditions: [{ prefix: /cart }, { header: { name: x-beta, notpresent: true } }]
      services: [{ name: cart, port: 80 }]
`;
    const folder = folderOf({ "proxy.yaml": proxy, "service.yaml": serviceYaml("cart", "10.0.0.1") });
    const url = "http://shop.example.com/cart/1";
    const { code, stdout } = await gatewright(["explain", "GET", url, "-f", folder]);
    expect(code).toBe(0);
    expect(stdout).toContain("Gateway default/ingress listens on port 80");
    expect(stdout).toContain("HTTPProxy shop/shop rule 0");
    expect(stdout).toContain("Service shop/cart:80");
    const beta = await gatewright(["explain", "GET", url, "-H", "x-beta: 1", "-f", folder]);
    expect(beta.stdout).toContain("404");
  });

  it("walks to the backend", async () => {
    const { code, stdout, stderr } = await ask("GET", "http://a.example.com/cart?x=1");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      "GET http://a.example.com/cart?x=1",
      "",
      "├─ ✓ Gateway shop/web listens on port 80 (HTTP)",
      "├─ ✓ host a.example.com belongs to listener http of Gateway shop/web",
      "│  └─ ✓ HTTPRoute shop/cart rule 0: path is at or below /cart",
      "└─ ✓ Service shop/cart:80",
      "   └─ · endpoints 10.0.0.1:8080",
      "",
      "⇒ forwarded to Service shop/cart:80, as GET /cart?x=1 with host a.example.com",
      "",
    ]);
  });

  it("says why nothing takes it", async () => {
    const { code, stdout } = await ask("GET", "http://a.example.com/nope");
    expect(code).toBe(0);
    expect(stdout).toContain("✗ HTTPRoute shop/cart rule 0: path must be at or below /cart, but is /nope");
    expect(stdout).toContain("⇒ 404: no rule takes GET /nope of host a.example.com\n");
  });

  it("tells where a redirect leads", async () => {
    const { stdout } = await ask("GET", "http://a.example.com/old/x");
    expect(stdout).toContain("⇒ 301, Location: https://a.example.com/old/x\n");
  });

  it("tells a misdirected request", async () => {
    const url = "https://a.example.com/cart";
    const { stdout } = await ask("GET", url, "-H", "Host: b.example.com");
    expect(stdout).toContain("⇒ 421: host b.example.com belongs to listener b of Gateway shop/web");
    expect((await ask("GET", url, "--sni", "b.example.com")).stdout).toContain("⇒ 421: host a.example.com");
  });

  it("writes JSON for programs", async () => {
    const { stdout } = await ask("GET", "http://a.example.com/cart", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      request: { method: "GET", host: "a.example.com", path: "/cart" },
      walks: [{ gateway: "shop/web", steps: [{ about: "listener", mark: "yes" }, {}, {}] }],
      outcome: { type: "forwarded", backends: [{ endpoints: ["10.0.0.1:8080"] }] },
    });
  });

  it("names routes that are invalid and were not read, and ends with 0 all the same", async () => {
    const folder = folderOf({ "objects.yaml": objects.replace("name: cart", "nmae: x, name: cart") });
    const { code, stdout } = await gatewright(["explain", "GET", "http://a.example.com/cart", "-f", folder]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/! HTTPRoute shop\/cart is invalid and not read \(\S+objects\.yaml:\d+\)\n/);
  });

  it("ends with 1 only where no object could be read", async () => {
    const ends = async (path: string) => gatewright(["explain", "GET", "http://a.example.com/", "-f", path]);
    expect(await ends("no-such-folder")).toEqual({
      code: 1,
      stdout: "",
      stderr: "gatewright: no-such-folder does not exist\n",
    });
    expect((await ends(folderOf({}))).stderr).toMatch(
      /^gatewright: nothing in .* is an object that Gatewright reads/,
    );
  });

  it.each([
    [["GET", "nonsense"], /nonsense is not a URL/],
    [["GET", "http://a.example.com/", "-H", "nonsense"], /-H nonsense: write 'name: value'/],
    [["GET", "http://a.example.com/", "--gateway", "web"], /--gateway web: write NAMESPACE\/NAME/],
    [["GET"], /GET is not a URL/],
  ])("ends with 2 for %j", async (args, message) => {
    const { code, stderr } = await ask(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
