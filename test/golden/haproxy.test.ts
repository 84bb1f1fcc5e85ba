/*
 * Cases with a haproxy.cfg beside their input: the sections that HAProxy gets for them, without those that are in every configuration,
 * and below them what its maps say. `npm run golden -- --update` writes them anew.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CORE_SCHEMA, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { checkedConfiguration } from "../../src/drivers/haproxy/config/configuration-reader.ts";
import { desiredState, mapNames, type DesiredState } from "../../src/drivers/haproxy/render/desired-state.ts";
import { parseResource, type Resource } from "../../src/resources/index.ts";
import { Translated } from "./translated.ts";

const root = import.meta.dirname;
const cases = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("haproxy.cfg"))
  .map((path) => join(root, path, ".."))
  .toSorted((a, b) => a.localeCompare(b));

describe.each(cases.map((path) => [relative(root, path), path]))("HAProxy for %s", (_name, folder) => {
  it("gets the sections that are written down", async () => {
    expect(existsSync(join(folder, "input.yaml"))).toBe(true);
    const translated = new Translated();
    translated.set(...readObjects(join(folder, "input.yaml")));
    await expect(shown(rendered(translated))).toMatchFileSnapshot(join(folder, "haproxy.cfg"));
  });
});

function readObjects(path: string): readonly Resource[] {
  return loadAll(readFileSync(path, "utf8"), undefined, { schema: CORE_SCHEMA }).map((document) => {
    const parsed = parseResource(document);
    if (!("resource" in parsed)) throw new Error(`${path}: ${JSON.stringify(parsed)}`);
    return parsed.resource;
  });
}

function rendered({ model }: Translated): DesiredState {
  const planned = new Map(
    [...model.listeners.entries()].map(([key, listener]) => {
      const bound = [{ address: "0.0.0.0", port: listener.port }];
      return [key, { listener, bound, state: { type: "programmed" } as const }];
    }),
  );
  return desiredState({
    model: {
      certificates: new Map(model.certificates.entries()),
      backends: new Map(model.backends.entries()),
      endpoints: new Map(model.endpoints.entries()),
      serverNames: new Map(model.serverNames.entries()),
      virtualHosts: new Map(model.virtualHosts.entries()),
      streamRoutes: new Map(model.streamRoutes.entries()),
    },
    planned,
    folder: "/run/gatewright",
    logs: true,
    addressesOf: () => [],
  });
}

function shown({ sections, servers, maps, data }: DesiredState): string {
  const used = [...sections.values()].filter(({ section }) => !section.name!.startsWith("r-"));
  const text = checkedConfiguration(
    used.map(({ section }) => {
      const lines = [...(servers.get(section.name!) ?? [])].map(([name, words]) => [
        "server",
        name,
        ...words,
      ]);
      return { ...section, lines: [...section.lines, ...lines] };
    }),
  );
  const entries = mapNames.flatMap((name) =>
    [...maps[name]].flatMap(([key, hash]) => [
      `# map ${name}: ${key} ${hash}`,
      `#   ${data.get(hash)?.toString() ?? ""}`,
    ]),
  );
  return `${text}\n${entries.join("\n")}\n`;
}
