import { chmodSync, mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { documents, httpRoute } from "../../../test/sources/manifests.ts";
import { asNobody, Folder, startSource } from "../../../test/sources/watched-folder.ts";
import { fileSource } from "./file-source.ts";

/** Reads what is there once. */
async function read(...paths: string[]) {
  const { sink } = await startSource({ paths, watch: false });
  return sink;
}

async function readText(text: string, name = "routes.yaml") {
  const folder = new Folder();
  folder.write(name, text);
  const sink = await read(folder.path);
  return { sink, lines: sink.lines.map((line) => line.replaceAll(`${folder.path}/`, "")) };
}

describe("reading", () => {
  it("hands all objects over in one call", async () => {
    const folder = new Folder();
    folder.write("a.yaml", documents(httpRoute("a"), httpRoute("b")));
    folder.write("deep/er/c.yml", httpRoute("c"));
    folder.write("d.json", JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: "d" } }));
    folder.write("notes.txt", "not: [read");
    folder.write(".hidden/e.yaml", httpRoute("e"));
    folder.write("node_modules/x/package.json", "{}");
    folder.write("kustomization.yaml", "resources: [a.yaml]\n");
    folder.write("empty.yaml", "");
    const sink = await read(folder.path);
    expect(sink.batches).toHaveLength(1);
    expect(sink.keys).toEqual([
      "HTTPRoute/default/a",
      "HTTPRoute/default/b",
      "HTTPRoute/default/c",
      "Namespace/d",
    ]);
    expect(sink.reports).toEqual([]);
  });

  it("says so when there is nothing", async () => {
    const sink = await read(new Folder().path);
    expect(sink.batches).toEqual([[]]);
  });

  it("reads files that are named, whatever their names", async () => {
    const folder = new Folder();
    folder.write("routes.txt", httpRoute("a"));
    const sink = await read(folder.at("routes.txt"));
    expect(sink.keys).toEqual(["HTTPRoute/default/a"]);
  });

  it("reads a file once, however many paths lead to it", async () => {
    const folder = new Folder();
    folder.write("a.yaml", httpRoute("a"));
    symlinkSync("a.yaml", folder.at("b.yaml"));
    mkdirSync(folder.at("sub"));
    symlinkSync("../a.yaml", folder.at("sub/c.yaml"));
    const sink = await read(folder.path, folder.at("a.yaml"), `${folder.path}/`);
    expect(sink.keys).toEqual(["HTTPRoute/default/a"]);
    expect(sink.lines).toEqual([]);
  });

  it("takes the namespace for those that name none", async () => {
    const folder = new Folder();
    folder.write("a.yaml", httpRoute("a"));
    const { sink } = await startSource({ paths: [folder.path], watch: false, defaultNamespace: "shop" });
    expect(sink.keys).toEqual(["HTTPRoute/shop/a"]);
  });

  it("keeps status as it is in the file, and invents no creation time", async () => {
    const { sink } = await readText(`${httpRoute("a")}status:\n  parents: []\n  odd: 1\n`);
    const route = sink.objects.get("HTTPRoute/default/a");
    expect(route?.status).toEqual({ parents: [], odd: 1 });
    expect(route?.metadata.creationTimestamp).toBeUndefined();
    expect(route?.metadata.generation).toBe(1);
  });

  it.each<[string, string]>([
    ["a List", `apiVersion: v1\nkind: List\nitems:\n- ${indent(httpRoute("a"))}- ${indent(httpRoute("b"))}`],
    [
      "a list of one kind",
      `apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRouteList\nmetadata: {resourceVersion: "1"}\nitems:\n- ${indent(httpRoute("a"))}- ${indent(httpRoute("b").replace(/^api.*\nkind.*\n/, ""))}`,
    ],
    [
      "a List in a List",
      `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - ${indent(indent(httpRoute("a")))}- ${indent(httpRoute("b"))}`,
    ],
    ["a YAML list", `- ${indent(httpRoute("a"))}- ${indent(httpRoute("b"))}`],
    ["a JSON list", JSON.stringify([json("a"), json("b")])],
    ["JSON values", `${JSON.stringify(json("a"), null, 2)}\n${JSON.stringify(json("b"))}`],
    ["CRLF", documents(httpRoute("a"), httpRoute("b")).replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${documents(httpRoute("a"), httpRoute("b"))}`],
    [
      "empty documents",
      `---\n---\n# nothing\n${documents(httpRoute("a"), httpRoute("b"))}---\n\n---\nnull\n`,
    ],
  ])("understands %s", async (_name, text) => {
    const { sink, lines } = await readText(text);
    expect(lines).toEqual([]);
    expect(sink.keys).toEqual(["HTTPRoute/default/a", "HTTPRoute/default/b"]);
  });

  it("reads standard input to its end", async () => {
    const text = documents(httpRoute("a"), httpRoute("ä"));
    const stdin = Readable.from([Buffer.from(text).subarray(0, 400), Buffer.from(text).subarray(400)]);
    const { sink, source } = await startSource({ paths: ["-", "-"], stdin });
    expect(sink.keys).toEqual(["HTTPRoute/default/a"]);
    expect(sink.lines).toEqual([
      expect.stringMatching(/^error -:20:3 HTTPRoute default\/ä metadata.name: "ä" must be/) as string,
    ]);
    await source.look();
    expect(sink.batches).toHaveLength(1);
  });

  it("reads a pipe that the user names", async () => {
    const { execFileSync, spawn } = await import("node:child_process");
    const folder = new Folder();
    execFileSync("mkfifo", [folder.at("pipe")]);
    const writer = spawn("sh", ["-c", `cat > "$0"`, folder.at("pipe")], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    writer.stdin.end(httpRoute("a"));
    const { sink, source } = await startSource({ paths: [folder.at("pipe")] });
    expect(sink.keys).toEqual(["HTTPRoute/default/a"]);
    await source.look();
    expect(sink.keys).toEqual(["HTTPRoute/default/a"]);
  });

  it("can be stopped while standard input is open", async () => {
    const source = fileSource({ paths: ["-"], stdin: new Readable({ read: () => undefined }) });
    const started = source.start({ apply: () => expect.fail(), report: () => expect.fail() });
    await source.stop();
    await started;
  });

  it("starts once", async () => {
    const { source, sink } = await startSource({ paths: [], watch: false });
    await expect(source.start(sink)).rejects.toMatchObject({ code: "GATEWRIGHT_SOURCE_STARTED" });
    await expect(fileSource({ paths: [] }).look()).rejects.toMatchObject({
      code: "GATEWRIGHT_SOURCE_NOT_STARTED",
    });
  });
});

describe("statuses", () => {
  it("are kept as long as their object is there", async () => {
    const folder = new Folder();
    folder.write("a.yaml", httpRoute("a"));
    const { source } = await startSource({ paths: [folder.path], watch: false });
    const status = (name: string) => ({
      key: `HTTPRoute/default/${name}`,
      kind: "HTTPRoute" as const,
      namespace: "default",
      name,
      generation: 1,
      content: { shape: "parents" as const, controllerName: "x/y", entries: [] },
    });
    await source.writeStatuses([status("a"), status("b")]);
    expect(source.statusOf("HTTPRoute/default/a")).toEqual(status("a"));
    expect(source.statusOf("HTTPRoute/default/b")).toBeUndefined();
    folder.remove("a.yaml");
    await source.look();
    expect(source.statusOf("HTTPRoute/default/a")).toBeUndefined();
  });
});

describe("what is wrong", () => {
  const good = httpRoute("good");

  it.each<[string, string, string[]]>([
    [
      "an unknown field",
      httpRoute("a").replace("value:", "valu:"),
      [
        "error routes.yaml:27:13 HTTPRoute default/a spec.rules[0].matches[0].path.valu: is not a known field; did you mean value?",
      ],
    ],
    [
      "a wrong type",
      httpRoute("a").replace("8080", "web"),
      [
        'error routes.yaml:30:11 HTTPRoute default/a spec.rules[0].backendRefs[0].port: must be a whole number, not "web"',
      ],
    ],
    [
      "a missing name",
      httpRoute("a").replace("  name: a\n", "  labels: {}\n"),
      ["error routes.yaml:19:1 HTTPRoute metadata.name: is required"],
    ],
    [
      "a missing kind",
      httpRoute("a").replace(/^kind.*\n/m, ""),
      ["error routes.yaml:17:1 kind: is required"],
    ],
    [
      "a key twice",
      httpRoute("a").replace("spec:", "spec: {}\nspec:"),
      ["error routes.yaml:22:1 HTTPRoute default/a spec: the key spec is there twice; keep one"],
    ],
    [
      "bad indentation",
      httpRoute("a").replace("  rules", " rules"),
      [
        "error routes.yaml:24:2 HTTPRoute default/a rules: is not valid YAML: bad indentation of a mapping entry",
      ],
    ],
    [
      "a Secret whose value looks like a field, without showing it",
      "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: hunter2: x\n",
      [
        "error routes.yaml:22:20 Secret default/s stringData: is not valid YAML: bad indentation of a mapping entry",
      ],
    ],
    [
      "tabs",
      httpRoute("a").replace("    - name", "\t- name"),
      ["error routes.yaml:23:1 HTTPRoute default/a spec.parentRefs: is indented with a tab; use spaces"],
    ],
    [
      "a text",
      "just some text\n",
      ["error routes.yaml:17:1 is not an object; a Kubernetes object has apiVersion, kind and metadata"],
    ],
    [
      "a number in a list",
      "[1]\n",
      ["error routes.yaml:17:2 is not an object; a Kubernetes object has apiVersion, kind and metadata"],
    ],
    [
      "YAML for something else",
      "replicas: 1\n",
      [
        "warning routes.yaml:17:1 has neither apiVersion nor kind, so it is not a Kubernetes object; passed over",
      ],
    ],
    [
      "a List without a list",
      "apiVersion: v1\nkind: List\nitems: {}\n",
      ["error routes.yaml:19:1 items: must be a list"],
    ],
    [
      "a misspelt kind",
      httpRoute("a").replace("HTTPRoute", "HTTPRout"),
      [
        "error routes.yaml:18:1 HTTPRout a kind: gateway.networking.k8s.io/v1 HTTPRout is not a kind that Gatewright reads (did you mean gateway.networking.k8s.io/v1 HTTPRoute?): this object is passed over",
      ],
    ],
    [
      "a version that is not there",
      httpRoute("a").replace("/v1", "/v1beta9"),
      [
        "error routes.yaml:17:1 HTTPRoute a apiVersion: gateway.networking.k8s.io/v1beta9 HTTPRoute is not a kind that Gatewright reads (did you mean gateway.networking.k8s.io/v1 HTTPRoute?): this object is passed over",
      ],
    ],
    [
      "a kind of the Gateway API that is not there",
      "apiVersion: gateway.networking.x-k8s.io/v1alpha1\nkind: Nonsense\nmetadata:\n  name: a\n",
      [
        "error routes.yaml:18:1 Nonsense a kind: gateway.networking.x-k8s.io/v1alpha1 Nonsense is not a kind that Gatewright reads: this object is passed over",
      ],
    ],
    [
      "__proto__",
      `${httpRoute("a")}__proto__:\n  polluted: true\n`,
      [
        "error routes.yaml:31:1 HTTPRoute default/a __proto__: is not a known field; the fields here are apiVersion, kind, metadata, spec, status",
      ],
    ],
    [
      "an item of a List",
      `apiVersion: v1\nkind: List\nitems:\n- ${indent(httpRoute("a").replace("port: 8080", "port: 0"))}`,
      [
        "error routes.yaml:33:13 HTTPRoute default/a spec.rules[0].backendRefs[0].port: must be between 1 and 65535, not 0",
      ],
    ],
    [
      "one of several JSON values",
      `${JSON.stringify(json("a"))}\n${JSON.stringify({ ...json("b"), spec: { rulez: [] } })}`,
      ["error routes.yaml:18:97 HTTPRoute default/b spec.rulez: is not a known field; did you mean rules?"],
    ],
  ])("is told and stops nothing else: %s", async (_name, text, expected) => {
    const { sink, lines } = await readText(documents(good, text));
    expect(lines).toEqual(expected);
    expect(sink.keys).toContain("HTTPRoute/default/good");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("shows so many problems of one object", async () => {
    const fields = Array.from({ length: 50 }, (_, i) => `x${i}: 1\n`).join("");
    const { lines } = await readText(httpRoute("a") + fields);
    expect(lines).toHaveLength(20);
    expect(lines.at(-1)).toMatch(/ \(and 30 more problems with this object\)$/);
  });

  it("shows so many items of a list of something else", async () => {
    const { lines } = await readText(JSON.stringify(Array.from({ length: 1000 }, (_, i) => ({ i }))));
    expect(lines).toHaveLength(5);
  });

  it("passes over what else is in a chart", async () => {
    const object = (apiVersion: string, kind: string) =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: x\n`;
    const { sink, lines } = await readText(
      documents(
        `# Source: chart/templates/deployment.yaml\n${object("apps/v1", "Deployment")}`,
        object("v1", "ServiceAccount"),
        object("networking.k8s.io/v1", "NetworkPolicy"),
        object("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
        object("cert-manager.io/v1", "Certificate"),
        good,
        object("cert-manager.io/v1", "Certificate"),
        object("networking.istio.io/v1", "Gateway"),
      ),
    );
    expect(sink.keys).toEqual(["HTTPRoute/default/good"]);
    expect(lines).toEqual([
      "warning routes.yaml:24:1 Certificate kind: cert-manager.io/v1 Certificate is not a kind that Gatewright reads: its 2 objects are passed over",
      "warning routes.yaml:49:1 Gateway kind: networking.istio.io/v1 Gateway is not a kind that Gatewright reads (did you mean gateway.networking.k8s.io/v1 Gateway?): this object is passed over",
    ]);
  });

  it("is an object that is there twice: the first counts", async () => {
    const folder = new Folder();
    folder.write("b.yaml", documents(httpRoute("x", "/b1"), httpRoute("x", "/b2")));
    folder.write("a.yaml", documents(httpRoute("y"), httpRoute("x", "/a")));
    folder.write("c.json", JSON.stringify({ apiVersion: "v1", kind: "List", items: [json("z"), json("x")] }));
    const sink = await read(folder.at("c.json"), folder.path);
    const remedy = "that one is in force, and this one has no effect: remove one of the two";
    const [a, b, c] = [folder.at("a.yaml"), folder.at("b.yaml"), folder.at("c.json")];
    const column = JSON.stringify({ apiVersion: "v1", kind: "List", items: [json("z")] }).length;
    expect(sink.lines).toEqual([
      `error ${a}:17:1 HTTPRoute default/x: is already in ${c}:1:${column}; ${remedy}`,
      `error ${b}:2:1 HTTPRoute default/x: is already in ${c}:1:${column}; ${remedy}`,
      `error ${b}:17:1 HTTPRoute default/x: is already in ${b}:2:1; ${remedy}`,
    ]);
    const other = await read(folder.at("b.yaml"), folder.path);
    expect(other.objects.get("HTTPRoute/default/x")).toMatchObject({
      spec: { rules: [{ matches: [{ path: { value: "/b1" } }] }] },
    });
  });

  it("is a path that does not exist", async () => {
    const folder = new Folder();
    const sink = await read(folder.at("nowhere"));
    expect(sink.lines).toEqual([`error ${folder.at("nowhere")} does not exist`]);
  });

  it("is a file that is too large, which is not even read", async () => {
    const folder = new Folder();
    folder.write("good.yaml", good);
    folder.write("large.yaml", "");
    truncateSync(folder.at("large.yaml"), 100 * 1024 * 1024);
    const sink = await read(folder.path);
    expect(sink.keys).toEqual(["HTTPRoute/default/good"]);
    expect(sink.lines).toEqual([
      `error ${folder.at("large.yaml")} has 100 MiB, which is more than the largest file that is read (64 MiB); split it into several files`,
    ]);
    const small = await startSource({ paths: [folder.at("good.yaml")], watch: false, maxFileSize: 20 });
    expect(small.sink.lines[0]).toContain("more than the largest file that is read (20 bytes)");
    const stdin = Readable.from([Buffer.from(good)]);
    const piped = await startSource({ paths: ["-"], stdin, maxFileSize: 20 });
    expect(piped.sink.lines).toEqual([
      "error - is more than the largest file that is read (20 bytes); split it into several files",
    ]);
  });

  it("is a link that leads back", async () => {
    const folder = new Folder();
    folder.write("good.yaml", good);
    mkdirSync(folder.at("sub"));
    symlinkSync("..", folder.at("sub/up"));
    symlinkSync(".", folder.at("same"));
    symlinkSync("loop.yaml", folder.at("loop.yaml"));
    symlinkSync("nothing", folder.at("dangling.yaml"));
    const sink = await read(folder.path);
    expect(sink.keys).toEqual(["HTTPRoute/default/good"]);
    expect(sink.lines).toEqual([
      `warning ${folder.at("dangling.yaml")} is a link to something that does not exist`,
      `error ${folder.at("loop.yaml")} cannot be read: ELOOP (its symbolic links lead in a circle)`,
      `warning ${folder.at("same")} is a link back to a folder around it (${folder.path}); passed over`,
      `warning ${folder.at("sub/up")} is a link back to a folder around it (${folder.path}); passed over`,
    ]);
  });

  it("is a folder's pipe or a folder named like a file", async () => {
    const { execFileSync } = await import("node:child_process");
    const folder = new Folder();
    folder.write("x.yaml/good.yaml", good);
    execFileSync("mkfifo", [folder.at("pipe.yaml")]);
    const sink = await read(folder.path);
    expect(sink.keys).toEqual(["HTTPRoute/default/good"]);
    expect(sink.lines).toEqual([`warning ${folder.at("pipe.yaml")} is not a regular file; passed over`]);
  });

  it("is a file or folder that may not be read", async () => {
    const folder = new Folder();
    folder.write("good.yaml", good);
    folder.write("secret.yaml", httpRoute("a"));
    folder.write("private/b.yaml", httpRoute("b"));
    chmodSync(folder.path, 0o755);
    chmodSync(folder.at("secret.yaml"), 0);
    chmodSync(folder.at("private"), 0);
    const sink = await asNobody(() => read(folder.path));
    expect(sink.keys).toEqual(["HTTPRoute/default/good"]);
    expect(sink.lines).toEqual([
      `error ${folder.at("private")} cannot be read: EACCES (permission denied)`,
      `error ${folder.at("secret.yaml")} cannot be read: EACCES (permission denied)`,
    ]);
  });

  it("is not text", async () => {
    const folder = new Folder();
    folder.write("good.yaml", good);
    folder.write("garbage.yaml", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 1, 2, 3]));
    folder.write("utf16.yaml", Buffer.from(`\uFEFF${good}`, "utf16le"));
    const sink = await read(folder.path);
    expect(sink.keys).toEqual(["HTTPRoute/default/good"]);
    expect(sink.lines).toEqual([
      `error ${folder.at("garbage.yaml")} is not text: there is a NUL byte in line 1`,
      `error ${folder.at("utf16.yaml")} is UTF-16 text; save it as UTF-8`,
    ]);
  });

  it("is found in a long List without reading all of it again", async () => {
    const routes = Array.from({ length: 3000 }, (_, i) => httpRoute(`r${i}`));
    routes[2000] = httpRoute("r2000").replace("value:", "valu:");
    const text = `apiVersion: v1\nkind: List\nitems:\n${routes.map((route) => `- ${indent(route)}`).join("")}`;
    const began = performance.now();
    const { sink, lines } = await readText(text);
    expect(sink.keys).toHaveLength(2999);
    expect(lines).toEqual([
      `error routes.yaml:${3 + 2000 * 14 + 11}:15 HTTPRoute default/r2000 spec.rules[0].matches[0].path.valu: is not a known field; did you mean value?`,
    ]);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

function indent(text: string): string {
  return text.replace(/\n(?=.)/g, "\n  ");
}

function json(name: string) {
  return { apiVersion: "gateway.networking.k8s.io/v1", kind: "HTTPRoute", metadata: { name }, spec: {} };
}
