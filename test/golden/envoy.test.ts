/*
 * Cases with an envoy.yaml beside their input: the resources that Envoy gets for them, by type and name, without keys. Scripts are
 * the same in every configuration and are left out. `npm run golden -- --update` writes them anew.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RenderedModel } from "../../src/drivers/envoy/render/index.ts";
import { casesWith, modelOfCase } from "./proxy-cases.ts";
import { renderYaml } from "./render-yaml.ts";

describe.each(casesWith("envoy.yaml"))("Envoy for %s", (_name, folder) => {
  it("5.14: gets the resources that are written down", async () => {
    const rendered = new RenderedModel({ addresses: ["0.0.0.0"], systemRoots: "/etc/ssl/roots.pem" });
    const { resources, problems } = rendered.apply(modelOfCase(folder));
    expect(problems.filter(({ message }) => message !== undefined)).toEqual([]);
    const shown = resources
      .map(({ type, name, message }) => ({ name, type, message: shownMessage(message) }))
      .toSorted((a, b) => (`${a.type} ${a.name}` < `${b.type} ${b.name}` ? -1 : 1));
    await expect(renderYaml(shown)).toMatchFileSnapshot(join(folder, "envoy.yaml"));
  });
});

function shownMessage(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message), (key, value: unknown) => {
    if (key === "privateKey" || key === "certificateChain") return "…";
    return key === "inlineString" && String(value).includes("\n") ? "…" : value;
  });
}
