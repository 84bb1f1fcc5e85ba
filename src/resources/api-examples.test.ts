/** The Gateway API's own examples are accepted, and its examples of what is invalid are refused. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { needGatewayApi } from "../../test/components/gateway-api.ts";
import { problemsOf } from "../../test/resources/problems-of.ts";

/** Every object in the YAML files of a folder, with the file it is from. */
async function objectsIn(folder: string): Promise<{ file: string; object: unknown }[]> {
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith(".yaml"))
    .toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return texts.flatMap((text, i) =>
    loadAll(text)
      .filter((object) => object !== null && object !== undefined)
      .map((object) => ({ file: files[i] ?? "", object })),
  );
}

describe("the examples of the Gateway API", () => {
  it("are accepted", async (context) => {
    const objects = await objectsIn(join(await needGatewayApi(context), "examples"));
    expect(objects.length).toBeGreaterThan(100);
    const refused = objects.map(({ file, object }) => ({ file, problems: problemsOf(object) }));
    expect(
      refused.filter(({ problems }) => problems.length > 0 && !problems[0]?.startsWith("unknown kind")),
    ).toEqual([]);
  });

  it("that are invalid are refused", async (context) => {
    const objects = await objectsIn(join(await needGatewayApi(context), "hack", "invalid-examples"));
    expect(objects.length).toBeGreaterThan(30);
    const accepted = objects.filter(({ object }) => problemsOf(object).length === 0).map(({ file }) => file);
    // The standard channel accepts this one, so we do; `isFieldValue` refuses it where it is used.
    expect(accepted).toEqual([join("experimental", "httproute", "invalid-header-value.yaml")]);
  });
});
