import { describe, expect, it } from "vitest";
import { compileMatch, type RequestMatch } from "../model/index.ts";
import { Content, grpcRoute, service } from "../../test/translate/content.ts";

const backendRefs = [{ name: "web", port: 80 }];

function translate(rule: Record<string, unknown>) {
  return new Content().set(service("web"), service("copy"), grpcRoute([{ backendRefs, ...rule }])).only;
}

const method = (fields: object) => translate({ matches: [{ method: fields }] });

function takes(match: RequestMatch | undefined, path: string): boolean {
  return compileMatch(match!).test({ method: "POST", path, query: "", header: () => undefined });
}

describe("gRPC matches", () => {
  it.each<[object, object]>([
    [
      { service: "shop.Orders", method: "List" },
      { type: "exact", value: "/shop.Orders/List" },
    ],
    [{ service: "shop.Orders" }, { type: "prefix", value: "/shop.Orders" }],
    [{ method: "List" }, { type: "regex", value: "/[^/]+/List" }],
    [
      { type: "RegularExpression", service: "shop\\..+|cart", method: "L.*" },
      { type: "regex", value: "/(?:shop\\..+|cart)/(?:L.*)" },
    ],
    [
      { type: "RegularExpression", service: "shop\\..+" },
      { type: "regex", value: "/(?:shop\\..+)/[^/]+" },
    ],
    [
      { type: "RegularExpression", method: "L.*", service: "" },
      { type: "regex", value: "/[^/]+/(?:L.*)" },
    ],
    [
      { type: "RegularExpression", method: "", service: "" },
      { type: "prefix", value: "/" },
    ],
  ])("%j", (fields, path) => {
    expect(method(fields).rules[0]?.rule.match.path).toEqual(path);
  });

  it.each<[object, readonly string[], readonly string[]]>([
    [{ service: "a.B" }, ["/a.B/C", "/a.B/D"], ["/a.BC/D", "/a/B"]],
    [{ method: "C" }, ["/a.B/C", "/x/C"], ["/a.B/CC", "/a/b/C", "/C"]],
    [
      { type: "RegularExpression", service: "a|b", method: "C|D" },
      ["/a/C", "/b/D"],
      ["/a", "/aC", "/c/C", "/a/CD"],
    ],
  ])("%j takes the right calls", (fields, taken, refused) => {
    const match = method(fields).rules[0]?.rule.match;
    expect(taken.filter((path) => !takes(match, path))).toEqual([]);
    expect(refused.filter((path) => takes(match, path))).toEqual([]);
  });

  it("without anything take every call", () => {
    for (const matches of [undefined, [], [{}]]) {
      const { rules } = translate(matches ? { matches } : {});
      expect(rules[0]?.rule.match).toEqual({
        path: { type: "prefix", value: "/" },
        headers: [],
        queryParams: [],
      });
    }
  });

  it("judge each part of an expression alone", () => {
    const { accepted } = method({ type: "RegularExpression", service: "a)|(b", method: "c" });
    expect(accepted?.message).toContain("spec.rules[0].matches[0].method.service: ");
    expect(method({ type: "RegularExpression", service: "a", method: "(?=b)" }).accepted?.reason).toBe(
      "UnsupportedValue",
    );
  });

  it("match headers without regard to case", () => {
    const { rules } = translate({ matches: [{ headers: [{ name: "Version", value: "2" }] }] });
    expect(rules[0]?.rule.match.headers).toEqual([{ name: "version", type: "exact", value: "2" }]);
  });
});

describe("rules of a GRPCRoute", () => {
  it("speak gRPC by HTTP/2 to their backends", () => {
    const { rules, backendUses } = translate({});
    expect(rules[0]?.rule.action).toMatchObject({
      protocol: "grpc",
      backends: [{ weight: 1, target: { type: "backend", backend: "Service/shop/web/80|h2c" } }],
    });
    expect(backendUses).toMatchObject([{ key: "Service/shop/web/80|h2c", protocol: "h2c" }]);
  });

  it("have filters: headers, mirrors, and extensions that answer with an error", () => {
    const filters = [
      { type: "ResponseHeaderModifier", responseHeaderModifier: { set: [{ name: "A", value: "1" }] } },
      { type: "RequestMirror", requestMirror: { backendRef: { name: "copy", port: 80 } } },
    ];
    const action = translate({ filters }).rules[0]?.rule.action;
    expect(action?.responseHeaders?.set).toEqual([{ name: "a", value: "1" }]);
    expect(action?.mirrors[0]?.target).toEqual({ type: "backend", backend: "Service/shop/copy/80|h2c" });
    const extension = { type: "ExtensionRef", extensionRef: { group: "x.dev", kind: "K", name: "n" } };
    const blocked = translate({ filters: [extension] });
    expect(blocked.rules[0]?.rule.action.backends).toMatchObject([{ target: { type: "error" } }]);
    expect(blocked.resolvedRefs.reason).toBe("InvalidKind");
  });

  it("have filters on backends", () => {
    const filters = [{ type: "RequestHeaderModifier", requestHeaderModifier: { remove: ["A"] } }];
    const { rules } = translate({ backendRefs: [{ name: "web", port: 80, filters }] });
    expect(rules[0]?.rule.action.backends[0]?.requestHeaders?.remove).toEqual(["a"]);
  });

  it("may be none at all", () => {
    const { rules, accepted, resolvedRefs } = new Content().set(grpcRoute([])).only;
    expect({ rules, accepted }).toEqual({ rules: [], accepted: undefined });
    expect(resolvedRefs.status).toBe("True");
  });

  it("have sessions", () => {
    const { rules } = translate({ sessionPersistence: { type: "Header", sessionName: "X-Session" } });
    expect(rules[0]?.rule.action.session).toMatchObject({ type: "header", name: "x-session" });
  });
});
