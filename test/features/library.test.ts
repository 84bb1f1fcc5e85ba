/** The package as its users have it: by its name, built, in a program of their own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../src/driver-kit/traffic/deadline.ts";
import { freePort } from "../../src/driver-kit/traffic/free-port.ts";
import { requestHttp1 } from "../../src/driver-kit/traffic/http-client.ts";
import * as library from "../../src/index.ts";
import { memorySource, parseResource, type Resource } from "../../src/index.ts";
import { RecordingDataPlane } from "../recording-data-plane.ts";
import { httpBackend } from "./support/backends.ts";
import { service } from "./support/objects.ts";
import { objectsIn } from "./support/gateway-under-test.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** A folder with a program of one file, beside an installed gatewright. */
function programOf(example: string): { readonly folder: string; readonly program: string } {
  if (!existsSync(join(project, "dist/index.js"))) throw new Error("dist/ is not built: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "gatewright-library-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(project, join(folder, "node_modules/gatewright"), "dir");
  const source = readFileSync(join(project, "examples", example), "utf8");
  const { module, target } = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  const program = join(folder, "program.mjs");
  writeFileSync(program, ts.transpileModule(source, { compilerOptions: { module, target } }).outputText);
  return { folder, program };
}

const gateway = (port: number) => `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: ${port}, protocol: HTTP }]
`;

const route = (backend: string) => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: all, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  rules: [{ backendRefs: [{ name: ${backend}, port: 80 }] }]
`;

describe("gatewright as a library", () => {
  it("runs a folder in the ten lines of examples/library.ts", async () => {
    const { folder, program } = programOf("library.ts");
    const [apples, pears] = [await httpBackend("apples"), await httpBackend("pears")];
    const port = await freePort();
    const objects = join(folder, "objects");
    mkdirSync(objects);
    writeFileSync(join(objects, "gateway.yaml"), gateway(port) + route("apples"));
    const services = service("apples", [apples.port]) + service("pears", [pears.port]);
    writeFileSync(join(objects, "services.yaml"), services);

    const child = spawn(process.execPath, [program, objects], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    expect(line).toContain("shop/web listens on");
    const at = { address: "127.0.0.1", port };
    expect((await requestHttp1(at, { path: "/x" })).from).toBe("apples");

    writeFileSync(join(objects, "gateway.yaml"), gateway(port) + route("pears"));
    await eventually(10_000, "the change", async () => (await requestHttp1(at, {})).from === "pears");

    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number | null];
    expect(code).toBe(0);
    await expect(requestHttp1(at, {})).rejects.toThrow("ECONNREFUSED");
  });

  it("makes its objects, changes one and stops, as docs/library.md shows it", async () => {
    const { folder, program } = programOf("memory.ts");
    const child = spawn(process.execPath, [program, String(await freePort())], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [code] = (await once(child, "close")) as [number | null];
    expect(code).toBe(0);
    expect(readFileSync(join(project, "docs/library.md"), "utf8")).toContain(
      `$ node memory.mjs\n${output}\`\`\``,
    );
  });

  it("tells a data plane in one file what to do, as docs/drivers.md shows it", async () => {
    const { program } = programOf("printing-driver.ts");
    const child = spawn(process.execPath, [program, join(project, "examples/quickstart")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (line.startsWith("add virtual-host:")) child.kill("SIGINT");
    }
    expect(readFileSync(join(project, "docs/drivers.md"), "utf8")).toContain(
      `$ node printing-driver.mjs examples/quickstart\n${lines.join("\n")}\n\`\`\``,
    );
  });

  it.each(["docs/library.md", "docs/drivers.md"])("%s shows programs that are in examples/", (document) => {
    const text = readFileSync(join(project, document), "utf8");
    const shown = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, program]) => program);
    const names = ["library.ts", "memory.ts", "printing-driver.ts"];
    const examples = names.map((name) => readFileSync(join(project, "examples", name), "utf8"));
    expect(shown.length).toBeGreaterThan(0);
    expect(examples).toEqual(expect.arrayContaining(shown));
  });

  it("has what package.json says it has", () => {
    const { exports } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
      readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
    };
    const files = Object.values(exports).flatMap((conditions) => Object.values(conditions));
    expect(files.filter((file) => !existsSync(join(project, file)))).toEqual([]);
  });

  it("lists its values by name", () => {
    expect(Object.keys(library)).toEqual(
      expect.arrayContaining([
        "createController",
        "driverFromControllers",
        "embeddedDriver",
        "fileSource",
        "memorySource",
        "parseResource",
      ]),
    );
  });

  it("5.1, 5.6, 5.15, 5.16: objects become calls of the four interfaces, in order, and changes only their own", async () => {
    const plane = new RecordingDataPlane();
    const source = memorySource(exampleObjects());
    const controller = library.createController({
      source,
      driver: library.driverFromControllers(plane.controllers),
    });
    onTestFinished(() => controller.stop());
    await controller.start();
    const listener = "default/example-gateway/tcp/80";
    expect(plane.takeCalls()).toEqual([
      `addListener ${listener}`,
      "addBackend Service/default/bar-svc-canary/8080",
      "addBackend Service/default/bar-svc/8080",
      "addBackend Service/default/foo-svc/8080",
      `addRoute virtual-host:${listener}|* on ${listener}`,
      `addRoute virtual-host:${listener}|bar.example.com on ${listener}`,
      `addRoute virtual-host:${listener}|foo.example.com on ${listener}`,
    ]);
    expect(plane.held.backends.get("Service/default/foo-svc/8080")).toEqual([
      { address: "10.0.0.10", port: 8080 },
      { address: "10.0.0.20", port: 8080 },
    ]);

    source.set(resource(slice("foo-svc", "10.0.0.10", "10.0.0.30")));
    await controller.settled();
    expect(plane.takeCalls()).toEqual(["updateBackend Service/default/foo-svc/8080"]);

    source.delete("HTTPRoute", "default/foo-route");
    await controller.settled();
    expect(plane.takeCalls()).toEqual([
      `removeRoute virtual-host:${listener}|foo.example.com on ${listener}`,
      "removeBackend Service/default/foo-svc/8080",
    ]);
  });

  it("5.8: Programmed is false while the data plane refuses a listener, and true when it does not", async () => {
    const plane = new RecordingDataPlane();
    plane.failing = ["addListener"];
    plane.failure = new Error("the data plane is on fire");
    const source = memorySource(exampleObjects());
    const driver = library.driverFromControllers(plane.controllers, { retryDelay: 10 });
    const controller = library.createController({ source, driver });
    onTestFinished(() => controller.stop());
    await controller.start();
    const programmed = () => {
      const status = controller.statusOf(controller.find("Gateway", "default/example-gateway")!);
      const conditions = status?.["conditions"] as readonly Readonly<Record<string, string>>[];
      return conditions.find(({ type }) => type === "Programmed");
    };
    expect(programmed()).toMatchObject({ status: "False" });
    expect(
      JSON.stringify(controller.statusOf(controller.find("Gateway", "default/example-gateway")!)),
    ).toContain("the data plane is on fire");
    plane.failing = [];
    await eventually(5_000, "Programmed", () => programmed()?.["status"] === "True");
    expect(plane.held.routes.size).toBe(3);
  });

  it("5.8: a route that was refused and comes back when the data plane is well again has nothing to answer for", async () => {
    const plane = new RecordingDataPlane();
    const source = memorySource(exampleObjects());
    const driver = library.driverFromControllers(plane.controllers, { retryDelay: 60_000 });
    const controller = library.createController({ source, driver });
    onTestFinished(() => controller.stop());
    plane.failing = ["addRoute"];
    await controller.start();
    const route = controller.find("HTTPRoute", "default/foo-route")!;
    expect(JSON.stringify(controller.statusOf(route))).toContain("out of order");
    source.delete("HTTPRoute", "default/foo-route");
    await controller.settled();
    plane.failing = [];
    source.set(route);
    await controller.settled();
    expect(JSON.stringify(controller.statusOf(route))).not.toContain("out of order");
  });
});

function resource(object: unknown): Resource {
  const parsed = parseResource(object);
  if (parsed.outcome !== "resource") throw new Error(JSON.stringify(parsed));
  return parsed.resource;
}

function slice(name: string, ...addresses: readonly string[]) {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: `${name}-1`, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    ports: [{ port: 8080 }],
    endpoints: addresses.map((address) => ({ addresses: [address] })),
  };
}

/** The routes of the example in the InGate proposal, on a listener for all hosts. */
function exampleObjects(): Resource[] {
  const routes = objectsIn(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: example-gateway }
spec:
  gatewayClassName: example
  listeners: [{ name: prod-web-gw, protocol: HTTP, port: 80 }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: foo-route }
spec:
  parentRefs: [{ name: example-gateway }]
  hostnames: [foo.example.com]
  rules:
    - matches: [{ path: { type: PathPrefix, value: /login } }]
      backendRefs: [{ name: foo-svc, port: 8080 }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: bar-route }
spec:
  parentRefs: [{ name: example-gateway }]
  hostnames: [bar.example.com]
  rules:
    - matches: [{ headers: [{ type: Exact, name: env, value: canary }] }]
      backendRefs: [{ name: bar-svc-canary, port: 8080 }]
    - backendRefs: [{ name: bar-svc, port: 8080 }]
`);
  const services = ["foo-svc", "bar-svc-canary", "bar-svc"].map((name) =>
    resource({ apiVersion: "v1", kind: "Service", metadata: { name }, spec: { ports: [{ port: 8080 }] } }),
  );
  return [
    ...routes,
    ...services,
    resource(slice("foo-svc", "10.0.0.10", "10.0.0.20")),
    resource(slice("bar-svc-canary", "10.10.10.10", "10.10.10.20")),
    resource(slice("bar-svc", "10.20.20.10", "10.20.20.20")),
  ];
}
