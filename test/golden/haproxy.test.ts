/*
 * Cases with a haproxy.cfg beside their input: the sections that HAProxy gets for them, without those that are in every configuration,
 * and below them what its maps say. `npm run golden -- --update` writes them anew.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkedConfiguration } from "../../src/drivers/haproxy/config/configuration-reader.ts";
import { desiredState, mapNames, type DesiredState } from "../../src/drivers/haproxy/render/desired-state.ts";
import { casesWith, modelOfCase, type CaseModel } from "./proxy-cases.ts";

describe.each(casesWith("haproxy.cfg"))("HAProxy for %s", (_name, folder) => {
  it("5.13: gets the sections that are written down", async () => {
    await expect(shown(rendered(modelOfCase(folder)))).toMatchFileSnapshot(join(folder, "haproxy.cfg"));
  });
});

function rendered(model: CaseModel): DesiredState {
  const planned = new Map(
    Array.from(model.listeners, ([key, listener]) => {
      const bound = [{ address: "0.0.0.0", port: listener.port }];
      return [key, { listener, bound, state: { type: "programmed" } as const }];
    }),
  );
  return desiredState({
    model,
    planned,
    folder: "/run/gatewright",
    logs: true,
    wellOf: (_, endpoints) => endpoints,
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
