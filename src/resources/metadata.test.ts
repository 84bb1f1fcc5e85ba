import { describe, expect, it } from "vitest";
import { problemsOf, readAs } from "../../test/resources/problems-of.ts";
import { parseResource } from "./parse-resource.ts";

const route = (metadata: unknown) => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "HTTPRoute",
  metadata,
  spec: {},
});
const gatewayClass = (metadata: unknown) => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "GatewayClass",
  metadata,
  spec: { controllerName: "example.com/a" },
});

describe("metadata", () => {
  it("has defaults", () => {
    expect(readAs("HTTPRoute", route({ name: "a" })).metadata).toEqual({
      name: "a",
      namespace: "default",
      labels: {},
      annotations: {},
      generation: 1,
    });
  });

  it("takes its namespace from the options when it has none", () => {
    const parsed = parseResource(route({ name: "a" }), { defaultNamespace: "shop" });
    expect(parsed).toMatchObject({ resource: { metadata: { namespace: "shop" } } });
    expect(parseResource(route({ name: "a", namespace: "own" }), { defaultNamespace: "shop" })).toMatchObject(
      {
        resource: { metadata: { namespace: "own" } },
      },
    );
  });

  it("keeps what identifies and dates an object, and leaves out the rest", () => {
    const kept = {
      name: "a",
      namespace: "b",
      labels: { app: "web" },
      annotations: { "example.com/Note": "any text" },
      uid: "u",
      resourceVersion: "7",
      generation: 3,
      creationTimestamp: "2026-01-31T12:00:00Z",
      deletionTimestamp: "2026-02-01T12:00:00Z",
      ownerReferences: [{ apiVersion: "v1", kind: "Service", name: "s", uid: "u2", controller: true }],
      finalizers: ["example.com/done"],
    };
    const ignored = {
      managedFields: [{}],
      selfLink: "/x",
      generateName: "a-",
      deletionGracePeriodSeconds: 0,
    };
    expect(readAs("HTTPRoute", route({ ...kept, ...ignored })).metadata).toEqual(kept);
  });

  it("has times as text, even if a YAML reader made dates of them", () => {
    const { metadata } = readAs(
      "HTTPRoute",
      route({ name: "a", creationTimestamp: new Date("2026-01-31T12:00:00Z") }),
    );
    expect(metadata.creationTimestamp).toBe("2026-01-31T12:00:00Z");
  });

  it("has no namespace where objects are cluster-scoped", () => {
    const { metadata } = readAs("GatewayClass", gatewayClass({ name: "a", namespace: "ignored" }));
    expect(metadata).not.toHaveProperty("namespace");
  });

  it.each([
    [undefined, "metadata: is required"],
    [null, "metadata: is required"],
    [[], "metadata: must be an object, not a list"],
    [{}, "metadata.name: is required"],
    [{ name: "" }, "metadata.name: must not be empty"],
    [{ name: 7 }, "metadata.name: must be a string, not 7; put it in quotes"],
    [{ name: "a".repeat(254) }, "metadata.name: must have at most 253 characters, but has 254"],
    [{ name: "a", namespace: "" }, "metadata.namespace: must not be empty"],
    [{ name: "a", labels: { a: true } }, "metadata.labels.a: must be a string, not true; put it in quotes"],
    [{ name: "a", annotations: [] }, "metadata.annotations: must be an object, not a list"],
    [
      { name: "a", ownerReferences: [{ kind: "A", name: "a", uid: "u" }] },
      "metadata.ownerReferences[0].apiVersion: is required",
    ],
    [{ name: "a", generation: -1 }, "metadata.generation: must be between 0 and 9007199254740991, not -1"],
    [{ name: "a", label: {} }, "metadata.label: is not a known field; did you mean labels?"],
    [
      { name: "a", creationTimestamp: 5 },
      "metadata.creationTimestamp: must be a timestamp such as 2026-01-31T12:00:00Z, not 5",
    ],
  ])("refuses %j", (metadata, problem) => {
    expect(problemsOf(route(metadata))).toEqual([problem]);
  });

  it("names the label whose key is wrong", () => {
    const [problem] = problemsOf(route({ name: "a", labels: { "a b": "c" } }));
    expect(problem).toMatch(/^metadata\.labels\["a b"\]: "a b" is not a label key/);
  });
});
