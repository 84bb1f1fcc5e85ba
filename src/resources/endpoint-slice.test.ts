import { describe, expect, it } from "vitest";
import { problemsOf, readAs } from "../../test/resources/problems-of.ts";

const slice = (more: object) => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: "web-abc", labels: { "kubernetes.io/service-name": "web" } },
  addressType: "IPv4",
  ...more,
});

describe("EndpointSlice", () => {
  it("has defaults", () => {
    const read = readAs(
      "EndpointSlice",
      slice({
        endpoints: [{ addresses: ["10.0.0.1"] }],
        ports: [{ port: 8080 }, { name: "all", protocol: "UDP" }],
      }),
    );
    expect(read.endpoints).toEqual([{ addresses: ["10.0.0.1"], conditions: {} }]);
    expect(read.ports).toEqual([
      { name: "", protocol: "TCP", port: 8080 },
      { name: "all", protocol: "UDP" },
    ]);
    expect(readAs("EndpointSlice", slice({ endpoints: null }))).toMatchObject({ endpoints: [], ports: [] });
  });

  it("keeps conditions, zones and hints, and leaves out what is not our concern", () => {
    const endpoint = {
      addresses: ["10.0.0.1"],
      conditions: { ready: false, serving: true, terminating: true },
      zone: "a",
      nodeName: "n1",
      hostname: "web-0",
      hints: { forZones: [{ name: "a" }] },
      targetRef: { kind: "Pod", name: "web-0", namespace: "shop" },
    };
    const read = readAs("EndpointSlice", slice({ endpoints: [{ ...endpoint, newField: 1 }], newField: 1 }));
    expect(read.endpoints).toEqual([endpoint]);
    expect(read).not.toHaveProperty("newField");
  });

  it.each([
    [
      slice({ addressType: "ipv4" }),
      'addressType: must be one of IPv4, IPv6, FQDN, not "ipv4"; did you mean "IPv4"?',
    ],
    [slice({ endpoints: [{ addresses: [] }] }), "endpoints[0].addresses: must not be empty"],
    [slice({ endpoints: [{}] }), "endpoints[0].addresses: is required"],
    [
      slice({ ports: [{ port: "80" }] }),
      'ports[0].port: must be a whole number, not "80"; remove the quotes',
    ],
    [
      slice({ endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["localhost"] }] }),
      "endpoints[1].addresses[0]: must be an IPv4 address such as 127.0.0.1, because addressType is IPv4",
    ],
    [
      slice({ addressType: "IPv6", endpoints: [{ addresses: ["10.0.0.1"] }] }),
      "endpoints[0].addresses[0]: must be an IPv6 address such as ::1, because addressType is IPv6",
    ],
    [
      slice({ endpoints: Array(1001).fill({ addresses: ["a"] }) }),
      "endpoints: must have at most 1000 items, but has 1001",
    ],
  ])("refuses what cannot be, case %#", (input, problem) => {
    expect(problemsOf(input)).toEqual([problem]);
  });
});
