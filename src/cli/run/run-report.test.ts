import { describe, expect, it } from "vitest";
import { dryRunOf, serviceYaml } from "../../../test/controller/dry-objects.ts";
import type { SourceProblem } from "../../controller/index.ts";
import type { ObjectStatus } from "../../status/index.ts";
import { styleFor } from "../style.ts";
import { RunReport } from "./run-report.ts";

const style = styleFor(false);

function start() {
  const told: string[] = [];
  const complaints: string[] = [];
  const report = new RunReport({
    tell: (line) => told.push(line),
    style,
    complain: (line) => complaints.push(line),
    complaintStyle: style,
  });
  return { report, told, complaints };
}

function route(name: string, { accepted = true, generation = 1 } = {}): ObjectStatus {
  return {
    key: `HTTPRoute/shop/${name}`,
    kind: "HTTPRoute",
    namespace: "shop",
    name,
    generation,
    content: {
      shape: "parents",
      controllerName: "x",
      entries: [
        {
          ref: { group: "gateway.networking.k8s.io", kind: "Gateway", name: "web" },
          conditions: [
            accepted
              ? { type: "Accepted", status: "True", reason: "Accepted", message: "fine" }
              : { type: "Accepted", status: "False", reason: "NoMatchingParent", message: "no such Gateway" },
          ],
        },
      ],
    },
  };
}

const problem: SourceProblem = { severity: "error", origin: "a.yaml", line: 1, column: 1, message: "broken" };

describe("what run says", () => {
  it("begins with what is not well", () => {
    const { report, told, complaints } = start();
    report.note("port 80 is served on port 8080");
    report.problems([problem]);
    report.statuses([route("a"), route("b", { accepted: false })]);
    expect(told).toEqual([]);
    report.begin();
    expect(complaints).toEqual(["a.yaml:1:1: error: broken"]);
    expect(told).toEqual([
      "port 80 is served on port 8080",
      "HTTPRoute shop/b  Accepted=False NoMatchingParent: no such Gateway",
      "1 of 2 objects with a status are accepted in full.",
    ]);
  });

  it("names the object that a reference to nothing may have meant", async () => {
    const { controller } = await dryRunOf(
      `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec: { gatewayClassName: gatewright, listeners: [{ name: http, port: 80, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec: { parentRefs: [{ name: web }], rules: [{ backendRefs: [{ name: crat, port: 80 }] }] }`,
      serviceYaml("cart", "10.0.0.1"),
    );
    const { report, told } = start();
    report.watch(controller);
    report.statuses(Array.from(controller.statuses.entries(), ([, status]) => status));
    report.begin();
    expect(told[0]).toContain("Service shop/crat does not exist; did you mean Service shop/cart?");
  });

  it("tells problems as they come and go, wherever they move", () => {
    const { report, complaints } = start();
    report.begin();
    report.problems([problem]);
    report.problems([{ ...problem, line: 5 }]);
    report.problems([]);
    expect(complaints).toEqual(["a.yaml:1:1: error: broken", "a.yaml:5:1: fixed"]);
  });

  it("tells a status again only for other words or another version of the object", () => {
    const { report, told } = start();
    report.statuses([route("a")]);
    report.begin();
    told.length = 0;
    report.statuses([route("a")]);
    expect(told).toEqual([]);
    report.statuses([route("a", { generation: 2 })]);
    report.statuses([route("a", { generation: 2, accepted: false })]);
    expect(told).toEqual([
      "HTTPRoute shop/a  Accepted=True",
      "HTTPRoute shop/a  Accepted=False NoMatchingParent: no such Gateway",
    ]);
  });

  it("counts what is well where much changes at once", () => {
    const { report, told } = start();
    report.begin();
    told.length = 0;
    const many = Array.from({ length: 30 }, (_, index) => route(`r${index}`, { accepted: index !== 7 }));
    report.statuses(many);
    expect(told).toEqual([
      "HTTPRoute shop/r7  Accepted=False NoMatchingParent: no such Gateway",
      "29 more statuses changed and are well.",
    ]);
  });

  it("does not flood the reader with what is wrong either", () => {
    const { report, told, complaints } = start();
    report.problems(Array.from({ length: 25 }, (_, index) => ({ ...problem, message: `broken ${index}` })));
    report.statuses(Array.from({ length: 25 }, (_, index) => route(`r${index}`, { accepted: false })));
    report.begin();
    expect(complaints).toHaveLength(21);
    expect(complaints.at(-1)).toBe("5 more problems; gatewright check tells all.");
    expect(told.slice(-2)).toEqual([
      "5 more lines like these; gatewright check tells all.",
      "0 of 25 objects with a status are accepted in full.",
    ]);
    report.problems([]);
    expect(complaints.at(-1)).toBe("5 more problems are over.");
  });

  it("tells faults of ours", () => {
    const { report, complaints } = start();
    report.fault("listeners of a/b", new Error("oops"));
    expect(complaints).toEqual(["internal error: listeners of a/b: oops"]);
  });
});
