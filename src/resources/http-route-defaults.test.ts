import { describe, expect, it } from "vitest";
import { readAs } from "../../test/resources/problems-of.ts";

const backend = { name: "web", port: 80 };

describe("HTTPRoute defaults", () => {
  const read = (spec: unknown, version = "v1") =>
    readAs("HTTPRoute", {
      apiVersion: `gateway.networking.k8s.io/${version}`,
      kind: "HTTPRoute",
      metadata: { name: "it" },
      spec,
    });

  it("match everything", () => {
    expect(read({}).spec.rules).toEqual([{ matches: [{ path: { type: "PathPrefix", value: "/" } }] }]);
    expect(read({ rules: [{}] }).spec.rules).toEqual([
      { matches: [{ path: { type: "PathPrefix", value: "/" } }] },
    ]);
    expect(read({ rules: [{ matches: [] }] }).spec.rules).toEqual([{ matches: [] }]);
    expect(
      read({ rules: [{ matches: [{ path: { value: "/a" } }, { path: { type: "Exact" } }] }] }).spec.rules,
    ).toEqual([
      {
        matches: [{ path: { type: "PathPrefix", value: "/a" } }, { path: { type: "Exact", value: "/" } }],
      },
    ]);
  });

  it("complete references, filters and sessions", () => {
    const { spec } = read({
      parentRefs: [{ name: "gateway" }],
      rules: [
        {
          matches: [{ headers: [{ name: "a", value: "b" }], queryParams: [{ name: "a", value: "b" }] }],
          filters: [
            { type: "RequestRedirect", requestRedirect: {} },
            { type: "CORS", cors: {} },
            { type: "RequestMirror", requestMirror: { backendRef: backend, fraction: { numerator: 1 } } },
          ],
          sessionPersistence: { cookieConfig: {} },
        },
        { backendRefs: [backend] },
      ],
    });
    expect(spec.parentRefs).toEqual([
      { group: "gateway.networking.k8s.io", kind: "Gateway", name: "gateway" },
    ]);
    expect(spec.rules[0]).toEqual({
      matches: [
        {
          path: { type: "PathPrefix", value: "/" },
          headers: [{ type: "Exact", name: "a", value: "b" }],
          queryParams: [{ type: "Exact", name: "a", value: "b" }],
        },
      ],
      filters: [
        { type: "RequestRedirect", requestRedirect: { statusCode: 302 } },
        { type: "CORS", cors: { maxAge: 5 } },
        {
          type: "RequestMirror",
          requestMirror: {
            backendRef: { group: "", kind: "Service", ...backend },
            fraction: { numerator: 1, denominator: 100 },
          },
        },
      ],
      sessionPersistence: { type: "Cookie", cookieConfig: { lifetimeType: "Session" } },
    });
    expect(spec.rules[1]?.backendRefs).toEqual([{ group: "", kind: "Service", ...backend, weight: 1 }]);
  });

  it("are shared between objects, so nobody can change them", () => {
    const [rule] = read({}).spec.rules;
    expect(() => Object.assign(rule?.matches[0]?.path ?? {}, { value: "/hacked" })).toThrow(TypeError);
  });

  it("apply to v1beta1, which is read as v1", () => {
    expect(read({}, "v1beta1")).toEqual(read({}, "v1"));
  });
});
