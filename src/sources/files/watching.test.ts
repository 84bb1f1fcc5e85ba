import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { documents, httpRoute, pathOf } from "../../../test/sources/manifests.ts";
import type { RecordingSink } from "../../../test/sources/recording-sink.ts";
import { Folder, startSource } from "../../../test/sources/watched-folder.ts";

const gives = (sink: RecordingSink, name: string, path?: string) => () => {
  const route = sink.objects.get(`HTTPRoute/default/${name}`);
  return path === undefined ? route === undefined : route !== undefined && pathOf(route) === path;
};

async function start(files: Record<string, string>, paths?: (folder: Folder) => string[]) {
  const folder = new Folder();
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  const { sink, source } = await startSource({ paths: paths?.(folder) ?? [folder.path] });
  const becomes = (name: string, path?: string) => sink.until(gives(sink, name, path));
  return { folder, sink, source, becomes };
}

describe("a watched folder", () => {
  it("tells of changed, new and removed files", async () => {
    const { folder, becomes, sink } = await start({ "a.yaml": httpRoute("a", "/1") });
    folder.write("a.yaml", httpRoute("a", "/2"));
    await becomes("a", "/2");
    folder.replace("a.yaml", httpRoute("a", "/3"));
    await becomes("a", "/3");
    folder.write("b.yaml", httpRoute("b", "/1"));
    await becomes("b", "/1");
    folder.remove("a.yaml");
    await becomes("a", undefined);
    expect(sink.keys).toEqual(["HTTPRoute/default/b"]);
    expect(sink.reports).toEqual([]);
  });

  it("hands over in one call what happened together", async () => {
    const { folder, becomes, sink } = await start({
      "a.yaml": httpRoute("a"),
      "gone.yaml": httpRoute("gone"),
    });
    folder.write("a.yaml", httpRoute("a", "/2"));
    folder.write("b.yaml", httpRoute("b", "/2"));
    folder.write("sub/c.yaml", documents(httpRoute("c", "/2"), httpRoute("d", "/2")));
    folder.remove("gone.yaml");
    await becomes("d", "/2");
    expect(sink.batches).toHaveLength(2);
    expect(sink.keys.map((key) => key.split("/")[2])).toEqual(["a", "b", "c", "d"]);
  });

  it("follows new folders, renamed folders and folders in them", async () => {
    const { folder, sink, becomes } = await start({});
    mkdirSync(folder.at("x/y"), { recursive: true });
    await sleep(30);
    folder.write("x/y/a.yaml", httpRoute("a", "/1"));
    await becomes("a", "/1");
    renameSync(folder.at("x"), folder.at("z"));
    await sleep(30);
    folder.write("z/y/a.yaml", httpRoute("a", "/2"));
    await becomes("a", "/2");
    folder.remove("z");
    await becomes("a", undefined);
    expect(sink.reports).toEqual([]);
  });

  it("sees two edits of the same size within the clock's grain", async () => {
    const { folder, sink, becomes } = await start({ "a.yaml": httpRoute("a", "/0") });
    const time = new Date(1_700_000_000_000);
    for (let i = 1; i <= 9; i++) {
      folder.write("a.yaml", httpRoute("a", `/${i}`));
      utimesSync(folder.at("a.yaml"), time, time);
      await becomes("a", `/${i}`);
    }
    expect(sink.batches).toHaveLength(10);
  });

  it("sees ConfigMaps change", async () => {
    const folder = new Folder();
    const version = (n: number) => {
      folder.write(`..v${n}/a.yaml`, httpRoute("a", `/${n}`));
      symlinkSync(`..v${n}`, folder.at("..data_tmp"));
      renameSync(folder.at("..data_tmp"), folder.at("..data"));
    };
    version(1);
    symlinkSync("..data/a.yaml", folder.at("a.yaml"));
    const { sink } = await startSource({ paths: [folder.path] });
    for (let n = 2; n <= 5; n++) {
      version(n);
      folder.remove(`..v${n - 1}`);
      await sink.until(gives(sink, "a", `/${n}`));
    }
    expect(sink.batches).toHaveLength(5);
    expect(sink.reports).toEqual([]);
  });

  it("sees what is behind links: a file elsewhere, a folder elsewhere, a link on the way", async () => {
    const folder = new Folder();
    folder.write("elsewhere/a.yaml", httpRoute("a", "/1"));
    folder.write("versions/1/b.yaml", httpRoute("b", "/1"));
    folder.write("versions/2/b.yaml", httpRoute("b", "/2"));
    folder.write("routes/c.yaml", httpRoute("c", "/1"));
    symlinkSync("../elsewhere/a.yaml", folder.at("routes/a.yaml"));
    symlinkSync("versions/1", folder.at("current"));
    const { sink } = await startSource({ paths: [folder.at("routes"), folder.at("current/")] });
    expect(sink.keys).toHaveLength(3);
    folder.write("elsewhere/a.yaml", httpRoute("a", "/2"));
    await sink.until(gives(sink, "a", "/2"));
    symlinkSync("versions/2", folder.at("next"));
    renameSync(folder.at("next"), folder.at("current"));
    await sink.until(gives(sink, "b", "/2"));
    folder.write("versions/2/b.yaml", httpRoute("b", "/3"));
    await sink.until(gives(sink, "b", "/3"));
    unlinkSync(folder.at("elsewhere/a.yaml"));
    await sink.until(gives(sink, "a", undefined));
    await sink.until(() => sink.problems.length === 1);
    expect(sink.lines).toEqual([
      `warning ${folder.at("routes/a.yaml")} is a link to something that does not exist`,
    ]);
    folder.write("elsewhere/a.yaml", httpRoute("a", "/4"));
    await sink.until(gives(sink, "a", "/4"));
  });

  it("waits for paths that do not exist yet, and for those that went away", async () => {
    const { folder, becomes, sink } = await start({}, (at) => [at.at("x/y/routes"), at.at("file.yaml")]);
    expect(sink.lines).toEqual([
      `error ${folder.at("x/y/routes")} does not exist`,
      `error ${folder.at("file.yaml")} does not exist`,
    ]);
    folder.write("x/y/routes/a.yaml", httpRoute("a", "/1"));
    await becomes("a", "/1");
    folder.write("file.yaml", httpRoute("b", "/1"));
    await becomes("b", "/1");
    await sink.until(() => sink.problems.length === 0);
    rmSync(folder.at("x"), { recursive: true });
    await becomes("a", undefined);
    await sink.until(() => sink.problems.length === 1);
    folder.write("x/y/routes/a.yaml", httpRoute("a", "/2"));
    await becomes("a", "/2");
    folder.write("x/y/routes/a.yaml", httpRoute("a", "/3"));
    await becomes("a", "/3");
    renameSync(folder.at("x/y/routes"), folder.at("x/y/old"));
    await becomes("a", undefined);
    renameSync(folder.at("x/y/old"), folder.at("x/y/routes"));
    await becomes("a", "/3");
  });

  it("notices that one folder took the place of another", async () => {
    const { folder, sink, becomes } = await start({ "r/a.yaml": httpRoute("a", "/1") }, (at) => [at.at("r")]);
    folder.write("new/a.yaml", httpRoute("a", "/2"));
    renameSync(folder.at("r"), folder.at("old"));
    renameSync(folder.at("new"), folder.at("r"));
    await becomes("a", "/2");
    folder.write("r/a.yaml", httpRoute("a", "/3"));
    await becomes("a", "/3");
    expect(sink.problems).toEqual([]);
  });

  it("pays no attention to the files of editors, and follows what editors do", async () => {
    const { folder, becomes, sink, source } = await start({ "a.yaml": httpRoute("a", "/1") });
    // Emacs and vim: the old file becomes a backup, a new one is written.
    folder.write(".a.yaml.swp", "b0VIM");
    folder.write("4913", "");
    renameSync(folder.at("a.yaml"), folder.at("a.yaml~"));
    folder.write("a.yaml", httpRoute("a", "/2"));
    unlinkSync(folder.at("a.yaml~"));
    unlinkSync(folder.at("4913"));
    await becomes("a", "/2");
    folder.write("#a.yaml#", "unsaved: [");
    symlinkSync("user@host.123", folder.at(".#a.yaml"));
    folder.write("a.yaml.bak", "x: [");
    await source.look();
    expect(sink.batches.flat().filter(({ resource }) => resource === undefined)).toEqual([]);
    expect(sink.reports).toEqual([]);
  });
});

describe("a file that is being written", () => {
  it("is not taken for empty", async () => {
    const { folder, becomes, sink } = await start({
      "a.yaml": documents(httpRoute("a", "/1"), httpRoute("b", "/1")),
    });
    const file = openSync(folder.at("a.yaml"), "r+");
    ftruncateSync(file, 0);
    await sleep(300);
    writeSync(file, documents(httpRoute("a", "/2"), httpRoute("b", "/2")));
    closeSync(file);
    await becomes("b", "/2");
    expect(sink.batches).toHaveLength(2);
    expect(sink.reports).toEqual([]);
  });

  it("is not taken for complete in the middle of a line", async () => {
    const { folder, becomes, sink } = await start({ "a.yaml": httpRoute("a", "/first") });
    const text = documents(httpRoute("a", "/second"), httpRoute("b", "/second"));
    const cut = text.indexOf("/second") + 4;
    writeFileSync(folder.at("a.yaml"), text.slice(0, cut));
    await sleep(40);
    appendFileSync(folder.at("a.yaml"), text.slice(cut));
    await becomes("b", "/second");
    expect(sink.batches).toHaveLength(2);
  });

  it("is believed after a while", async () => {
    const { folder, sink, becomes } = await start({
      "a.yaml": httpRoute("a", "/1"),
      "b.yaml": httpRoute("b", "/1"),
    });
    folder.write("a.yaml", httpRoute("a", "/2").trimEnd());
    folder.write("b.yaml", "");
    await becomes("a", "/2");
    await becomes("b", undefined);
    expect(sink.reports).toEqual([]);
  });
});

describe("many changes", () => {
  it("are all seen, however fast they come", async () => {
    const { folder, sink } = await start({});
    for (let i = 0; i < 2000; i++) folder.write(`r${i % 500}.yaml`, httpRoute(`r${i % 500}`, `/${i}`));
    await sink.until(
      () => sink.objects.size === 500 && gives(sink, "r499", "/1999")() && gives(sink, "r0", "/1500")(),
    );
    for (let i = 0; i < 500; i++)
      expect(pathOf(sink.objects.get(`HTTPRoute/default/r${i}`))).toBe(`/${1500 + i}`);
  });

  it("end with what is there, whatever was in between", async () => {
    const { folder, sink, becomes } = await start({});
    for (let round = 0; round < 40; round++) {
      const name = `f${round % 3}.yaml`;
      if (round % 5 === 4) rmSync(folder.at(name), { force: true });
      else if (round % 2 === 0) folder.replace(name, httpRoute(`r${round % 3}`, `/${round}`));
      else folder.write(name, httpRoute(`r${round % 3}`, `/${round}`));
      await sleep(round % 7);
    }
    folder.write("end.yaml", httpRoute("end", "/end"));
    await becomes("end", "/end");
    const fresh = await startSource({ paths: [folder.path], watch: false });
    await sink.until(() => sink.keys.join() === fresh.sink.keys.join());
    for (const [key, object] of fresh.sink.objects)
      expect(pathOf(sink.objects.get(key))).toBe(pathOf(object));
  });
});
