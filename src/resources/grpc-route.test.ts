import { describe, expect, it } from "vitest";
import { describeKind } from "../../test/resources/kind-cases.ts";
import { readAs } from "../../test/resources/problems-of.ts";

const backend = { name: "web", port: 80 };
const rule = (more: object) => ({ rules: [more] });
const method = (match: object) => rule({ matches: [{ method: match }] });
const filtering = (...filters: unknown[]) => rule({ filters });
const matches = (count: number) => ({ matches: Array(count).fill({}) });
const extensionRef = { group: "example.com", kind: "A", name: "a" };
const filter = "rules[0].filters[0]";

describeKind({
  kind: "GRPCRoute",
  valid: {
    "nothing at all": {},
    "no rules": { rules: [] },
    "a service": method({ service: "shop.v1.Cart" }),
    "a method of any service": method({ method: "Add_1" }),
    "a service with a leading dot": method({ service: ".Shop" }),
    "a regular expression": method({ type: "RegularExpression", service: "shop\\..*", method: "" }),
    "header values of any characters": rule({ matches: [{ headers: [{ name: "a", value: "\u00fc \n" }] }] }),
    "128 matches": { rules: [matches(64), matches(64), {}] },
    "mirrors and extensions used twice": filtering(
      { type: "RequestMirror", requestMirror: { backendRef: backend } },
      { type: "RequestMirror", requestMirror: { backendRef: backend, percent: 50 } },
      { type: "ExtensionRef", extensionRef },
      { type: "ExtensionRef", extensionRef },
    ),
    "filters of a backend": rule({
      backendRefs: [
        {
          ...backend,
          filters: [{ type: "RequestHeaderModifier", requestHeaderModifier: { remove: ["a"] } }],
        },
      ],
    }),
  },
  invalid: {
    "parents with and without section": [
      { parentRefs: [{ name: "a" }, { name: "a", sectionName: "http" }] },
      "parentRefs[1]: sectionName or port must be specified when parentRefs includes 2 or more references to the same parent",
    ],
    "one parent twice": [
      { parentRefs: [{ name: "a" }, { name: "a" }] },
      "parentRefs[1]: sectionName or port must be unique when parentRefs includes 2 or more references to the same parent",
    ],
    "129 matches": [
      { rules: [matches(64), matches(64), matches(1)] },
      "rules: While 16 rules and 64 matches per rule are allowed, the total number of matches across all rules in a route must be less than 128",
    ],
    "two rules of one name": [
      { rules: [{ name: "a" }, { name: "a" }] },
      "rules[1]: Rule name must be unique within the route",
    ],
    "neither service nor method": [
      method({}),
      "rules[0].matches[0].method: One or both of 'service' or 'method' must be specified",
    ],
    "names of the wrong characters": [
      method({ service: "shop/v1", method: "Add.To" }),
      "rules[0].matches[0].method.service: service must only contain valid characters (matching ^(?i)\\.?[a-z_][a-z_0-9]*(\\.[a-z_][a-z_0-9]*)*$)",
      "rules[0].matches[0].method.method: method must only contain valid characters (matching ^[A-Za-z_][A-Za-z_0-9]*$)",
    ],
    "filters without what their type asks for": [
      filtering(
        { type: "RequestHeaderModifier" },
        { type: "ResponseHeaderModifier" },
        { type: "RequestMirror" },
        { type: "ExtensionRef" },
      ),
      "rules[0].filters[0].requestHeaderModifier: filter.requestHeaderModifier must be specified for RequestHeaderModifier filter.type",
      "rules[0].filters[1].responseHeaderModifier: filter.responseHeaderModifier must be specified for ResponseHeaderModifier filter.type",
      "rules[0].filters[2].requestMirror: filter.requestMirror must be specified for RequestMirror filter.type",
      "rules[0].filters[3].extensionRef: filter.extensionRef must be specified for ExtensionRef filter.type",
    ],
    "filters with more than their type asks for": [
      filtering(
        {
          type: "ExtensionRef",
          extensionRef,
          requestHeaderModifier: {},
          responseHeaderModifier: {},
          requestMirror: { backendRef: backend },
        },
        { type: "RequestHeaderModifier", requestHeaderModifier: {}, extensionRef },
      ),
      `${filter}.requestHeaderModifier: filter.requestHeaderModifier must be nil if the filter.type is not RequestHeaderModifier`,
      `${filter}.responseHeaderModifier: filter.responseHeaderModifier must be nil if the filter.type is not ResponseHeaderModifier`,
      `${filter}.requestMirror: filter.requestMirror must be nil if the filter.type is not RequestMirror`,
      "rules[0].filters[1].extensionRef: filter.extensionRef must be nil if the filter.type is not ExtensionRef",
    ],
    "filters used twice": [
      filtering(
        { type: "RequestHeaderModifier", requestHeaderModifier: {} },
        { type: "RequestHeaderModifier", requestHeaderModifier: {} },
        { type: "ResponseHeaderModifier", responseHeaderModifier: {} },
        { type: "ResponseHeaderModifier", responseHeaderModifier: {} },
      ),
      "rules[0].filters[1]: RequestHeaderModifier filter cannot be repeated",
      "rules[0].filters[3]: ResponseHeaderModifier filter cannot be repeated",
    ],
    "a filter of HTTPRoute": [
      filtering({ type: "URLRewrite" }),
      `${filter}.type: must be one of ResponseHeaderModifier, RequestHeaderModifier, RequestMirror, ExtensionRef, not "URLRewrite"`,
    ],
    "a mirror of percent and fraction": [
      filtering({
        type: "RequestMirror",
        requestMirror: { backendRef: backend, percent: 1, fraction: { numerator: 1 } },
      }),
      `${filter}.requestMirror: Only one of percent or fraction may be specified in HTTPRequestMirrorFilter`,
    ],
    "more than all": [
      filtering({
        type: "RequestMirror",
        requestMirror: { backendRef: backend, fraction: { numerator: 2, denominator: 1 } },
      }),
      `${filter}.requestMirror.fraction: numerator must be less than or equal to denominator`,
    ],
    "a Service without port": [
      rule({ backendRefs: [{ name: "web" }] }),
      "rules[0].backendRefs[0]: Must have port for Service reference",
    ],
    "sessions that do not fit their type": [
      {
        rules: [
          { sessionPersistence: { cookieConfig: { lifetimeType: "Permanent" } } },
          { sessionPersistence: { type: "Header", cookieConfig: {} } },
        ],
      },
      "rules[0].sessionPersistence: AbsoluteTimeout must be specified when cookie lifetimeType is Permanent",
      "rules[1].sessionPersistence: cookieConfig can only be set with type Cookie",
    ],
  },
});

describe("GRPCRoute defaults", () => {
  it("are those of the API", () => {
    const { spec } = readAs("GRPCRoute", {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "GRPCRoute",
      metadata: { name: "it" },
      spec: rule({ matches: [{ method: { service: "a" }, headers: [{ name: "a", value: "b" }] }] }),
    });
    expect(spec.rules).toEqual([
      {
        matches: [
          { method: { type: "Exact", service: "a" }, headers: [{ type: "Exact", name: "a", value: "b" }] },
        ],
      },
    ]);
  });
});
