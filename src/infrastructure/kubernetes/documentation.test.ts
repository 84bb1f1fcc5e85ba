import { readFileSync } from "node:fs";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { parseResource } from "../../resources/index.ts";

const text = readFileSync(new URL("../../../docs/kubernetes.md", import.meta.url), "utf8");
const blocks = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = ""]) => block);

describe("docs/kubernetes.md", () => {
  it("shows objects that are valid", () => {
    const outcomes = blocks.flatMap((block) => loadAll(block).map((object) => parseResource(object).outcome));
    expect(outcomes.length).toBeGreaterThan(3);
    expect(new Set(outcomes)).toEqual(new Set(["resource"]));
  });

  it("has a row for every field of a ProxyConfig", () => {
    const crd = readFileSync(
      new URL("../../../charts/gatewright/crds/proxyconfigs.yaml", import.meta.url),
      "utf8",
    );
    const [definition] = loadAll(crd) as [
      { spec: { versions: { schema: { openAPIV3Schema: { properties: Record<string, Property> } } }[] } },
    ];
    const spec = definition.spec.versions[0]?.schema.openAPIV3Schema.properties["spec"]?.properties ?? {};
    const names = Object.keys(spec).flatMap((name) =>
      name === "service"
        ? Object.keys(spec[name]?.properties ?? {}).map((field) => `service.${field}`)
        : name,
    );
    expect(names.filter((name) => !new RegExp(`\\| .*\`${name}[.\`]`).test(text))).toEqual([]);
  });
});

interface Property {
  readonly properties?: Record<string, Property>;
}
