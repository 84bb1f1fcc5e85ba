import { describe, expect, it } from "vitest";
import {
  Content,
  grpcRoute,
  httpRoute,
  referenceGrant,
  service,
  streamRoute,
  toXBackend,
  xBackend,
  type ContentOptions,
} from "../../test/translate/content.ts";

function resolve(ref: Record<string, unknown>, objects: readonly object[], options: ContentOptions = {}) {
  return new Content(options).set(...objects, httpRoute([{ backendRefs: [ref] }])).only;
}

const two = service("web", [
  { name: "a", port: 8080 },
  { name: "b", port: 9090 },
]);

describe("references to backends", () => {
  it.each<[string, Record<string, unknown>, readonly object[], string, string]>([
    [
      "another kind",
      { group: "example.com", kind: "Bucket", name: "b" },
      [],
      "InvalidKind",
      "Bucket of group example.com is not a backend that is known here; use Service or XBackend",
    ],
    [
      "a kind of the core group",
      { kind: "Secret", name: "b", port: 1 },
      [],
      "InvalidKind",
      "Secret of group core is not",
    ],
    [
      "a Service of another group",
      { group: "example.com", name: "web", port: 1 },
      [two],
      "InvalidKind",
      "Service of group example.com",
    ],
    ["no such Service", { name: "web", port: 80 }, [], "BackendNotFound", "Service shop/web does not exist"],
    [
      "no such port",
      { name: "web", port: 8081 },
      [two],
      "BackendNotFound",
      "Service shop/web has no port 8081; it has 8080, 9090",
    ],
    [
      "a Service without ports",
      { name: "web", port: 80 },
      [service("web", [])],
      "BackendNotFound",
      "Service shop/web has no port 80; it has no ports",
    ],
    [
      "another namespace",
      { name: "web", namespace: "other", port: 80 },
      [],
      "RefNotPermitted",
      "Service other/web is in another namespace; a ReferenceGrant in namespace other must allow it, from HTTPRoute in namespace shop to Service web",
    ],
    [
      "a protocol of its own",
      { name: "web", port: 80 },
      [service("web", [{ port: 80, appProtocol: "redis" }])],
      "UnsupportedProtocol",
      "port 80 of Service shop/web: appProtocol redis cannot be reached from an HTTPRoute",
    ],
    [
      "TLS without a policy",
      { name: "web", port: 80 },
      [service("web", [{ port: 80, appProtocol: "https" }])],
      "UnsupportedProtocol",
      "needs TLS; say how with a BackendTLSPolicy",
    ],
    [
      "no such XBackend",
      { ...toXBackend, name: "api" },
      [],
      "BackendNotFound",
      "XBackend shop/api does not exist",
    ],
    [
      "another port of an XBackend",
      { ...toXBackend, name: "api", port: 80 },
      [xBackend("api")],
      "BackendNotFound",
      "XBackend shop/api has no port 80; it has 443",
    ],
    [
      "an XBackend for TCP",
      { ...toXBackend, name: "api" },
      [xBackend("api", { protocol: "TCP" })],
      "UnsupportedProtocol",
      "XBackend shop/api: protocol TCP cannot be reached from an HTTPRoute",
    ],
    [
      "an XBackend elsewhere",
      { ...toXBackend, name: "api", namespace: "other" },
      [],
      "RefNotPermitted",
      "must be in the route's own namespace shop",
    ],
  ])("%s", (_, ref, objects, reason, message) => {
    const { resolvedRefs, rules, backendUses, accepted } = resolve(ref, objects);
    expect(resolvedRefs).toMatchObject({ type: "ResolvedRefs", status: "False", reason });
    expect(resolvedRefs.message).toContain(`spec.rules[0].backendRefs[0]: `);
    expect(resolvedRefs.message).toContain(message);
    expect(rules[0]?.rule.action.backends).toMatchObject([
      { weight: 1, target: { type: "error", status: 500 } },
    ]);
    expect(backendUses).toEqual([]);
    expect(accepted).toBeUndefined();
  });

  it("tell all problems, with the reason of the first", () => {
    const backendRefs = [
      { name: "x", port: 1 },
      { name: "y", namespace: "other", port: 1 },
    ];
    const { resolvedRefs } = new Content().set(httpRoute([{ backendRefs }])).only;
    expect(resolvedRefs.reason).toBe("BackendNotFound");
    expect(resolvedRefs.message).toMatch(
      /^spec\.rules\[0\]\.backendRefs\[0\]: .*; spec\.rules\[0\]\.backendRefs\[1\]: /,
    );
  });

  it("tell only so many problems", () => {
    const backendRefs = Array.from({ length: 16 }, (_, i) => ({ name: `x${i}`, port: 1 }));
    const { resolvedRefs } = new Content().set(httpRoute([{ backendRefs }])).only;
    expect(resolvedRefs.message).toMatch(/; and 8 more$/);
  });

  it("do not tell whether something exists in another namespace", () => {
    const ref = { name: "web", namespace: "other", port: 1 };
    const there = service("web", undefined, {}, { namespace: "other" });
    expect(resolve(ref, [there]).resolvedRefs).toEqual(resolve(ref, []).resolvedRefs);
    expect(resolve(ref, [there]).targets).toEqual([]);
  });

  it("refuse XBackends where the proxy cannot have them", () => {
    const { resolvedRefs } = resolve({ ...toXBackend, name: "api" }, [xBackend("api")], {
      without: ["XBackend"],
    });
    expect(resolvedRefs).toMatchObject({
      reason: "InvalidKind",
      message: expect.stringMatching(/use Service$/),
    });
  });
});

describe("references across namespaces", () => {
  const there = service("web", [{ port: 80 }], {}, { namespace: "other" });
  const ref = { name: "web", namespace: "other", port: 80 };
  const routes = [
    httpRoute([{ backendRefs: [ref] }]),
    grpcRoute([{ backendRefs: [ref] }]),
    streamRoute("TLSRoute", [ref]),
    streamRoute("TCPRoute", [ref]),
  ];

  it.each(routes.map((route) => [route.kind, route] as const))(
    "of a %s need a grant for its kind",
    (kind, route) => {
      const content = new Content().set(there, route);
      expect(content.only.resolvedRefs.reason).toBe("RefNotPermitted");
      content.set(
        referenceGrant(
          { kind: kind === "HTTPRoute" ? "GRPCRoute" : "HTTPRoute" },
          { kind: "Service" },
          "other",
        ),
      );
      expect(content.only.resolvedRefs.reason).toBe("RefNotPermitted");
      const grant = referenceGrant({ kind }, { kind: "Service", name: "web" }, "other");
      content.set(grant);
      expect(content.only.resolvedRefs.status).toBe("True");
      expect(content.items.backends.size).toBe(1);
      content.delete(grant);
      expect(content.only.resolvedRefs.reason).toBe("RefNotPermitted");
      expect(content.items.backends.size).toBe(0);
      expect(content.items.endpoints.size).toBe(0);
    },
  );
});

describe("ExternalName Services", () => {
  const external = (externalName: string) => service("web", [], { type: "ExternalName", externalName });
  const allowed = { settings: { allowExternalNames: true } };

  it("are refused, and the message says why", () => {
    const { resolvedRefs } = resolve({ name: "web", port: 80 }, [external("api.example.com")]);
    expect(resolvedRefs).toMatchObject({
      reason: "InvalidKind",
      message: expect.stringContaining("CVE-2021-32783, GHSA-5ph6-qq5x-7jwc"),
    });
  });

  it("are taken where the admin allows them", () => {
    const { resolvedRefs, backendUses } = resolve(
      { name: "web", port: 80 },
      [external("api.example.com")],
      allowed,
    );
    expect(resolvedRefs.status).toBe("True");
    expect(backendUses.map(({ key }) => key)).toEqual(["Service/shop/web/80"]);
  });

  it.each(["localhost", "169.254.169.254", "web.other.svc.cluster.local", "not a name", "127.1"])(
    "never lead to %s",
    (name) => {
      const { resolvedRefs, backendUses } = resolve({ name: "web", port: 80 }, [external(name)], allowed);
      expect(resolvedRefs).toMatchObject({ reason: "InvalidKind", message: expect.stringContaining(name) });
      expect(backendUses).toEqual([]);
    },
  );
});
