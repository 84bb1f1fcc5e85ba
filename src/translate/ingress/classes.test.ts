import { describe, expect, it } from "vitest";
import type { Collection, Read } from "../../incremental/index.ts";
import { parseResource, type Ingress, type IngressClass, type Resource } from "../../resources/index.ts";
import type { IngressSettings } from "../settings.ts";
import { gatewayOf, isDefaultClass, judgeClass } from "./classes.ts";

function parsed(kind: string, metadata: object, spec: object): Resource {
  const result = parseResource({ apiVersion: "networking.k8s.io/v1", kind, metadata, spec });
  if (result.outcome !== "resource") throw new Error(JSON.stringify(result));
  return result.resource;
}

const classOf = (name: string, controller: string, rest = {}, annotations = {}) =>
  parsed("IngressClass", { name, annotations }, { controller, ...rest }) as IngressClass;
const ingress = (ingressClassName?: string, annotation?: string) =>
  parsed(
    "Ingress",
    {
      name: "web",
      annotations: annotation === undefined ? {} : { "kubernetes.io/ingress.class": annotation },
    },
    { ingressClassName, defaultBackend: { service: { name: "web", port: { number: 80 } } } },
  ) as Ingress;

const settings: IngressSettings = {
  controllers: ["k8s.io/ingate"],
  names: ["ingate"],
  byName: false,
  withoutClass: false,
  ignoreClass: false,
};

function isOurs(
  one: Ingress,
  {
    changes = {},
    classes = [],
    implicitClasses = false,
  }: {
    readonly changes?: Partial<IngressSettings>;
    readonly classes?: readonly IngressClass[];
    readonly implicitClasses?: boolean;
  } = {},
): boolean {
  const all = {} as Collection<IngressClass>;
  const defaults = {} as Collection<IngressClass>;
  const read = {
    one: (_all: unknown, name: string) => classes.find(({ metadata }) => metadata.name === name),
    every: () => classes.filter(isDefaultClass).map((each) => [each.metadata.name, each]),
  } as unknown as Read;
  const inputs = { classes: all, defaults, settings: { ...settings, ...changes }, implicitClasses };
  return judgeClass(one, read, inputs) !== undefined;
}

describe("5.22 an Ingress", () => {
  const own = classOf("edge", "k8s.io/ingate");
  const foreign = classOf("ingate", "k8s.io/ingress-nginx");

  it("is ours by the controller of its class", () => {
    expect(isOurs(ingress("edge"), { classes: [own] })).toBe(true);
    expect(isOurs(ingress("ingate"), { classes: [foreign] })).toBe(false);
    expect(isOurs(ingress("edge"))).toBe(false);
  });

  it("is ours by the annotation, where no class of that name says otherwise", () => {
    expect(isOurs(ingress(undefined, "ingate"))).toBe(true);
    expect(isOurs(ingress(undefined, "nginx"))).toBe(false);
    expect(isOurs(ingress(undefined, "edge"), { classes: [own] })).toBe(true);
    expect(isOurs(ingress(undefined, "ingate"), { classes: [foreign] })).toBe(false);
    expect(isOurs(ingress("edge", "nginx"), { classes: [own] })).toBe(false);
  });

  it("by name: is ours by the name of its class alone", () => {
    const changes = { byName: true };
    expect(isOurs(ingress("ingate"))).toBe(false);
    expect(isOurs(ingress("ingate"), { changes })).toBe(true);
    expect(isOurs(ingress("ingate"), { changes, classes: [foreign] })).toBe(true);
  });

  it("without a class: is ours by the default class, or where we are told to watch for it", () => {
    const standard = classOf(
      "edge",
      "k8s.io/ingate",
      {},
      { "ingressclass.kubernetes.io/is-default-class": "true" },
    );
    expect(isOurs(ingress())).toBe(false);
    expect(isOurs(ingress(), { classes: [standard] })).toBe(true);
    expect(isOurs(ingress(), { changes: { withoutClass: true } })).toBe(true);
    expect(isOurs(ingress("nginx"), { changes: { withoutClass: true } })).toBe(false);
  });

  it("ignoring classes: is ours", () => {
    const changes = { ignoreClass: true };
    expect(isOurs(ingress("ingate"), { changes, classes: [foreign] })).toBe(true);
    expect(isOurs(ingress("none"), { changes })).toBe(true);
  });

  it("in files: is ours unless its class is there and somebody else's", () => {
    expect(isOurs(ingress("nginx"), { implicitClasses: true })).toBe(true);
    expect(isOurs(ingress("ingate"), { implicitClasses: true, classes: [foreign] })).toBe(false);
  });

  it("is served by the Gateway that its class names", () => {
    const at = { apiGroup: "gateway.networking.k8s.io", kind: "Gateway", name: "edge" };
    const named = classOf("edge", "k8s.io/ingate", {
      parameters: { ...at, scope: "Namespace", namespace: "infra" },
    });
    expect(gatewayOf(named, "a/b")).toEqual({ gateway: "infra/edge" });
    expect(gatewayOf(own, "a/b")).toEqual({ gateway: "a/b" });
    const wrong = gatewayOf(classOf("edge", "k8s.io/ingate", { parameters: at }), "a/b");
    expect(wrong).toMatchObject({ gateway: "a/b", wrong: expect.stringContaining("must name a Gateway") });
  });
});
