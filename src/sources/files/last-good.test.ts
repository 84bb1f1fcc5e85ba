import { chmodSync, truncateSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documents, httpRoute, pathOf } from "../../../test/sources/manifests.ts";
import { asNobody, Folder, startSource } from "../../../test/sources/watched-folder.ts";

/** A source that looks only when it is told to. */
async function start(files: Record<string, string>) {
  const folder = new Folder();
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  const { source, sink } = await startSource({ paths: [folder.path], watch: false });
  const show = () => ({
    paths: Object.fromEntries(
      [...sink.objects].map(([key, object]) => [key.replace("HTTPRoute/default/", ""), pathOf(object)]),
    ),
    lines: sink.lines.map((line) => line.replaceAll(`${folder.path}/`, "")),
  });
  return {
    folder,
    source,
    sink,
    show,
    write: async (name: string, text: string | Buffer) => {
      folder.write(name, text);
      await source.look();
      return show();
    },
  };
}

const wrong = (name: string, path?: string) => httpRoute(name, path).replace("port: 8080", "port: web");
const broken = (name: string) => httpRoute(name).replace("  rules", " rules");
const invalidPort = (line: number, name: string) =>
  `error x.yaml:${line}:11 HTTPRoute default/${name} spec.rules[0].backendRefs[0].port: must be a whole number, not "web" [last good]`;

describe("the last good version of an object stays in force", () => {
  it("while its new version is wrong", async () => {
    const { write, sink } = await start({ "x.yaml": documents(httpRoute("a", "/1"), httpRoute("b")) });
    const first = sink.objects.get("HTTPRoute/default/a");
    expect(await write("x.yaml", documents(wrong("a", "/2"), httpRoute("b", "/2")))).toEqual({
      paths: { a: "/1", b: "/2" },
      lines: [invalidPort(15, "a")],
    });
    expect(sink.objects.get("HTTPRoute/default/a")).toBe(first);
    // Wrong in another way, and the neighbour changes once more.
    const still = await write("x.yaml", documents(wrong("a", "/3"), httpRoute("b", "/3")));
    expect(still).toEqual({ paths: { a: "/1", b: "/3" }, lines: [invalidPort(15, "a")] });
    expect(await write("x.yaml", documents(httpRoute("a", "/4"), httpRoute("b")))).toEqual({
      paths: { a: "/4", b: "/" },
      lines: [],
    });
    expect(sink.reports.at(-1)).toEqual([]);
  });

  it("while its document cannot be read", async () => {
    const { write } = await start({ "x.yaml": documents(httpRoute("a", "/1"), httpRoute("b")) });
    expect(await write("x.yaml", documents(broken("a"), httpRoute("b", "/2")))).toEqual({
      paths: { a: "/1", b: "/2" },
      lines: [
        "error x.yaml:9:2 HTTPRoute default/a rules: is not valid YAML: bad indentation of a mapping entry; until it is fixed, HTTPRoute default/a stays as it was [last good]",
      ],
    });
  });

  it.each<[string, string, RegExp]>([
    ["nothing but garbage", "{{{ not yaml", /is not valid YAML/],
    [
      "two documents run together",
      httpRoute("a", "/2") + httpRoute("b", "/2"),
      /the key apiVersion is there twice/,
    ],
    ["no name", httpRoute("a").replace("name: a", "nam: a"), /metadata.name: is required/],
    ["no kind", httpRoute("a").replace("kind: HTTPRoute\n", ""), /kind: is required/],
    ["a misspelt kind", httpRoute("a").replace("HTTPRoute", "HTTPRout"), /did you mean .* \[last good\]/],
    ["a misspelt version", httpRoute("a").replace("/v1", "/v11"), /did you mean/],
    ["a text", "oops\n", /is not an object/],
    ["no apiVersion and no kind", "spec: {}\n", /neither apiVersion nor kind/],
  ])("while the file does not tell which objects it has: %s", async (_name, text, message) => {
    const { write } = await start({ "x.yaml": documents(httpRoute("a", "/1"), httpRoute("b", "/1")) });
    const { paths, lines } = await write("x.yaml", text);
    expect(paths).toEqual({ a: "/1", b: "/1" });
    expect(lines.join("\n")).toMatch(message);
    // And once it is readable, what is not in it is gone.
    expect(await write("x.yaml", httpRoute("b", "/2"))).toEqual({ paths: { b: "/2" }, lines: [] });
  });

  it("but an object is gone when the file is readable and does not name it", async () => {
    const { write } = await start({ "x.yaml": documents(httpRoute("a"), httpRoute("b"), httpRoute("c")) });
    expect(await write("x.yaml", documents(wrong("a"), httpRoute("c")))).toEqual({
      paths: { a: "/", c: "/" },
      lines: [invalidPort(15, "a")],
    });
    const chart = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: c\n";
    expect(await write("x.yaml", documents(httpRoute("a"), chart))).toEqual({ paths: { a: "/" }, lines: [] });
  });

  it("but is not kept by other YAML that has long been in the file", async () => {
    const values = "replicas: 1\n";
    const { write } = await start({ "x.yaml": documents(values, httpRoute("a"), httpRoute("b")) });
    const warning =
      "warning x.yaml:2:1 has neither apiVersion nor kind, so it is not a Kubernetes object; passed over";
    expect(await write("x.yaml", documents(values, httpRoute("a")))).toEqual({
      paths: { a: "/" },
      lines: [warning],
    });
    // What changes now may be what became of the object that is missing now.
    const changed = await write("x.yaml", documents("spec: {}\n"));
    expect(changed).toEqual({
      paths: { a: "/" },
      lines: [`${warning}; until it is fixed, HTTPRoute default/a stays as it was [last good]`],
    });
    // That does not change when it is read again with something else.
    const again = await write("x.yaml", documents("spec: {}\n", httpRoute("c")));
    expect(again.paths).toEqual({ a: "/", c: "/" });
    expect(await write("x.yaml", documents(httpRoute("c")))).toEqual({ paths: { c: "/" }, lines: [] });
  });

  it("while the file as a whole cannot be read", async () => {
    const { write, folder, source, show } = await start({ "x.yaml": documents(httpRoute("a"), wrong("b")) });
    const utf16 = Buffer.from(`\uFEFF${httpRoute("a", "/2")}`, "utf16le");
    expect(await write("x.yaml", utf16)).toEqual({
      paths: { a: "/" },
      lines: ["error x.yaml is UTF-16 text; save it as UTF-8 [last good]"],
    });
    truncateSync(folder.at("x.yaml"), 100 * 1024 * 1024);
    await source.look();
    expect(show().paths).toEqual({ a: "/" });
    expect(show().lines[0]).toMatch(/100 MiB.*\[last good\]$/);
    expect(await write("x.yaml", httpRoute("a", "/2"))).toEqual({ paths: { a: "/2" }, lines: [] });
  });

  it("while its file or folder may not be read", async () => {
    const { folder, source, show } = await start({ "x.yaml": httpRoute("a"), "sub/y.yaml": httpRoute("b") });
    chmodSync(folder.path, 0o755);
    chmodSync(folder.at("x.yaml"), 0);
    chmodSync(folder.at("sub"), 0);
    await asNobody(() => source.look());
    expect(show()).toEqual({
      paths: { a: "/", b: "/" },
      lines: [
        "error sub cannot be read: EACCES (permission denied) [last good]",
        "error x.yaml cannot be read: EACCES (permission denied) [last good]",
      ],
    });
    chmodSync(folder.at("x.yaml"), 0o644);
    chmodSync(folder.at("sub"), 0o755);
    await source.look();
    expect(show()).toEqual({ paths: { a: "/", b: "/" }, lines: [] });
    folder.remove("sub");
    await source.look();
    expect(show()).toEqual({ paths: { a: "/" }, lines: [] });
  });

  it("is not mistaken for a second object of that name", async () => {
    // The first is wrong from the start, so the second counts, and may change.
    const { write } = await start({ "x.yaml": documents(wrong("a"), httpRoute("a", "/1")) });
    const error = invalidPort(15, "a").replace(" [last good]", "");
    expect(await write("x.yaml", documents(wrong("a"), httpRoute("a", "/2")))).toEqual({
      paths: { a: "/2" },
      lines: [error],
    });
    expect(await write("x.yaml", documents(wrong("a", "/x"), httpRoute("a", "/2")))).toEqual({
      paths: { a: "/2" },
      lines: [error],
    });
  });

  it("wins over a later object of that name", async () => {
    const { write, folder, source, show } = await start({
      "x.yaml": documents(httpRoute("a", "/1"), httpRoute("a", "/2")),
      "y.yaml": httpRoute("a", "/3"),
    });
    const { paths, lines } = await write("x.yaml", documents(wrong("a"), httpRoute("a", "/2")));
    expect(paths).toEqual({ a: "/1" });
    const remedy = "that one is in force, and this one has no effect: remove one of the two";
    expect(lines).toEqual([
      invalidPort(15, "a"),
      `error x.yaml:17:1 HTTPRoute default/a: is already in x.yaml:2:1; ${remedy}`,
      `error y.yaml:1:1 HTTPRoute default/a: is already in x.yaml:2:1; ${remedy}`,
    ]);
    folder.remove("x.yaml");
    await source.look();
    expect(show()).toEqual({ paths: { a: "/3" }, lines: [] });
  });
});

describe("what did not change stays the same", () => {
  it("in a changed file, in any order", async () => {
    const { write, sink } = await start({
      "x.yaml": documents(httpRoute("a"), httpRoute("b"), httpRoute("c")),
    });
    const before = new Map(sink.objects);
    await write("x.yaml", documents(httpRoute("c"), httpRoute("new"), httpRoute("b", "/2"), httpRoute("a")));
    expect(sink.batches[1]?.map(({ key }) => key).toSorted()).toEqual(["default/b", "default/new"]);
    expect(sink.objects.get("HTTPRoute/default/a")).toBe(before.get("HTTPRoute/default/a"));
    expect(sink.objects.get("HTTPRoute/default/c")).toBe(before.get("HTTPRoute/default/c"));
  });

  it("when only comments or the layout change, also within a List", async () => {
    const items = [httpRoute("a"), httpRoute("b")].map((text) => `- ${text.replace(/\n(?=.)/g, "\n  ")}`);
    const { write, sink } = await start({
      "x.yaml": `apiVersion: v1\nkind: List\nitems:\n${items.join("")}`,
    });
    await write("x.yaml", `# comment\napiVersion: v1\nkind: List\nitems:\n${items.toReversed().join("\n")}`);
    expect(sink.batches).toHaveLength(1);
  });

  it("when it moves to another file", async () => {
    const { sink, folder, source } = await start({ "x.yaml": documents(httpRoute("a"), httpRoute("b")) });
    folder.write("y.yaml", documents(httpRoute("b")));
    folder.write("x.yaml", documents(httpRoute("a")));
    await source.look();
    expect(sink.batches).toHaveLength(1);
    expect(sink.reports).toEqual([]);
  });
});

describe("generations", () => {
  const generation = (sink: { objects: Map<string, { metadata: { generation: number } }> }) =>
    sink.objects.get("HTTPRoute/default/a")?.metadata.generation;

  it("are counted when the file does not", async () => {
    const { write, sink } = await start({ "x.yaml": httpRoute("a", "/1") });
    await write("x.yaml", httpRoute("a", "/2"));
    expect(generation(sink)).toBe(2);
    // Metadata and status are not the object's own.
    await write("x.yaml", httpRoute("a", "/2").replace("metadata:", "metadata:\n  labels: {x: y}"));
    expect(sink.objects.get("HTTPRoute/default/a")?.metadata.labels).toMatchObject({ x: "y" });
    expect(generation(sink)).toBe(2);
    await write("x.yaml", `${httpRoute("a", "/2")}status: {parents: []}\n`);
    expect(generation(sink)).toBe(2);
    await write("x.yaml", httpRoute("a", "/1"));
    expect(generation(sink)).toBe(3);
    await write("x.yaml", httpRoute("b"));
    await write("x.yaml", httpRoute("a", "/9"));
    expect(generation(sink)).toBe(1);
  });

  it("are the file's when it has them", async () => {
    const numbered = (path: string, n: number) =>
      httpRoute("a", path).replace("metadata:", `metadata:\n  generation: ${n}`);
    const { write, sink } = await start({ "x.yaml": numbered("/1", 7) });
    expect(generation(sink)).toBe(7);
    await write("x.yaml", numbered("/2", 7));
    expect(generation(sink)).toBe(7);
    await write("x.yaml", numbered("/2", 8));
    expect(generation(sink)).toBe(8);
    await write("x.yaml", httpRoute("a", "/3"));
    expect(generation(sink)).toBe(9);
  });
});
