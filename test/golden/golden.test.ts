/*
 * Finds every folder below that has an input.yaml and checks the files in it:
 *
 *   input.yaml                   what a user would apply; its first comment states the rule
 *   model.yaml, status.yaml      what must follow
 *   fleets.yaml                  what must run for the Gateways
 *   references.yaml              the Secrets and ConfigMaps that are asked for
 *   remarks.yaml                 what owners of objects are told beside statuses
 *   1-name.yaml                  applied after it (1-name.delete.yaml: what is then deleted)
 *   1-name.model.yaml, 1-name.status.yaml, …
 *   settings.yaml                settings of the translation; `without`: features that the proxy lacks; `reports`: what it says of
 *                                items, where that is not just that all is well; more in translated.ts
 *
 * A file that exists is checked. `npm run golden -- --update` writes them anew. Every case is also replayed object by object
 * in random orders with deletions and re-adds, and must end in the same bytes.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { CORE_SCHEMA, load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { formatPath, parseResource, type Resource } from "../../src/resources/index.ts";
import { Translated, type GoldenSettings } from "./translated.ts";

const root = import.meta.dirname;
const cases = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("input.yaml"))
  .map((path) => join(root, path, ".."))
  .toSorted();

it("finds the cases", () => {
  expect(cases.length).toBeGreaterThan(0);
});

describe.each(cases.map((path) => [relative(root, path), path]))("%s", (_name, folder) => {
  const settings = readSettings(folder);
  const steps = readSteps(folder);

  it("gives the model and the statuses that are written down", async () => {
    const translated = new Translated(settings);
    for (const step of steps) {
      translated.delete(...step.deleted);
      translated.set(...step.set);
      await expect(translated.modelYaml()).toMatchFileSnapshot(join(folder, `${step.prefix}model.yaml`));
      await expect(translated.statusYaml()).toMatchFileSnapshot(join(folder, `${step.prefix}status.yaml`));
      const further = [...furtherFiles(translated)].map(
        ([name, text]) => [join(folder, `${step.prefix}${name}`), text] as const,
      );
      for (const [path, text] of further.filter(([file]) => existsSync(file))) {
        await expect(text).toMatchFileSnapshot(path);
      }
    }
  });

  it("ends in the same bytes whatever the order of events", () => {
    const final = finalObjects(steps);
    const expected = new Translated(settings);
    expected.set(...final);
    const model = expected.modelYaml();
    const status = expected.statusYaml();
    const further = furtherFiles(expected);
    fc.assert(
      fc.property(orders(final), (events) => {
        const translated = new Translated(settings);
        for (const { type, resources } of events) translated[type](...resources);
        expect(translated.modelYaml()).toBe(model);
        expect(translated.statusYaml()).toBe(status);
        expect(furtherFiles(translated)).toEqual(further);
      }),
      { seed: 20260101, numRuns: 12 },
    );
  });
});

/** Files that most cases do without. */
function furtherFiles(translated: Translated): ReadonlyMap<string, string> {
  return new Map([
    ["fleets.yaml", translated.fleetsYaml()],
    ["references.yaml", translated.referencesYaml()],
    ["remarks.yaml", translated.remarksYaml()],
  ]);
}

interface Step {
  readonly prefix: string;
  readonly set: readonly Resource[];
  readonly deleted: readonly Resource[];
}

function readSettings(folder: string): GoldenSettings {
  const path = join(folder, "settings.yaml");
  return existsSync(path) ? (load(readFileSync(path, "utf8")) as GoldenSettings) : {};
}

function readSteps(folder: string): readonly Step[] {
  const names = new Set(
    readdirSync(folder).flatMap((file) => /^(\d+-[a-z0-9-]+)(?:\.delete)?\.yaml$/.exec(file)?.[1] ?? []),
  );
  const numbered = [...names].toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return [
    { prefix: "", set: readObjects(join(folder, "input.yaml")), deleted: [] },
    ...numbered.map((name) => ({
      prefix: `${name}.`,
      set: readObjects(join(folder, `${name}.yaml`)),
      deleted: readObjects(join(folder, `${name}.delete.yaml`)),
    })),
  ];
}

function readObjects(path: string): readonly Resource[] {
  if (!existsSync(path)) return [];
  return loadAll(readFileSync(path, "utf8"), undefined, { schema: CORE_SCHEMA })
    .filter((document) => document !== null && document !== undefined)
    .map((document) => {
      const parsed = parseResource(document);
      if (parsed.outcome === "resource") return parsed.resource;
      const problems =
        parsed.outcome === "invalid"
          ? parsed.problems.map((one) => `${formatPath(one.path)}: ${one.message}`)
          : [parsed.kind];
      throw new Error(`${relative(root, path)}: ${problems.join("; ")}`);
    });
}

function finalObjects(steps: readonly Step[]): readonly Resource[] {
  const objects = new Map<string, Resource>();
  const keyOf = ({ kind, metadata }: Resource) =>
    `${kind}/${"namespace" in metadata ? metadata.namespace : ""}/${metadata.name}`;
  for (const { set, deleted } of steps) {
    for (const resource of deleted) objects.delete(keyOf(resource));
    for (const resource of set) objects.set(keyOf(resource), resource);
  }
  return [...objects.values()];
}

interface Event {
  readonly type: "set" | "delete";
  readonly resources: readonly Resource[];
}

/** All objects in some order, in batches of some size; some of them taken away again and brought back. */
function orders(objects: readonly Resource[]): fc.Arbitrary<readonly Event[]> {
  const shuffled = fc.shuffledSubarray([...objects], {
    minLength: objects.length,
    maxLength: objects.length,
  });
  const removed = fc.shuffledSubarray([...objects]);
  return fc.tuple(shuffled, removed, fc.integer({ min: 1, max: 4 })).map(([all, some, size]) => {
    const events: Event[] = [];
    for (let at = 0; at < all.length; at += size)
      events.push({ type: "set", resources: all.slice(at, at + size) });
    for (const resource of some) events.push({ type: "delete", resources: [resource] });
    for (const resource of some.toReversed()) events.push({ type: "set", resources: [resource] });
    return events;
  });
}
