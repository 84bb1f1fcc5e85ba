import { describe, expect, it } from "vitest";
import { makeCa } from "../../test/certificates.ts";
import {
  Content,
  configMap,
  service,
  streamRoute,
  tlsPolicy,
  toXBackend,
  xBackend,
} from "../../test/translate/content.ts";

const web = { name: "web", port: 443 };
const ports = [
  { name: "tls", port: 443 },
  { name: "dns", port: 53, protocol: "UDP" },
];
const to = (backend: string, weight = 1) => ({ weight, target: { type: "backend", backend } });

describe("stream rules", () => {
  it.each([
    ["TLSRoute", web, "Service/shop/web/443|tcp"],
    ["TCPRoute", web, "Service/shop/web/443|tcp"],
    ["UDPRoute", { name: "web", port: 53 }, "Service/shop/web/53|udp"],
  ] as const)("of a %s", (kind, ref, key) => {
    const { streams, backendUses, rules } = new Content().set(
      service("web", ports),
      streamRoute(kind, [ref]),
    ).only;
    const route = { kind, namespace: "shop", name: "route", rule: 0 };
    expect(streams).toEqual([{ route, backends: [to(key)], terminated: [to(key)] }]);
    expect(backendUses.map((use) => use.key)).toEqual([key]);
    expect(rules).toEqual([]);
  });

  it.each([
    ["UDPRoute", 443, "port 443 of Service shop/web is TCP, and UDPRoute needs UDP"],
    ["TCPRoute", 53, "port 53 of Service shop/web is UDP, and TCPRoute needs TCP"],
  ] as const)("of a %s need the Service's port to fit", (kind, port, message) => {
    const { streams, resolvedRefs } = new Content().set(
      service("web", ports),
      streamRoute(kind, [{ name: "web", port }]),
    ).only;
    expect(resolvedRefs).toMatchObject({
      reason: "UnsupportedProtocol",
      message: expect.stringContaining(message),
    });
    expect(streams[0]?.backends).toMatchObject([{ target: { type: "error" } }]);
  });

  it("tell TCP and UDP of one port number apart", () => {
    const both = service("web", [
      { name: "a", port: 53 },
      { name: "b", port: 53, protocol: "UDP" },
    ]);
    for (const [kind, key] of [
      ["TCPRoute", "Service/shop/web/53|tcp"],
      ["UDPRoute", "Service/shop/web/53|udp"],
    ] as const) {
      const { backendUses } = new Content().set(both, streamRoute(kind, [{ name: "web", port: 53 }])).only;
      expect(backendUses.map((use) => use.key)).toEqual([key]);
    }
  });

  it("keep the share of what is not there, and leave out what has no weight", () => {
    const refs = [web, { name: "gone", port: 1, weight: 4 }, { ...web, weight: 0 }];
    const { streams, resolvedRefs } = new Content().set(
      service("web", ports),
      streamRoute("TCPRoute", refs),
    ).only;
    expect(streams[0]?.backends).toMatchObject([
      to("Service/shop/web/443|tcp"),
      { weight: 4, target: { type: "error" } },
    ]);
    expect(resolvedRefs.reason).toBe("BackendNotFound");
  });

  it("of more than one are dropped after the first", () => {
    const rule = { backendRefs: [web] };
    const route = {
      apiVersion: "gateway.networking.k8s.io/v1alpha2",
      kind: "TCPRoute",
      metadata: { name: "route" },
      spec: { rules: [rule, rule] },
    };
    const { streams, partiallyInvalid } = new Content().set(service("web", ports), route).only;
    expect(streams).toHaveLength(1);
    expect(partiallyInvalid?.message).toMatch(/^Dropped Rule spec\.rules\[1\]: a TCPRoute can have one rule/);
  });

  it("add TLS of the gateway's own only where the client's has been ended", async () => {
    const ca = await makeCa();
    const policy = tlsPolicy(
      "p",
      { name: "web" },
      { caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }] },
    );
    const content = new Content({ gateways: [{ clientCertificate: "Secret/infra/client" }] });
    content.set(
      service("web", ports),
      policy,
      configMap("ca", { "ca.crt": ca.certificate }),
      streamRoute("TLSRoute", [web]),
    );
    const [stream] = content.only.streams;
    const [plain, tls] = ["Service/shop/web/443|passthrough", "Service/shop/web/443|tcp|Secret/infra/client"];
    expect(stream).toMatchObject({ backends: [to(plain!)], terminated: [to(tls!)] });
    expect(content.items.backends.get(plain!)).toEqual({ key: plain, protocol: "tcp" });
    expect(content.items.backends.get(tls!)?.tls).toMatchObject({ clientCertificate: "Secret/infra/client" });
  });

  it("reach XBackends by TCP, not by UDP", () => {
    const ref = { ...toXBackend, name: "api" };
    const tcp = new Content().set(xBackend("api"), streamRoute("TCPRoute", [ref])).only;
    expect(tcp.streams[0]?.backends).toEqual([to("XBackend/shop/api/443|tcp")]);
    const udp = new Content().set(xBackend("api"), streamRoute("UDPRoute", [ref])).only;
    expect(udp.resolvedRefs.reason).toBe("UnsupportedProtocol");
  });
});
