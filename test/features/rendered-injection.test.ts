/*
 * Whatever text users put into objects, the renderers of NGINX and HAProxy make the same directives of it. Large random models go through the renderers;
 * what comes out is read back and compared with what harmless texts become, and the program itself checks it. Texts are from a seed, the same one
 * each time; `GATEWRIGHT_SEED=<number>` takes others, `GATEWRIGHT_LOTS=<number>` more of them.
 */
import { lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readConfiguration } from "../../src/drivers/haproxy/config/configuration-reader.ts";
import { ModelState } from "../../src/drivers/haproxy/model-state.ts";
import { defaultLimits } from "../../src/drivers/haproxy/options.ts";
import { ConfigurationFiles } from "../../src/drivers/haproxy/process/configuration-files.ts";
import { WorkFolder } from "../../src/drivers/haproxy/process/work-folder.ts";
import { desiredState } from "../../src/drivers/haproxy/render/desired-state.ts";
import { renderListener } from "../../src/drivers/nginx/config/listener-configuration.ts";
import {
  meansDirectives,
  readDirectives,
  type ReadDirective,
} from "../../src/drivers/nginx/config/read-directives.ts";
import { writeDirectives } from "../../src/drivers/nginx/config/write-directives.ts";
import { DataFolder } from "../../src/drivers/nginx/data/data-folder.ts";
import { makePrivateFolder } from "../../src/drivers/nginx/data/private-folder.ts";
import { Slots } from "../../src/drivers/nginx/data/slots.ts";
import { refusalOf } from "../../src/drivers/nginx/process/nginx-process.ts";
import { findProgram } from "../../src/drivers/nginx/process/program.ts";
import { joinNeeds, usualNeeds } from "../../src/drivers/nginx/tables/listener-needs.ts";
import { Tables } from "../../src/drivers/nginx/tables/tables.ts";
import type { ModelChanges } from "../../src/model/index.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { need } from "../components/need.ts";
import { listenerShape } from "../nginx-listener-shape.ts";
import { hostileModel, hostileText, hugeText, type KeyPairs } from "./support/hostile-model.ts";

const seed = Number(process.env["GATEWRIGHT_SEED"] ?? 7);
const numRuns = Number(process.env["GATEWRIGHT_LOTS"] ?? 4);
const title = `GATEWRIGHT_SEED=${seed} GATEWRIGHT_LOTS=${numRuns}`;

/** One lot: hundreds of texts, one of them a megabyte. */
const lot = fc.tuple(fc.array(hostileText, { minLength: 300, maxLength: 500 }), hugeText, fc.nat(299));

let keyPairs: KeyPairs;
beforeAll(async () => {
  const ca = await makeCa();
  keyPairs = { server: await makeCertificate({ names: ["*.test"], ca }), authority: ca.certificate };
});

function modelOf([texts, huge, place]: [string[], string, number]): ModelChanges {
  let next = 0;
  const all = texts.with(place, huge);
  return hostileModel(() => all[next++ % all.length]!, keyPairs);
}

function harmlessModel(): ModelChanges {
  let next = 0;
  return hostileModel(() => `text${next++}`, keyPairs);
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gw-in-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What is there must be known: nothing that harmless texts do not become, too. */
function expectNothingNew(found: ReadonlySet<string>, known: ReadonlySet<string>): void {
  expect([...found].filter((each) => !known.has(each))).toEqual([]);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    lstatSync(join(folder, name)).isFile(),
  );
}

describe("HAProxy's configuration", () => {
  /** Lines by their words, without identifiers. */
  const shapesOf = (text: string) =>
    new Set(
      readConfiguration(text).flatMap(({ keyword, name, lines }) => {
        const section = `${keyword} ${shape(name ?? "")}`;
        return [section, ...lines.map((words) => `${section}: ${words.map(shape).join(" ")}`)];
      }),
    );
  /** Names of servers are the only texts of users that may be there, in these two places. */
  const shape = (word: string, at = 0, words: readonly string[] = []) => {
    const place =
      words[at - 1] === "sni" ? /^str\([\w.-]+\)$/ : words[at - 1] === "verifyhost" ? /^[\w.-]+$/ : undefined;
    return place?.test(word) ? "<name>" : word.replaceAll(/[0-9a-f]{20,}/g, "<id>");
  };

  async function rendered(changes: ModelChanges) {
    const folder = new WorkFolder(newFolder());
    const state = new ModelState();
    state.apply(changes);
    const planned = new Map(
      Array.from(state.items.listeners, ([key, listener]) => {
        const bound = [{ address: "127.0.0.1", port: listener.port }];
        return [key, { listener, bound, state: { type: "programmed" } as const }];
      }),
    );
    const desired = desiredState({
      model: state.items,
      planned,
      folder: folder.path,
      logs: true,
      wellOf: (_, endpoints) => endpoints,
      addressesOf: () => [],
    });
    const files = new ConfigurationFiles(
      folder,
      { executable: "haproxy", threads: 1, accessLog: () => {} },
      defaultLimits,
    );
    files.write(desired);
    files.writeFor(1, desired);
    const read = (name: string) => readFileSync(join(folder.path, name), "utf8");
    const maps = Object.entries(desired.maps).map(([name, map]) => ({
      name,
      size: map.size,
      text: read(`g1/${name}.map`),
    }));
    return {
      text: read("g1/haproxy.cfg").replaceAll(folder.path, "/folder"),
      maps,
      refusal: await files.check(2, desired),
    };
  }

  it(`has no line that was not meant (${title})`, { timeout: 120_000 }, async (context) => {
    need(context, "haproxy");
    const harmless = await rendered(harmlessModel());
    expect(harmless.refusal).toBeUndefined();
    const known = shapesOf(harmless.text);
    for (const texts of fc.sample(lot, { seed, numRuns })) {
      const { text, maps, refusal } = await rendered(modelOf(texts));
      expect(refusal).toBeUndefined();
      expectNothingNew(shapesOf(text), known);
      for (const { name, size, text: map } of maps) {
        const lines = map.split("\n").slice(0, -1);
        expect([name, lines.length]).toEqual([name, size]);
        for (const line of lines) expect(line).toMatch(/^[\w*.|-]+ [\w.,-]+$/);
      }
    }
  });
});

describe("NGINX's configuration", () => {
  /** Directives by their path, and the arguments of those that are no data. */
  const shapesOf = (text: string) => {
    const shapes = new Set<string>();
    const walk = (directives: readonly ReadDirective[], path: string) => {
      for (const { name, arguments: given, block } of directives) {
        const shape = given.map((word) => (isHeaders(name, given[0]!, word) ? "<headers>" : word)).join(" ");
        shapes.add(`${path}${name} ${shape}`);
        if (block) walk(block, `${path}${name} / `);
      }
    };
    walk(readDirectives(text), "");
    return shapes;
  };
  /** Names of headers of gRPC filters are the only texts of users that may be there. */
  const isHeaders = (name: string, first: string, word: string) =>
    (name === "grpc_set_header" || (name === "js_var" && first === "$gw_names")) &&
    word.split(" ").every((each) => token.test(each));
  const token = /^[A-Za-z0-9!#%&'*+\-.^_`|~]+$/;

  async function rendered(changes: ModelChanges) {
    const { path: program, modules } = await findProgram();
    const folder = makePrivateFolder(newFolder(), undefined);
    const data = new DataFolder(join(folder.path, "d"), undefined);
    onTestFinished(() => data.close());
    data.makeFolder(data.path);
    folder.copyScripts(data);
    const ids = new Map(Array.from(changes.listeners.keys(), (key, index) => [key, `l${index}`]));
    const slots = new Slots(() => 0);
    const tables = new Tables({
      data,
      slots,
      sessionSecret: "secret",
      idOf: (listener) => ids.get(listener)!,
      portFor: () => 80,
      wellOf: (_, endpoints) => endpoints,
      onAddresses: () => {},
    });
    const prepared = await tables.prepare(changes);
    await tables.commit(prepared, new Map());
    tables.addresses.close();
    const texts: string[] = [];
    for (const listener of changes.listeners.values()) {
      const own = [...prepared.needs.values()]
        .filter((one) => one.listener === listener!.key)
        .map(({ needs }) => needs);
      const needs = own.reduce(joinNeeds, usualNeeds);
      const place = join(folder.path, ids.get(listener!.key)!);
      for (const name of ["", "/s", "/s/slot", "/nothing"]) data.makeFolder(place + name);
      const directives = renderListener(
        listenerShape({
          protocol: listener!.protocol,
          listens: [`unix:${place}/port`],
          folder: place,
          sockets: `${place}/s`,
          dataFolder: data.path,
          scripts: `${data.path}/scripts`,
          modules,
          slots: slots.count,
          profiles: needs.profiles,
          mirrors: needs.mirrors,
          trusts: new Map(Array.from(needs.trusts, (number) => [number, tables.trusts.fileOf(number)!])),
          headerNames: [...needs.headerNames].toSorted(),
          accessLog: `${place}/log`,
        }),
      );
      const text = writeDirectives(directives);
      expect(meansDirectives(text, directives)).toBe(true);
      writeFileSync(join(place, "nginx.conf"), text);
      expect(
        await refusalOf({ program, folder: place, configuration: join(place, "nginx.conf") }),
      ).toBeUndefined();
      texts.push(text.replaceAll(folder.path, "/folder").replaceAll(/trust\/[0-9a-f]+/g, "trust/<id>"));
    }
    const outside = filesIn(join(folder.path, "..")).filter(
      (name) => !name.startsWith(relative(join(folder.path, ".."), folder.path)),
    );
    return {
      text: texts.join(""),
      outside,
      data: filesIn(data.path).filter((name) => !name.startsWith("scripts/")),
    };
  }

  it(`has no directive that was not meant (${title})`, { timeout: 120_000 }, async (context) => {
    need(context, "nginx");
    const known = shapesOf((await rendered(harmlessModel())).text);
    for (const texts of fc.sample(lot, { seed, numRuns })) {
      const { text, outside, data } = await rendered(modelOf(texts));
      expectNothingNew(shapesOf(text), known);
      expect(outside).toEqual([]);
      for (const name of data) expect(name).toMatch(/^[a-z-]+(?:\/l[0-9])?(?:\/=?[\w*.-]+)?$/);
    }
  });
});
