import { describe, expect, it } from "vitest";
import { Graph } from "../incremental/index.ts";
import type { ReferenceGrant } from "../resources/index.ts";
import { grantAdvice, permits, referencePermissions, type Reference } from "./reference-grants.ts";

type Spec = ReferenceGrant["spec"];

const routes = { group: "gateway.networking.k8s.io", kind: "HTTPRoute", namespace: "shop" };
const services = { group: "", kind: "Service" };
const reference: Reference = { from: routes, to: { ...services, namespace: "store", name: "web" } };

function grant(name: string, spec: Spec, namespace = "store"): ReferenceGrant {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "ReferenceGrant",
    metadata: { name, namespace, labels: {}, annotations: {}, generation: 1 },
    spec,
  };
}

function setup(grants: readonly ReferenceGrant[]) {
  const graph = new Graph();
  const input = graph.input<ReferenceGrant>("reference grants");
  const permissions = referencePermissions(graph, input);
  const questions = graph.input<Reference>("questions");
  const answers = graph.map("answers", questions, (question, read) => permits(read, permissions, question));
  const put = (one: ReferenceGrant) => input.set(`${one.metadata.namespace}/${one.metadata.name}`, one);
  grants.forEach(put);
  const ask = (question: Reference) => {
    questions.set("q", question);
    return answers.get("q");
  };
  return { graph, input, questions, answers, put, ask };
}

describe("permits", () => {
  it.each<[string, Spec, string, boolean]>([
    ["the kind", { from: [routes], to: [services] }, "store", true],
    ["the name", { from: [routes], to: [{ ...services, name: "web" }] }, "store", true],
    [
      "one of several",
      {
        from: [{ ...routes, namespace: "other" }, routes],
        to: [{ group: "", kind: "Secret" }, services],
      },
      "store",
      true,
    ],
    ["another name", { from: [routes], to: [{ ...services, name: "api" }] }, "store", false],
    ["another kind of target", { from: [routes], to: [{ group: "", kind: "Secret" }] }, "store", false],
    [
      "another group of target",
      { from: [routes], to: [{ group: "example.com", kind: "Service" }] },
      "store",
      false,
    ],
    [
      "another kind of referrer",
      { from: [{ ...routes, kind: "GRPCRoute" }], to: [services] },
      "store",
      false,
    ],
    ["another group of referrer", { from: [{ ...routes, group: "" }], to: [services] }, "store", false],
    [
      "another namespace of referrer",
      { from: [{ ...routes, namespace: "x" }], to: [services] },
      "store",
      false,
    ],
    ["a grant in the referrer's namespace", { from: [routes], to: [services] }, "shop", false],
    ["a grant in a third namespace", { from: [routes], to: [services] }, "third", false],
  ])("a grant of %s", (_, spec, namespace, expected) => {
    expect(setup([grant("g", spec, namespace)]).ask(reference)).toBe(expected);
  });

  it("needs no grant within a namespace", () => {
    const { ask } = setup([]);
    expect(ask({ from: routes, to: { ...reference.to, namespace: "shop" } })).toBe(true);
    expect(ask(reference)).toBe(false);
  });

  it("does not take a name for the end of a longer key", () => {
    const { ask } = setup([grant("g", { from: [routes], to: [{ ...services, name: "a/b" }] })]);
    expect(ask({ from: routes, to: { ...services, namespace: "store", name: "b" } })).toBe(false);
    expect(ask({ from: routes, to: { ...services, namespace: "store", name: "a/b" } })).toBe(true);
  });

  it("is taken back with the last grant that gives it", () => {
    const { input, put, answers, questions } = setup([]);
    questions.set("q", reference);
    put(grant("a", { from: [routes], to: [services] }));
    put(grant("b", { from: [routes], to: [services] }));
    input.delete("store/a");
    expect(answers.get("q")).toBe(true);
    input.delete("store/b");
    expect(answers.get("q")).toBe(false);
  });

  it("asks again only those whom a changed grant concerns", () => {
    const { graph, put, questions } = setup([grant("a", { from: [routes], to: [services] })]);
    for (let i = 0; i < 10; i++)
      questions.set(`q${i}`, { from: { ...routes, namespace: `n${i}` }, to: reference.to });
    const before = graph.recomputations.get("answers") ?? 0;
    put(grant("a", { from: [routes, { ...routes, namespace: "n3" }], to: [services] }));
    expect(graph.recomputations.get("answers")).toBe(before + 1);
  });
});

it("the advice names both ends", () => {
  expect(grantAdvice(reference)).toBe(
    "a ReferenceGrant in namespace store must allow it, from HTTPRoute in namespace shop to Service web",
  );
});
