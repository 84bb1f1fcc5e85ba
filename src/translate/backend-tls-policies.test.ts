import { beforeAll, describe, expect, it } from "vitest";
import { makeCa, makeCertificate } from "../../test/certificates.ts";
import {
  Content,
  configMap,
  httpRoute,
  service,
  tlsPolicy,
  tlsSecret,
  toXBackend,
  xBackend,
  type ContentOptions,
} from "../../test/translate/content.ts";

let caPem: string;
let leafPem: string;
let client: { readonly certificates: string; readonly privateKey: string };
beforeAll(async () => {
  caPem = (await makeCa()).certificate;
  leafPem = (await makeCertificate({ names: ["web.example.com"] })).certificates;
  client = await makeCertificate({ names: ["client"], clientAuth: true });
});

const caRef = (name: string, kind = "ConfigMap") => ({ caCertificateRefs: [{ group: "", kind, name }] });
const ports = [
  { name: "https", port: 443 },
  { name: "admin", port: 8443 },
];
const key = "Service/shop/web/443";

function setup(objects: readonly object[], options: ContentOptions = {}) {
  const route = httpRoute([
    { backendRefs: [{ name: "web", port: 443 }] },
    { backendRefs: [{ name: "web", port: 8443 }] },
  ]);
  return new Content(options).set(
    service("web", ports),
    configMap("ca", { "ca.crt": caPem }),
    route,
    ...objects,
  );
}

const tlsOf = (content: Content, backend = key) => content.items.backends.get(backend)?.tls;

function conditions(content: Content, policy: string, controller = "test.dev/controller") {
  const status = content.items.policyStatuses.get(`BackendTLSPolicy/shop/${policy}|${controller}`)?.content;
  if (status?.shape !== "ancestors") return undefined;
  return status.entries.map(({ ref, conditions: list }) => {
    const told = (type: string) => {
      const one = list.find((condition) => condition.type === type);
      return `${one?.status} ${one?.reason}`;
    };
    const gateway = `${ref.namespace}/${ref.name}`;
    return { gateway, Accepted: told("Accepted"), ResolvedRefs: told("ResolvedRefs") };
  });
}

describe("a BackendTLSPolicy", () => {
  it("makes its Service's backends speak TLS", () => {
    const content = setup([tlsPolicy("p", { name: "web" }, caRef("ca"))]);
    const trusted = ["ConfigMap/shop/ca/ca.crt"];
    expect(tlsOf(content)).toEqual({ hostname: "web.example.com", trusted, subjectAltNames: [] });
    expect(tlsOf(content, "Service/shop/web/8443")).toEqual(tlsOf(content));
    expect([...content.items.certificates.keys()]).toEqual(trusted);
    expect(content.items.certificates.get(trusted[0]!)?.certificates.trim()).toBe(caPem.trim());
    expect(conditions(content, "p")).toEqual([
      { gateway: "infra/gw", Accepted: "True Accepted", ResolvedRefs: "True ResolvedRefs" },
    ]);
    expect(content.only.resolvedRefs.status).toBe("True");
  });

  it("trusts the system's roots, and checks other names", () => {
    const subjectAltNames = [
      { type: "Hostname", hostname: "*.example.com" },
      { type: "URI", uri: "spiffe://example.com/web" },
    ];
    const content = setup([
      tlsPolicy("p", { name: "web" }, { wellKnownCACertificates: "System", subjectAltNames }),
    ]);
    expect(tlsOf(content)).toEqual({
      hostname: "web.example.com",
      trusted: "system",
      subjectAltNames: [
        { type: "hostname", value: "*.example.com" },
        { type: "uri", value: "spiffe://example.com/web" },
      ],
    });
    expect(content.items.certificates.size).toBe(0);
  });

  it("for one port leaves the others alone, and comes before one for the whole Service", () => {
    const named = tlsPolicy(
      "named",
      { name: "web", sectionName: "admin" },
      { ...caRef("ca"), hostname: "named.example.com" },
    );
    expect(tlsOf(setup([named]))).toBeUndefined();
    const whole = tlsPolicy("whole", { name: "web" }, caRef("ca"), {
      creationTimestamp: "2020-01-01T00:00:00Z",
    });
    const content = setup([named, whole]);
    expect(tlsOf(content)?.hostname).toBe("web.example.com");
    expect(tlsOf(content, "Service/shop/web/8443")?.hostname).toBe("named.example.com");
    expect(conditions(content, "named")?.[0]?.Accepted).toBe("True Accepted");
    expect(conditions(content, "whole")?.[0]?.Accepted).toBe("True Accepted");
  });

  it.each([
    ["the oldest", "2026-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "b"],
    ["the first by name among equals", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "a"],
  ])("holds against others if it is %s", (_, first, second, holder) => {
    const one = tlsPolicy(
      "a",
      { name: "web" },
      { ...caRef("ca"), hostname: "a.example.com" },
      { creationTimestamp: first },
    );
    const two = tlsPolicy(
      "b",
      { name: "web" },
      { ...caRef("ca"), hostname: "b.example.com" },
      { creationTimestamp: second },
    );
    for (const objects of [
      [one, two],
      [two, one],
    ]) {
      const content = setup(objects);
      expect(tlsOf(content)?.hostname).toBe(`${holder}.example.com`);
      const loser = holder === "a" ? "b" : "a";
      expect(conditions(content, holder)?.[0]?.Accepted).toBe("True Accepted");
      expect(conditions(content, loser)?.[0]?.Accepted).toBe("False Conflicted");
    }
  });

  it.each<[string, () => Record<string, unknown>, readonly object[], string, string]>([
    [
      "a ConfigMap that is not there",
      () => caRef("gone"),
      [],
      "InvalidCACertificateRef",
      "NoValidCACertificate",
    ],
    [
      "a ConfigMap without ca.crt",
      () => caRef("empty"),
      [configMap("empty", { other: "x" })],
      "InvalidCACertificateRef",
      "NoValidCACertificate",
    ],
    [
      "an empty ca.crt",
      () => caRef("empty"),
      [configMap("empty", { "ca.crt": "" })],
      "InvalidCACertificateRef",
      "NoValidCACertificate",
    ],
    [
      "a ca.crt that is none",
      () => caRef("bad"),
      [configMap("bad", { "ca.crt": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" })],
      "InvalidCACertificateRef",
      "NoValidCACertificate",
    ],
    ["a Secret", () => caRef("ca", "Secret"), [], "InvalidKind", "NoValidCACertificate"],
  ])("with %s fails closed", (_, validation, objects, resolvedRefs, accepted) => {
    const content = setup([tlsPolicy("p", { name: "web" }, validation()), ...objects]);
    expect(tlsOf(content)?.trusted).toEqual([]);
    expect(conditions(content, "p")).toMatchObject([
      { Accepted: `False ${accepted}`, ResolvedRefs: `False ${resolvedRefs}` },
    ]);
    expect(content.only.resolvedRefs).toMatchObject({ status: "False", reason: "InvalidBackendTLSPolicy" });
    expect(content.only.backendUses.map((use) => use.key)).toContain(key);
  });

  it("does not trust a certificate that is no authority", () => {
    const content = setup([
      tlsPolicy("p", { name: "web" }, caRef("leaf")),
      configMap("leaf", { "ca.crt": leafPem }),
    ]);
    expect(tlsOf(content)?.trusted).toEqual([]);
    expect(conditions(content, "p")?.[0]?.ResolvedRefs).toBe("False InvalidCACertificateRef");
  });

  it("goes on with the CA certificates that are good", () => {
    const refs = {
      caCertificateRefs: [...caRef("gone").caCertificateRefs, ...caRef("ca").caCertificateRefs],
    };
    const content = setup([tlsPolicy("p", { name: "web" }, refs)]);
    expect(tlsOf(content)?.trusted).toEqual(["ConfigMap/shop/ca/ca.crt"]);
    expect(conditions(content, "p")).toMatchObject([
      { Accepted: "True Accepted", ResolvedRefs: "False InvalidCACertificateRef" },
    ]);
    expect(content.only.resolvedRefs.status).toBe("True");
  });

  it("with unknown well-known certificates is invalid and fails closed", () => {
    const content = setup([tlsPolicy("p", { name: "web" }, { wellKnownCACertificates: "example.com/ours" })]);
    expect(tlsOf(content)?.trusted).toEqual([]);
    expect(conditions(content, "p")?.[0]?.Accepted).toBe("False Invalid");
  });

  it("that is no good makes no room for a younger one", () => {
    const old = tlsPolicy("old", { name: "web" }, caRef("gone"), {
      creationTimestamp: "2020-01-01T00:00:00Z",
    });
    const young = tlsPolicy("young", { name: "web" }, caRef("ca"), {
      creationTimestamp: "2021-01-01T00:00:00Z",
    });
    const content = setup([old, young]);
    expect(tlsOf(content)?.trusted).toEqual([]);
    expect(conditions(content, "young")?.[0]?.Accepted).toBe("False Conflicted");
  });

  it.each([["BackendTLSPolicy"], ["BackendTLSPolicySANValidation"]])(
    "that the proxy cannot meet for lack of %s leads to an error, never to plain text",
    (feature) => {
      const subjectAltNames = [{ type: "Hostname", hostname: "a.example.com" }];
      const content = setup([tlsPolicy("p", { name: "web" }, { ...caRef("ca"), subjectAltNames })], {
        without: [feature],
      });
      expect(content.only.rules[0]?.rule.action.backends).toMatchObject([{ target: { type: "error" } }]);
      expect(content.items.backends.size).toBe(0);
      expect(content.only.resolvedRefs.reason).toBe("InvalidBackendTLSPolicy");
      expect(conditions(content, "p")?.[0]?.Accepted).toBe("False Invalid");
    },
  );

  it.each<[string, Record<string, unknown>, string]>([
    ["a port that is not there", { name: "web", sectionName: "http" }, "False TargetNotFound"],
    ["an XBackend", { group: toXBackend.group, kind: "XBackend", name: "api" }, "False Invalid"],
    ["a Service that is not there", { name: "gone" }, "False TargetNotFound"],
  ])("that targets %s is not accepted", (_, target, accepted) => {
    const refs = [
      { name: "gone", port: 1 },
      { ...toXBackend, name: "api" },
    ];
    const content = setup([
      tlsPolicy("p", target, caRef("ca")),
      xBackend("api"),
      httpRoute([{ backendRefs: refs }], { name: "more" }),
    ]);
    expect(conditions(content, "p")?.[0]?.Accepted).toBe(accepted);
  });

  it("is none of our business while no route of ours uses its target", () => {
    const content = setup([service("lonely", ports), tlsPolicy("p", { name: "lonely" }, caRef("ca"))]);
    expect(conditions(content, "p")).toBeUndefined();
  });

  it("has what we wrote taken back when its target is used no more", () => {
    const policy = tlsPolicy("p", { name: "lonely" }, caRef("ca"));
    const ancestors = [
      { ancestorRef: { name: "gw" }, controllerName: "test.dev/controller", conditions: [] },
    ];
    const content = setup([service("lonely", ports), { ...policy, status: { ancestors } }]);
    expect(conditions(content, "p")).toEqual([]);
    const foreign = [{ ancestorRef: { name: "gw" }, controllerName: "other.dev/controller", conditions: [] }];
    expect(
      conditions(setup([service("lonely", ports), { ...policy, status: { ancestors: foreign } }]), "p"),
    ).toBeUndefined();
    expect(conditions(setup([{ ...policy, status: { ancestors: "what" } }]), "p")).toBeUndefined();
  });

  it("hears of each Gateway under the name of its controller; whose entry finds room is for the merge to say", () => {
    const gateways = Array.from({ length: 20 }, (_, i) => ({ name: `gw${String(i).padStart(2, "0")}` }));
    const content = setup([tlsPolicy("p", { name: "web" }, caRef("ca"))], { gateways });
    expect(conditions(content, "p")?.map(({ gateway }) => gateway)).toEqual(
      gateways.map(({ name }) => `infra/${name}`),
    );
    const two = setup([tlsPolicy("p", { name: "web" }, caRef("ca"))], {
      gateways: [{ name: "a" }, { name: "b", controllerName: "test.dev/other" }],
    });
    expect(conditions(two, "p")).toHaveLength(1);
    expect(conditions(two, "p", "test.dev/other")).toMatchObject([{ gateway: "infra/b" }]);
  });

  it("shows each Gateway's client certificate", () => {
    const gateways = [{ name: "a", clientCertificate: "Secret/infra/client" }, { name: "b" }];
    const policy = tlsPolicy("p", { name: "web" }, caRef("ca"));
    const content = setup([policy, tlsSecret("client", client, "infra")], { gateways });
    expect(tlsOf(content)).not.toHaveProperty("clientCertificate");
    expect(tlsOf(content, `${key}|Secret/infra/client`)).toMatchObject({
      clientCertificate: "Secret/infra/client",
    });
    expect(content.items.certificates.get("Secret/infra/client")).toMatchObject({
      privateKey: expect.any(String),
    });
    content.delete(policy);
    expect([...content.items.backends.keys()]).toEqual([key, "Service/shop/web/8443"]);
    expect(content.items.certificates.size).toBe(0);
  });
});
