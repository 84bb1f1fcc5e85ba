/** Cases with a proxy's own form of their model beside them, for the tests that check those files. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CORE_SCHEMA, loadAll } from "js-yaml";
import { modelKinds, type ModelItems, type ModelKind } from "../../src/model/index.ts";
import { parseResource } from "../../src/resources/index.ts";
import { Translated } from "./translated.ts";

export type CaseModel = { readonly [Kind in ModelKind]: ReadonlyMap<string, ModelItems[Kind]> };

const root = import.meta.dirname;

/** Name and folder of each case that has the file. */
export function casesWith(file: string): [name: string, folder: string][] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(`/${file}`))
    .map((path) => join(root, path, ".."))
    .toSorted()
    .map((folder) => [relative(root, folder), folder]);
}

/** What the case's objects become, for a proxy that claims everything. */
export function modelOfCase(folder: string): CaseModel {
  const input = join(folder, "input.yaml");
  if (!existsSync(input)) throw new Error(`${input} is missing.`);
  const translated = new Translated();
  const documents = loadAll(readFileSync(input, "utf8"), undefined, { schema: CORE_SCHEMA });
  const resources = documents.map((document) => {
    const parsed = parseResource(document);
    if (parsed.outcome !== "resource") throw new Error(`${input}: ${JSON.stringify(parsed)}`);
    return parsed.resource;
  });
  translated.set(...resources);
  return Object.fromEntries(
    modelKinds.map((kind) => [kind, new Map<string, unknown>(translated.model[kind].entries())]),
  ) as unknown as CaseModel;
}
