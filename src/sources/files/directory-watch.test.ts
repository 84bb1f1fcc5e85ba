import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { documents, httpRoute, pathOf } from "../../../test/sources/manifests.ts";
import { Folder, startSource } from "../../../test/sources/watched-folder.ts";
import { DirectoryWatch, type OpenWatcher } from "./directory-watch.ts";
import { WatchedFiles } from "./file-source.ts";

class SilentWatcher extends EventEmitter {
  close(): void {
    this.removeAllListeners();
  }
}

const failing =
  (code: string): OpenWatcher =>
  () => {
    throw Object.assign(new Error(code), { code });
  };

async function start(openWatcher: OpenWatcher, sweepMs?: number) {
  const folder = new Folder();
  folder.write("a.yaml", httpRoute("a", "/1"));
  const options = { paths: [folder.path] };
  const surroundings = { openWatcher, ...(sweepMs === undefined ? {} : { sweepMs }) };
  const { sink, source } = await startSource(options, new WatchedFiles(options, surroundings));
  // A look that the machine held up puts off the next one by many times what it took.
  const becomes = (path: string) =>
    sink.until(() => pathOf(sink.objects.get("HTTPRoute/default/a")) === path, 25_000);
  return { folder, sink, source, becomes };
}

describe("without events", () => {
  it.each([
    ["ENOSPC", "the system's inotify watches are used up (fs.inotify.max_user_watches)"],
    ["EMFILE", "this process has too many files open"],
  ])("on %s the folder is looked at regularly, and the user is told", async (code, explanation) => {
    const { folder, sink, becomes } = await start(failing(code));
    expect(sink.lines).toEqual([
      `warning ${folder.path} cannot be watched: ${code} (${explanation}); it is looked at every 1 s instead`,
    ]);
    folder.write("a.yaml", documents(httpRoute("a", "/2")));
    await becomes("/2");
  });

  it("a file system that sends none is looked at now and then", async () => {
    const { folder, sink, becomes } = await start(() => new SilentWatcher(), 50);
    expect(sink.reports).toEqual([]);
    folder.write("a.yaml", httpRoute("a", "/2"));
    await becomes("/2");
    folder.write("a.yaml", httpRoute("a", "/3"));
    await becomes("/3");
  });

  it("the warning ends when watching works again", async () => {
    let fails = true;
    const { sink, source } = await start((directory, listener) => {
      if (fails) return failing("EMFILE")(directory, listener);
      return new SilentWatcher();
    });
    expect(sink.problems).toHaveLength(1);
    fails = false;
    await source.look();
    expect(sink.problems).toEqual([]);
  });

  it("a watcher that fails later leads to a look", async () => {
    const watchers: SilentWatcher[] = [];
    const { folder, sink, becomes } = await start(() => {
      const watcher = new SilentWatcher();
      watchers.push(watcher);
      return watcher;
    }, 60_000);
    folder.write("a.yaml", httpRoute("a", "/2"));
    for (const watcher of watchers)
      watcher.emit("error", Object.assign(new Error("EPERM"), { code: "EPERM" }));
    await becomes("/2");
    expect(sink.reports).toEqual([]);
  });

  it("an event that names no file leads to a look at all contents", async () => {
    const listeners: ((event: string, name: string | null) => void)[] = [];
    const { folder, sink, becomes } = await start((_directory, listener) => {
      listeners.push(listener);
      return new SilentWatcher();
    }, 60_000);
    folder.write("a.yaml", httpRoute("a", "/2"));
    for (const listener of listeners) listener("change", null);
    await becomes("/2");
    expect(sink.reports).toEqual([]);
  });
});

describe("DirectoryWatch", () => {
  it("watches what is noticed, and only the names that matter", () => {
    const folder = new Folder();
    folder.write("whole/x", "");
    const events: [string, string | undefined][] = [];
    const listeners = new Map<string, (event: string, name: string | null) => void>();
    const closed: string[] = [];
    const watch = new DirectoryWatch(
      { onEvent: (directory, name) => void events.push([directory, name]) },
      (directory, listener) => {
        listeners.set(directory, listener);
        return { close: () => void closed.push(directory), on: () => undefined as never };
      },
    );
    watch.begin();
    watch.notice(folder.path, "whole");
    watch.notice(folder.at("whole"));
    watch.notice(folder.at("missing"));
    watch.finish();
    listeners.get(folder.path)?.("rename", "other");
    listeners.get(folder.path)?.("rename", "whole");
    listeners.get(folder.at("whole"))?.("rename", "any");
    listeners.get(folder.at("whole"))?.("rename", "whole");
    expect(events).toEqual([
      [folder.path, "whole"],
      [folder.at("whole"), "any"],
      [folder.at("whole"), undefined],
    ]);

    // In the middle of a round, names of the last one still matter.
    watch.begin();
    watch.notice(folder.path, "other");
    listeners.get(folder.path)?.("rename", "whole");
    watch.finish();
    listeners.get(folder.path)?.("rename", "whole");
    listeners.get(folder.path)?.("rename", "other");
    expect(events.slice(3)).toEqual([
      [folder.path, "whole"],
      [folder.path, "other"],
    ]);
    expect(closed).toEqual([folder.at("whole")]);
    expect(watch.failures.size).toBe(0);
    watch.close();
    expect(closed).toEqual([folder.at("whole"), folder.path]);
  });
});
