import { describe, expect, it } from "vitest";
import { Content, httpRoute, service, type ContentOptions } from "../../test/translate/content.ts";

const auth = (fields: object, ref: object = {}) => ({
  type: "ExternalAuth",
  externalAuth: { backendRef: { name: "auth", port: 9000, ...ref }, ...fields },
});

const admin = [{ path: { type: "PathPrefix", value: "/admin" } }];
const backendRefs = [{ name: "web", port: 80 }];

function translate(filter: object, options: ContentOptions = {}) {
  const content = new Content(options).set(service("web"), service("auth", [{ port: 9000 }]));
  return content.set(httpRoute([{ matches: admin, filters: [filter], backendRefs }, { backendRefs }])).only;
}

const authOf = (filter: object) => translate(filter).rules[0]?.rule.action.auth;

describe("external authorisation", () => {
  it("by gRPC sends all headers unless some are listed", () => {
    expect(authOf(auth({ protocol: "GRPC", grpc: {} }))).toEqual({
      protocol: "grpc",
      target: { type: "backend", backend: "Service/shop/auth/9000|h2c" },
      pathPrefix: "",
      requestHeaders: "all",
      responseHeaders: "all",
      maxBodySize: 0,
    });
    expect(
      authOf(auth({ protocol: "GRPC", grpc: { allowedHeaders: ["X-A", "x-a"] } }))?.requestHeaders,
    ).toEqual(["x-a"]);
  });

  it("by HTTP sends no more than it must unless some are listed", () => {
    const http = { path: "/check/", allowedHeaders: ["Cookie"], allowedResponseHeaders: ["X-User"] };
    expect(authOf(auth({ protocol: "HTTP", http, forwardBody: { maxSize: 1024 } }))).toEqual({
      protocol: "http",
      target: { type: "backend", backend: "Service/shop/auth/9000" },
      pathPrefix: "/check",
      requestHeaders: ["cookie"],
      responseHeaders: ["x-user"],
      maxBodySize: 1024,
    });
    expect(authOf(auth({ protocol: "HTTP", http: {} }))).toMatchObject({
      requestHeaders: [],
      responseHeaders: "all",
    });
  });

  it("asks a server that is not there by refusing everything", () => {
    const { rules, resolvedRefs } = translate(auth({ protocol: "HTTP", http: {} }, { name: "gone" }));
    expect(resolvedRefs).toMatchObject({ status: "False", reason: "BackendNotFound" });
    expect(rules[0]?.rule.action.auth?.target).toMatchObject({ type: "error", status: 500 });
  });

  it("needs a grant across namespaces", () => {
    const { rules, resolvedRefs } = translate(auth({ protocol: "HTTP", http: {} }, { namespace: "other" }));
    expect(resolvedRefs.reason).toBe("RefNotPermitted");
    expect(rules[0]?.rule.action.auth?.target.type).toBe("error");
  });

  it.each<[string, object, string]>([
    ["a header name", { protocol: "HTTP", http: { allowedHeaders: ["a b"] } }, "http.allowedHeaders[0]"],
    [
      "an answer's header name",
      { protocol: "HTTP", http: { allowedResponseHeaders: ["a\n"] } },
      "http.allowedResponseHeaders[0]",
    ],
    ...["Content-Length", "host", "Transfer-Encoding", "connection", "upgrade", "TE"].map(
      (name): [string, object, string] => [
        `${name} of an answer`,
        { protocol: "HTTP", http: { allowedResponseHeaders: ["x-user", name] } },
        `http.allowedResponseHeaders[1]: ${name} is the gateway's own to set`,
      ],
    ),
    ["a path", { protocol: "HTTP", http: { path: "check" } }, "http.path"],
    ["a path with dots", { protocol: "HTTP", http: { path: "/a/../b" } }, "http.path"],
    ["a size", { protocol: "GRPC", grpc: {}, forwardBody: { maxSize: -1 } }, "forwardBody.maxSize"],
  ])("refuses %s, and lets nothing through to the rule below", (_, fields, field) => {
    const { rules, partiallyInvalid } = translate(auth(fields));
    expect(partiallyInvalid?.message).toContain(
      `Dropped Rule spec.rules[0].filters[0].externalAuth.${field}`,
    );
    expect(rules[0]?.rule.match.path.value).toBe("/admin");
    expect(rules[0]?.rule.action.backends).toMatchObject([{ target: { type: "error", status: 500 } }]);
  });

  it("that the proxy cannot do lets nothing through either", () => {
    const { rules, partiallyInvalid, backendUses } = translate(auth({ protocol: "GRPC", grpc: {} }), {
      without: ["HTTPRouteExternalAuth"],
    });
    expect(partiallyInvalid).toMatchObject({ status: "True", reason: "UnsupportedValue" });
    expect(rules.map(({ rule }) => rule.action.backends[0]?.target.type)).toEqual(["error", "backend"]);
    expect(backendUses.map(({ key }) => key)).toEqual(["Service/shop/web/80"]);
  });

  it("belongs to rules, not to backends", () => {
    const filters = [auth({ protocol: "GRPC", grpc: {} })];
    const content = new Content().set(service("web"), service("auth", [{ port: 9000 }]));
    const rules = [{ matches: admin, backendRefs: [{ name: "web", port: 80, filters }] }, { backendRefs }];
    const translation = content.set(httpRoute(rules)).only;
    expect(translation.partiallyInvalid?.message).toContain(
      "backendRefs[0].filters[0]: ExternalAuth is for rules",
    );
    expect(translation.rules[0]?.rule.action.backends[0]?.target.type).toBe("error");
  });
});
