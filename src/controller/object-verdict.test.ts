import { describe, expect, it } from "vitest";
import type { ObjectStatus, StatusContent, Verdict } from "../status/index.ts";
import { judgeObject } from "./object-verdict.ts";

const said = (type: string, status: Verdict["status"], reason: string, message = "why"): Verdict => ({
  type,
  status,
  reason,
  message,
});
const fine = [said("Accepted", "True", "Accepted"), said("ResolvedRefs", "True", "ResolvedRefs")];
const statusOf = (content: StatusContent): ObjectStatus => ({
  key: "HTTPRoute/shop/cart",
  kind: "HTTPRoute",
  namespace: "shop",
  name: "cart",
  generation: 1,
  content,
});
const parents = (...entries: (readonly Verdict[])[]) =>
  statusOf({
    shape: "parents",
    controllerName: "x",
    entries: entries.map((conditions, index) => ({
      ref: { group: "gateway.networking.k8s.io", kind: "Gateway", name: `g${index}` },
      conditions,
    })),
  });
const refusal = said("Accepted", "False", "NoMatchingParent");

describe("what became of an object", () => {
  it("is accepted where nothing is to be said", () => {
    expect(judgeObject([parents(fine)])).toEqual({ result: "accepted", findings: [] });
  });

  it("is refused where no parent takes it", () => {
    expect(judgeObject([parents([refusal])])).toEqual({ result: "refused", findings: [refusal] });
  });

  it("is partial where some parents take it, and names those that do not", () => {
    expect(judgeObject([parents(fine, [refusal])])).toEqual({
      result: "partial",
      findings: [{ ...refusal, part: "parent Gateway shop/g1" }],
    });
  });

  it("is partial where it lost rules or references", () => {
    const lost = said("PartiallyInvalid", "True", "UnsupportedValue");
    const unresolved = said("ResolvedRefs", "False", "BackendNotFound", "because");
    expect(judgeObject([parents([fine[0]!, unresolved, lost])])).toEqual({
      result: "partial",
      findings: [unresolved, lost],
    });
  });

  it("tells a listener's reason once, and not again for its Gateway", () => {
    const conflict = "port 80 is taken by listener a";
    const { result, findings } = judgeObject([
      statusOf({
        shape: "gateway",
        conditions: [said("Accepted", "True", "ListenersNotValid", "Listeners not accepted: b")],
        listeners: [
          {
            name: "b",
            supportedKinds: [],
            attachedRoutes: 0,
            conditions: [
              said("Accepted", "False", "HostnameConflict", conflict),
              said("Programmed", "False", "Invalid", `The listener is not accepted: ${conflict}`),
              said("Conflicted", "True", "HostnameConflict", conflict),
            ],
          },
        ],
      }),
    ]);
    expect(result).toBe("partial");
    expect(findings).toEqual([
      { ...said("Accepted", "False", "HostnameConflict", conflict), part: "listener b" },
    ]);
  });

  it("of an HTTPProxy is told by its errors, and by warnings that do not refuse it", () => {
    const warning = { type: "RouteError", reason: "IgnoredField", message: "left out" };
    const proxy = (currentStatus: "valid" | "invalid" | "orphaned", isServed: boolean) =>
      statusOf({
        shape: "http-proxy",
        currentStatus,
        description: "",
        conditions: [],
        errors: [],
        warnings: [warning],
        isServed,
        addresses: [],
      });
    const findings = [{ ...warning, status: "True" }];
    expect(judgeObject([proxy("valid", true)])).toEqual({ result: "partial", findings });
    expect(judgeObject([proxy("invalid", true)])).toEqual({ result: "partial", findings });
    expect(judgeObject([proxy("invalid", false)])).toEqual({ result: "refused", findings });
    expect(judgeObject([proxy("orphaned", false)])).toEqual({ result: "refused", findings });
  });
});
