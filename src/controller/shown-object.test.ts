import { describe, expect, it } from "vitest";
import { parseResource, type Resource } from "../resources/index.ts";
import { showObject } from "./shown-object.ts";

function parse(input: object): Resource {
  const parsed = parseResource(input);
  if (parsed.outcome !== "resource") throw new Error(JSON.stringify(parsed));
  return parsed.resource;
}

describe("an object for people", () => {
  it("has no value of a Secret, wherever it may stand", () => {
    const key = "c2VjcmV0LXZhbHVl";
    const shown = showObject(
      parse({
        apiVersion: "v1",
        kind: "Secret",
        metadata: {
          name: "tls",
          annotations: {
            "kubectl.kubernetes.io/last-applied-configuration": `{"data":{"tls.key":"${key}"}}`,
            other: "kept",
          },
        },
        data: { "tls.key": key, __proto__key: key },
        stringData: { more: "secret-value" },
        immutable: true,
      }),
      undefined,
    );
    expect(JSON.stringify(shown)).not.toMatch(/c2Vj|secret-value/);
    expect(shown).toMatchObject({
      kind: "Secret",
      metadata: { name: "tls", namespace: "default", annotations: { other: "kept" } },
      data: { "tls.key": "(hidden)", more: "(hidden)" },
    });
  });

  it("has its status last, and no empty labels", () => {
    const namespace = parse({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
    const shown = showObject(namespace, { phase: "Active" });
    expect(Object.keys(shown)).toEqual(["apiVersion", "kind", "metadata", "status"]);
    expect(shown.metadata).toEqual({ name: "shop", generation: 1 });
  });
});
