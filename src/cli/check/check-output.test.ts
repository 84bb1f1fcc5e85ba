import { beforeAll, describe, expect, it } from "vitest";
import { dryRunOf, serviceYaml } from "../../../test/controller/dry-objects.ts";
import type { DryRun } from "../../controller/index.ts";
import { styleFor } from "../style.ts";
import { renderCheckTable } from "./check-table.ts";
import { renderJunit } from "./junit.ts";
import { renderList } from "./object-list.ts";
import { renderSarif } from "./sarif.ts";

const objects = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: http, port: 80, protocol: HTTP }
    - { name: again, port: 90, protocol: example.com/x }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: good }
spec:
  parentRefs: [{ name: web, sectionName: http }]
  rules: [{ filters: [{ type: RequestRedirect, requestRedirect: { hostname: a.example.com } }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: bad }
spec:
  parentRefs: [{ name: "wbe" }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: alone }
spec: {}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: invalid }
spec: { hostnames: ["<&\\"bad>"] }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
`;

let run: DryRun;
beforeAll(async () => {
  run = await dryRunOf(objects);
});

describe("the table of a check", () => {
  it("tells results and reasons, and what else was read", () => {
    expect(renderCheckTable(run, styleFor(false)).split("\n")).toEqual([
      "    KIND        NAMESPACE   NAME    RESULT",
      "!   Gateway     default     web     accepted in part",
      expect.stringMatching(/^ {4}listener again: Accepted=False \w+: .+/),
      "-   HTTPRoute   default     alone   not ours",
      "    none of its parentRefs leads to a Gateway that is served here",
      "✗   HTTPRoute   default     bad     refused",
      "    Accepted=False NoMatchingParent: spec.parentRefs[0]: Gateway default/wbe does not exist; did you mean Gateway default/web?",
      "✓   HTTPRoute   default     good    accepted",
      "",
      "5 objects: 1 accepted, 1 accepted in part, 1 refused, 1 not ours, also read 1 Namespace.",
      "1 problem in the files; see above.",
      "",
    ]);
  });

  it("says little about little", async () => {
    expect(renderCheckTable(await dryRunOf(""), styleFor(false))).toBe("0 objects.\n");
    const service = "apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }";
    expect(renderCheckTable(await dryRunOf(service), styleFor(false))).toBe(
      "1 object: also read 1 Service.\nNo Gateway and no route is among them.\n",
    );
  });
});

describe("JUnit", () => {
  it("has a case for each object and problem, and escapes what they say", () => {
    const text = renderJunit(run);
    expect(text).toContain('<testsuite name="gatewright check" tests="4" failures="3" errors="0"');
    expect(text).toContain('<testcase classname="HTTPRoute" name="default/good"/>');
    expect(text).toMatch(
      /<testcase classname="HTTPRoute" name="default\/bad" file="-" line="17"><failure type="refused" message="Accepted=False NoMatchingParent: spec/,
    );
    expect(text).toMatch(/classname="-" name="HTTPRoute default\/invalid" file="-" line="31"/);
    expect(text).toContain("&lt;&amp;");
    expect(text).not.toContain("<&");
  });
});

describe("SARIF", () => {
  it("points to the lines of problems and of refused fields", () => {
    const log = JSON.parse(renderSarif(run, "1.2.3")) as {
      version: string;
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
    };
    expect(log.version).toBe("2.1.0");
    const [{ tool, results }] = log.runs as [(typeof log.runs)[0]];
    const region = (startLine: number) => [
      {
        physicalLocation: {
          artifactLocation: { uri: "stdin" },
          region: { startLine, startColumn: expect.any(Number) },
        },
      },
    ];
    expect(results).toMatchObject([
      { ruleId: "invalid-object", level: "error", locations: region(31) },
      { level: "warning", locations: region(8) },
      { ruleId: "NoMatchingParent", level: "error", locations: region(21) },
    ]);
    for (const { ruleId, ruleIndex } of results) {
      expect(tool.driver.rules[ruleIndex as number]?.id).toBe(ruleId);
    }
  });
});

describe("Ingresses and HTTPProxies", () => {
  const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: partial
  annotations:
    nginx.ingress.kubernetes.io/proxy-buffering: "on"
spec:
  defaultBackend: { service: { name: nowhere, port: { number: 80 } } }
---
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: inner }
spec: { ingressClassName: inner, virtualhost: { fqdn: b.example.com }, routes: [] }
---
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: refused }
spec:
  virtualhost: { fqdn: a.example.com }
  includes: [{ name: nowhere }]
`;

  it("are accepted in part where something of them answers", async () => {
    const proxy = ingress
      .slice(ingress.lastIndexOf("---"))
      .concat("  routes: [{ requestRedirectPolicy: { hostname: c.example.com } }]\n");
    const table = renderCheckTable(await dryRunOf(proxy), styleFor(false));
    expect(table).toMatch(/! +HTTPProxy +default +refused +accepted in part\n/);
    expect(renderCheckTable(await dryRunOf(ingress), styleFor(false))).toMatch(
      /✗ +HTTPProxy +default +refused +refused\n/,
    );
  });

  it("of another class are not ours", async () => {
    const table = renderCheckTable(await dryRunOf(ingress), styleFor(false));
    expect(table).toMatch(
      /- +HTTPProxy +default +inner +not ours\n +class inner is not ours; --httpproxy-class inner makes it so\n/,
    );
  });

  it("are errors of SARIF where they are refused, and point to the line of an annotation", async () => {
    const log = JSON.parse(renderSarif(await dryRunOf(ingress), "1.2.3")) as {
      runs: { results: { ruleId: string; level: string; locations: unknown[] }[] }[];
    };
    const found = log.runs[0]?.results.map(({ ruleId, level, locations }) => [ruleId, level, locations[0]]);
    const at = (startLine: number): unknown =>
      expect.objectContaining({
        physicalLocation: expect.objectContaining({ region: expect.objectContaining({ startLine }) }),
      });
    expect(found).toEqual([
      ["AnnotationLeftOut", "warning", at(6)],
      ["BackendNotFound", "warning", at(8)],
      ["IncludeNotFound", "error", at(20)],
    ]);
  });
});

describe("a Service without endpoints", () => {
  const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec: { gatewayClassName: gatewright, listeners: [{ name: http, port: 80, protocol: HTTP }] }
`;
  const route = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec: { parentRefs: [{ name: web }], rules: [{ backendRefs: [{ name: web, port: 80 }] }] }
`;
  const note =
    "Service shop/web has no endpoints: no EndpointSlice has the label kubernetes.io/service-name: web";

  it("is a note, and no failure", async () => {
    const noted = await dryRunOf(gateway, route, serviceYaml("web"));
    expect(renderCheckTable(noted, styleFor(false)).split("\n")).toContain(note);
    expect(renderJunit(noted)).toContain('failures="0"');
    expect(JSON.parse(renderSarif(noted, "1.2.3"))).toMatchObject({
      runs: [{ results: [{ ruleId: "no-endpoints", level: "note", message: { text: note } }] }],
    });
  });
});

describe("lists", () => {
  it("have each object with its status, as YAML and as JSON", () => {
    const shown = run.objects.map((object) => object.shown);
    const list = JSON.parse(renderList(shown, "json")) as { kind: string; items: { status?: object }[] };
    expect(list.kind).toBe("List");
    expect(list.items).toHaveLength(5);
    expect(renderList(shown, "yaml")).toMatch(/^apiVersion: v1\nkind: List\nitems:\n {2}- apiVersion:/);
    expect(renderList(shown, "yaml")).toContain("reason: NoMatchingParent");
  });
});
