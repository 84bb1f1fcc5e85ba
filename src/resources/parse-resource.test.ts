import { describe, expect, it } from "vitest";
import { findKind, kinds } from "./kinds.ts";
import { parseResource } from "./parse-resource.ts";

const apiVersion = "gateway.networking.k8s.io/v1";
const route = { apiVersion, kind: "HTTPRoute", metadata: { name: "a", namespace: "b" }, spec: {} };

describe("parseResource", () => {
  it.each([undefined, null, 1, "text", true, [], new Date(), new Map()])(
    "refuses %j, which is no object",
    (input) => {
      expect(parseResource(input)).toMatchObject({ outcome: "invalid", problems: [{ path: [] }] });
    },
  );

  it("asks for apiVersion and kind", () => {
    expect(parseResource({})).toEqual({
      outcome: "invalid",
      problems: [
        { path: ["apiVersion"], message: "is required" },
        { path: ["kind"], message: "is required" },
      ],
    });
    expect(parseResource({ apiVersion: 1, kind: "", metadata: { name: "a" } })).toEqual({
      outcome: "invalid",
      problems: [
        { path: ["apiVersion"], message: "must be a string, not 1" },
        { path: ["kind"], message: "must not be empty" },
      ],
      kind: "",
      name: "a",
    });
  });

  it("identifies what it refuses as far as that can be read", () => {
    expect(parseResource({ ...route, spec: { rules: 1 } })).toMatchObject({
      outcome: "invalid",
      kind: "HTTPRoute",
      namespace: "b",
      name: "a",
      problems: [{ path: ["spec", "rules"], message: "must be a list, not 1" }],
    });
    const unnamed = parseResource({ ...route, metadata: { name: 5 } }, { defaultNamespace: "x" });
    expect(unnamed).toMatchObject({ kind: "HTTPRoute", namespace: "x" });
    expect(unnamed).not.toHaveProperty("name");
    const cluster = parseResource({ apiVersion, kind: "GatewayClass", metadata: { name: "c" } });
    expect(cluster).toMatchObject({ outcome: "invalid", name: "c" });
    expect(cluster).not.toHaveProperty("namespace");
  });

  it.each([
    ["gateway.networking.k8s.io/v1", "HttpRoutes", "gateway.networking.k8s.io/v1 HTTPRoute"],
    ["gateway.networking.k8s.io/v1alpha1", "Gateway", "gateway.networking.k8s.io/v1 Gateway"],
    ["networking.k8s.io/v1", "HTTPRoute", "gateway.networking.k8s.io/v1 HTTPRoute"],
    ["v1", "Sevice", "v1 Service"],
    ["v1", "EndpointSlice", "discovery.k8s.io/v1 EndpointSlice"],
    ["apps/v1", "Deployment", undefined],
    ["v1", "Pod", undefined],
    ["__proto__", "constructor", undefined],
  ])("does not know %s %s", (version, kind, suggestion) => {
    expect(parseResource({ ...route, apiVersion: version, kind })).toEqual({
      outcome: "unknown-kind",
      apiVersion: version,
      kind,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  });

  it("keeps a status as it is, and does not mind a malformed one", () => {
    const status = { parents: [{ anything: [1, { deep: true }] }] };
    expect(parseResource({ ...route, status })).toMatchObject({ resource: { status } });
    for (const malformed of [7, "x", [], null, undefined]) {
      const parsed = parseResource({ ...route, status: malformed });
      expect(parsed.outcome).toBe("resource");
      expect(parsed).not.toHaveProperty("resource.status");
    }
  });

  it("ignores unknown fields if asked to, as for objects that an API server took", () => {
    const input = {
      ...route,
      spec: { newField: 1, hostnames: ["a.example"] },
      metadata: { name: "a", newField: 1 },
    };
    expect(parseResource(input)).toMatchObject({
      problems: [{ path: ["metadata", "newField"] }, { path: ["spec", "newField"] }],
    });
    const parsed = parseResource(input, { unknownFields: "ignore" });
    expect(parsed).toMatchObject({ outcome: "resource", resource: { spec: { hostnames: ["a.example"] } } });
    expect(parsed).not.toHaveProperty("resource.spec.newField");
  });

  it("takes fields of newer Kubernetes in its core kinds", () => {
    const input = {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "a" },
      spec: { finalizers: ["kubernetes"] },
      x: 1,
    };
    const parsed = parseResource(input);
    expect(parsed).toMatchObject({ outcome: "resource" });
    expect(parsed).not.toHaveProperty("resource.x");
  });

  it("gives the same bytes whatever the order of fields", () => {
    const one = parseResource({
      ...route,
      metadata: { name: "a", labels: { x: "1" } },
      spec: { rules: [{ name: "a" }], hostnames: [] },
    });
    const other = parseResource({
      spec: { hostnames: [], rules: [{ name: "a" }] },
      metadata: { labels: { x: "1" }, name: "a", namespace: "default" },
      kind: "HTTPRoute",
      apiVersion,
    });
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  it("does not share anything with its input that it read", () => {
    const input = { ...route, spec: { rules: [{ backendRefs: [{ name: "a", port: 80 }] }] } };
    const parsed = parseResource(input);
    const before = JSON.stringify(parsed);
    input.spec.rules[0]!.backendRefs[0]!.name = "changed";
    expect(JSON.stringify(parsed)).toBe(before);
  });
});

describe("kinds", () => {
  it("are found by every version", () => {
    for (const definition of kinds.values()) {
      expect(definition.versions[0]).toBe(definition.version);
      for (const version of definition.versions) {
        const apiVersion = definition.group === "" ? version : `${definition.group}/${version}`;
        expect(findKind(apiVersion, definition.kind)).toBe(definition);
      }
    }
    expect(findKind("v1", "HTTPRoute")).toBeUndefined();
  });
});
