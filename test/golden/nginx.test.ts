/*
 * Cases with an nginx.conf beside their input: the configuration that the NGINX of each listener gets for them, and below it the files that its
 * scripts read, without keys. `npm run golden -- --update` writes them anew.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { renderListener } from "../../src/drivers/nginx/config/listener-configuration.ts";
import { writeDirectives } from "../../src/drivers/nginx/config/write-directives.ts";
import { DataFolder } from "../../src/drivers/nginx/data/data-folder.ts";
import { Slots } from "../../src/drivers/nginx/data/slots.ts";
import { joinNeeds, usualNeeds, type Needs } from "../../src/drivers/nginx/tables/listener-needs.ts";
import { Tables } from "../../src/drivers/nginx/tables/tables.ts";
import type { Listener } from "../../src/model/index.ts";
import { listenerShape } from "../nginx-listener-shape.ts";
import { casesWith, modelOfCase } from "./proxy-cases.ts";

describe.each(casesWith("nginx.conf"))("NGINX for %s", (_name, folder) => {
  it("5.12: gets the configuration and the data that are written down", async () => {
    const model = modelOfCase(folder);
    const data = new DataFolder(mkdtempSync(join(tmpdir(), "gw-golden-")), undefined);
    onTestFinished(() => {
      data.close();
      rmSync(data.path, { recursive: true, force: true });
    });
    const ids = new Map(Array.from(model.listeners.keys(), (key, index) => [key, `l${index + 1}`]));
    const slots = new Slots(() => 0);
    const tables = new Tables({
      data,
      slots,
      sessionSecret: "secret",
      idOf: (listener) => ids.get(listener)!,
      portFor: (listener, port) => (port === "listener" ? model.listeners.get(listener)!.port : port),
      wellOf: (_, endpoints) => endpoints,
      onAddresses: () => {},
    });
    const prepared = await tables.prepare(model);
    await tables.commit(prepared, new Map());
    const needs = [...prepared.needs.values()];
    const configurations = Array.from(model.listeners.values(), (listener) => {
      const own = needs.filter((one) => one.listener === listener.key).map((one) => one.needs);
      const shape = shapeOf(listener, ids.get(listener.key)!, slots.count, own);
      return `# Listener ${listener.key}\n${writeDirectives(renderListener(shape))}`;
    });
    const shown = `${configurations.join("\n")}\n${filesOf(data.path).join("\n")}\n`;
    await expect(shown).toMatchFileSnapshot(join(folder, "nginx.conf"));
  });
});

function shapeOf(listener: Listener, listenerId: string, slots: number, needs: readonly Needs[]) {
  const { profiles, mirrors, headerNames } = needs.reduce(joinNeeds, usualNeeds);
  return listenerShape({
    protocol: listener.protocol,
    listens: [`0.0.0.0:${listener.port}`],
    listenerId,
    folder: `/run/gatewright/${listenerId}`,
    sockets: `/run/gatewright/${listenerId}/s`,
    user: "www-data",
    slots,
    profiles,
    mirrors,
    headerNames: [...headerNames].toSorted(),
  });
}

/** Names and content, as comments; of certificates the names. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
    .flatMap((name) => {
      const content = readFileSync(join(folder, name), "utf8");
      return [`# file ${name}`, ...(content.includes("PRIVATE KEY") ? [] : [`#   ${content.trimEnd()}`])];
    });
}
