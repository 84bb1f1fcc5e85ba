import { describe, expect, it } from "vitest";
import { parseResource, type Ingress } from "../../resources/index.ts";
import { Annotations } from "./annotations.ts";
import { RemarkList } from "./remark-list.ts";

function judge(annotations: Readonly<Record<string, string>>) {
  const parsed = parseResource({
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: {
      name: "web",
      namespace: "shop",
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]),
      ),
    },
    spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } },
  });
  if (parsed.outcome !== "resource") throw new Error(JSON.stringify(parsed));
  const ingress = parsed.resource as Ingress;
  const remarks = new RemarkList(ingress);
  const blocked = new Annotations(ingress, remarks).judgeRoles();
  return { blocked, remarks: remarks.all };
}

describe("annotations that protect", () => {
  it.each([
    { "enable-modsecurity": "false" },
    { "enable-owasp-core-rules": "False" },
    { "ssl-passthrough": "0" },
    { "limit-rps": "0", "limit-rpm": "0", "limit-connections": "0" },
    { "global-rate-limit": "0", "global-rate-limit-window": "1m" },
    { "auth-tls-verify-client": "off", "auth-tls-secret": "shop/ca" },
    { satisfy: "all" },
  ])("guard nothing when they are switched off: %o", (annotations) => {
    expect(judge(annotations)).toEqual({ blocked: undefined, remarks: [] });
  });

  it.each([
    { "enable-modsecurity": "true" },
    { "enable-modsecurity": "no" },
    { "limit-rps": "1" },
    { "limit-rps": "none" },
    { "limit-rps": "0", "limit-rpm": "10" },
    { "global-rate-limit": "5", "global-rate-limit-window": "1m" },
    { "auth-tls-secret": "shop/ca" },
    { "auth-tls-secret": "shop/ca", "auth-tls-verify-client": "optional" },
    { "auth-tls-verify-client": "off", "auth-tls-match-cn": "CN=a" },
    { "auth-type": "basic" },
    { satisfy: "any" },
  ])("are never passed over otherwise: %o", (annotations) => {
    expect(judge(annotations).blocked).toContain("cannot be honoured");
  });
});

it("an annotation that is misspelt is told with the one that may have been meant", () => {
  const messages = judge({ "canary-weigth": "10", "no-such-thing": "x" }).remarks.map(
    ({ message }) => message,
  );
  expect(messages).toEqual([
    "is not known here, and left out; did you mean canary-weight?",
    "is not known here, and left out",
  ]);
});
