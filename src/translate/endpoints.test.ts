import { describe, expect, it } from "vitest";
import { Content, endpointSlice, httpRoute, service } from "../../test/translate/content.ts";

const route = httpRoute([{ backendRefs: [{ name: "web", port: 80 }] }]);
const ports = [{ name: "", port: 8080 }];

function endpointsOf(slices: readonly object[], options = {}, svc = service("web")) {
  const content = new Content(options).set(route, svc, ...slices);
  return content.items.endpoints.get("Service/shop/web/80")?.endpoints;
}

const at = (address: string, conditions: object = {}) => ({ addresses: [address], conditions });

describe("endpoints of a Service", () => {
  it("are those of its slices in its namespace", () => {
    const endpoints = endpointsOf([
      endpointSlice("web", { ports, endpoints: [at("10.0.0.2"), { ...at("10.0.0.1"), zone: "a" }] }),
      endpointSlice("other", { ports, endpoints: [at("10.9.9.1")] }),
      endpointSlice("web", { ports, endpoints: [at("10.9.9.2")] }, { namespace: "elsewhere" }),
      endpointSlice("web", { ports, endpoints: [at("10.9.9.3")] }, { name: "unlabelled", labels: {} }),
    ]);
    expect(endpoints).toEqual([
      { address: "10.0.0.1", port: 8080, zone: "a" },
      { address: "10.0.0.2", port: 8080 },
    ]);
  });

  it.each<[string, readonly object[], readonly string[]]>([
    ["unknown readiness counts as ready", [at("10.0.0.1")], ["10.0.0.1"]],
    ["ready ones only", [at("10.0.0.1", { ready: true }), at("10.0.0.2", { ready: false })], ["10.0.0.1"]],
    [
      "none ready: those that still serve while they leave",
      [
        at("10.0.0.1", { ready: false, serving: true, terminating: true }),
        at("10.0.0.2", { ready: false, serving: false, terminating: true }),
        at("10.0.0.3", { ready: false, serving: true, terminating: false }),
        at("10.0.0.4", { ready: false }),
      ],
      ["10.0.0.1"],
    ],
    [
      "leaving ones wait while others are ready",
      [at("10.0.0.1"), at("10.0.0.2", { ready: false, serving: true, terminating: true })],
      ["10.0.0.1"],
    ],
    ["nobody", [at("10.0.0.1", { ready: false })], []],
    ["the first address only", [{ addresses: ["10.0.0.1", "10.0.0.2"] }], ["10.0.0.1"]],
    ["each once", [at("10.0.0.1"), at("10.0.0.1")], ["10.0.0.1"]],
  ])("%s", (_, endpoints, expected) => {
    const found = endpointsOf([endpointSlice("web", { ports, endpoints })]);
    expect(found?.map(({ address }) => address)).toEqual(expected);
  });

  it("do not depend on the order of slices", () => {
    const one = endpointSlice("web", { ports, endpoints: [at("10.0.0.3"), at("10.0.0.1")] });
    const two = endpointSlice(
      "web",
      { ports, endpoints: [at("10.0.0.2"), at("10.0.0.1")] },
      { name: "web-2" },
    );
    expect(endpointsOf([one, two])).toEqual(endpointsOf([two, one]));
    expect(endpointsOf([one, two])).toHaveLength(3);
  });

  it("have the number of the slice's port with the name and protocol of the Service's", () => {
    const svc = service("web", [
      { name: "http", port: 80, targetPort: "named" },
      { name: "other", port: 81 },
    ]);
    const slice = endpointSlice("web", {
      ports: [
        { name: "other", port: 1 },
        { name: "http", port: 2, protocol: "UDP" },
        { name: "http", port: 3000 },
      ],
      endpoints: [at("10.0.0.1")],
    });
    expect(endpointsOf([slice], {}, svc)).toEqual([{ address: "10.0.0.1", port: 3000 }]);
  });

  it("are none where no port fits, or the port has no number", () => {
    expect(
      endpointsOf([endpointSlice("web", { ports: [{ name: "x", port: 1 }], endpoints: [at("10.0.0.1")] })]),
    ).toEqual([]);
    expect(endpointsOf([endpointSlice("web", { ports: [{}], endpoints: [at("10.0.0.1")] })])).toEqual([]);
    expect(endpointsOf([])).toEqual([]);
  });

  it("work alike for headless Services and those without a selector", () => {
    const slice = endpointSlice("web", { ports, endpoints: [at("10.0.0.1")] });
    for (const spec of [{ clusterIP: "None" }, { selector: {} }, { type: "LoadBalancer" }]) {
      expect(endpointsOf([slice], {}, service("web", [{ port: 80, targetPort: 8080 }], spec))).toHaveLength(
        1,
      );
    }
  });

  it("come as IPv6 and, where names are allowed, as names", () => {
    const ipv6 = endpointSlice("web", { addressType: "IPv6", ports, endpoints: [at("2001:DB8::1")] });
    expect(endpointsOf([ipv6])).toEqual([{ address: "2001:db8::1", port: 8080 }]);
    const names = endpointSlice("web", {
      addressType: "FQDN",
      ports,
      endpoints: [at("db.example.com"), at("localhost"), at("not a name"), at("10.0.0.1")],
    });
    expect(endpointsOf([names])).toEqual([]);
    expect(endpointsOf([names], { settings: { allowExternalNames: true } })).toEqual([
      { address: "db.example.com", port: 8080 },
    ]);
    // Loopback is fine on one machine, but a name is a name: as with ExternalName, somebody must allow it.
    expect(endpointsOf([names], { settings: { allowLoopbackEndpoints: true } })).toEqual([]);
    const both = { allowExternalNames: true, allowLoopbackEndpoints: true };
    expect(endpointsOf([names], { settings: both })?.map(({ address }) => address)).toEqual([
      "db.example.com",
      "localhost",
    ]);
  });

  it("are never the machine's own or the cloud's, unless all is one machine", () => {
    const slice = endpointSlice("web", {
      ports,
      endpoints: [at("127.0.0.1"), at("169.254.169.254"), at("10.0.0.1")],
    });
    expect(endpointsOf([slice])).toEqual([{ address: "10.0.0.1", port: 8080 }]);
    expect(endpointsOf([slice], { settings: { allowLoopbackEndpoints: true } })).toHaveLength(3);
  });

  it("of an ExternalName are its name, where that is allowed", () => {
    const external = service("web", [], { type: "ExternalName", externalName: "api.example.com" });
    expect(endpointsOf([], { settings: { allowExternalNames: true } }, external)).toEqual([
      { address: "api.example.com", port: 80 },
    ]);
    expect(endpointsOf([], {}, external)).toBeUndefined();
  });
});
