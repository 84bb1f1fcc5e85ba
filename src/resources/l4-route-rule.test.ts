import { describe, expect, it } from "vitest";
import { describeKind } from "../../test/resources/kind-cases.ts";
import { problemsOf, readAs } from "../../test/resources/problems-of.ts";

const backendRefs = [{ name: "db", port: 5432 }];
const rules = [{ backendRefs }];
const several = [{ name: "a", backendRefs }, { name: "b", backendRefs }, { backendRefs }];
const hostnames = ["example.com"];
const specified =
  "sectionName or port must be specified when parentRefs includes 2 or more references to the same parent";
const unique =
  "sectionName or port must be unique when parentRefs includes 2 or more references to the same parent";

/** Cases that all Routes of layer 4 share; `more` is what one of them needs besides. */
function sharedCases(more: object) {
  return {
    valid: {
      "one rule": { ...more, rules },
      weights: { ...more, rules: [{ backendRefs: [{ ...backendRefs[0], weight: 1_000_000 }] }] },
      "default gateways": { ...more, rules, useDefaultGateways: "None" },
    },
    invalid: {
      "no rules": [{ ...more, rules: [] }, "rules: must not be empty"],
      "no backends": [{ ...more, rules: [{ backendRefs: [] }] }, "rules[0].backendRefs: must not be empty"],
      "missing backends": [{ ...more, rules: [{}] }, "rules[0].backendRefs: is required"],
      "a Service without port": [
        { ...more, rules: [{ backendRefs: [{ name: "db" }] }] },
        "rules[0].backendRefs[0]: Must have port for Service reference",
      ],
      "parents with and without section": [
        { ...more, rules, parentRefs: [{ name: "a" }, { name: "a", port: 80 }] },
        `parentRefs[1]: ${specified}`,
      ],
      "one parent twice": [
        { ...more, rules, parentRefs: [{ name: "a" }, { name: "a" }] },
        `parentRefs[1]: ${unique}`,
      ],
    },
  } as const;
}

const severalRules = ["rules: must have at most 1 items, but has 3"] as const;
const sameNames = [
  { name: "a", backendRefs },
  { name: "a", backendRefs },
];
const uniqueNames = "rules[1]: Rule name must be unique within the route";

for (const kind of ["TCPRoute", "UDPRoute"] as const) {
  const shared = sharedCases({});
  describeKind({
    kind,
    valid: shared.valid,
    invalid: { ...shared.invalid, "several rules": [{ rules: several }, ...severalRules] },
  });
  describeKind({
    kind,
    version: "v1alpha2",
    valid: { ...shared.valid, "several rules": { rules: several } },
    invalid: { ...shared.invalid, "two rules of one name": [{ rules: sameNames }, uniqueNames] },
  });
}

for (const version of ["v1", "v1alpha3"]) {
  const shared = sharedCases({ hostnames });
  describeKind({
    kind: "TLSRoute",
    version,
    valid: { ...shared.valid, wildcards: { hostnames: ["*.example.com"], rules } },
    invalid: {
      ...shared.invalid,
      "several rules": [{ hostnames, rules: several }, ...severalRules],
      "no hostnames": [{ hostnames: [], rules }, "hostnames: must not be empty"],
      "missing hostnames": [{ rules }, "hostnames: is required"],
      "an IP address": [{ hostnames: ["192.0.2.1"], rules }, "hostnames[0]: Hostnames cannot contain an IP"],
    },
    // The pattern of each hostname refuses these before the rules about the list are asked.
    unreachable: [
      "Hostnames must be valid based on RFC-1123",
      "Wildcards on hostnames must be the first label, and the rest of hostname must be valid based on RFC-1123",
    ],
  });
}

const shared = sharedCases({});
describeKind({
  kind: "TLSRoute",
  version: "v1alpha2",
  valid: {
    ...shared.valid,
    "several rules": { rules: several },
    "an IP address, which only later versions refuse": { hostnames: ["192.0.2.1"], rules },
  },
  invalid: { ...shared.invalid, "two rules of one name": [{ rules: sameNames }, uniqueNames] },
});

describe("versions before v1", () => {
  it("are read as v1", () => {
    const group = "gateway.networking.k8s.io";
    const tcp = {
      apiVersion: `${group}/v1alpha2`,
      kind: "TCPRoute",
      metadata: { name: "it" },
      spec: { rules: several },
    };
    expect(problemsOf(tcp)).toEqual([]);
    expect(readAs("TCPRoute", tcp)).toMatchObject({ apiVersion: `${group}/v1`, spec: { rules: several } });
  });

  it("have no hostnames where a TLSRoute needed none", () => {
    const apiVersion = "gateway.networking.k8s.io/v1alpha2";
    const route = readAs("TLSRoute", {
      apiVersion,
      kind: "TLSRoute",
      metadata: { name: "it" },
      spec: { rules },
    });
    expect(route.apiVersion).toBe("gateway.networking.k8s.io/v1");
    expect(route.spec.hostnames).toEqual([]);
  });
});
