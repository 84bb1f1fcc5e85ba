/**
 * What is in the container image, run where there is no container engine: the folder that the Dockerfile makes /app of, as a user without rights, read-only.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gatewayApiVersion } from "../../scripts/gateway-api.mjs";
import { makeImageRoot } from "../../scripts/image-root.mjs";
import { need } from "../components/need.ts";
import { program } from "./cli/program.ts";
import { copyBuildContext } from "./support/build-context.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const dockerfile = readFileSync(join(project, "Dockerfile"), "utf8").split("\n");

const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { version: string };

let folder: string;
beforeAll(() => {
  if (!existsSync(program)) throw new Error("dist/ is not built: npm run build");
  folder = mkdtempSync(join(tmpdir(), "gatewright-image-"));
  chmodSync(folder, 0o755);
  makeImageRoot(join(folder, "app"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the image", () => {
  it("is built from what .dockerignore lets in, with the CRDs of the release that we serve", (context) => {
    const module = need(context, "gateway-api");
    expect(dockerfile.filter((line) => line.includes("gateway-api@"))).toEqual([
      `RUN go mod download sigs.k8s.io/gateway-api@${gatewayApiVersion}`,
      `COPY --from=gateway-api /go/pkg/mod/sigs.k8s.io/gateway-api@${gatewayApiVersion} /gateway-api`,
    ]);
    const source = join(folder, "src");
    copyBuildContext(project, source);
    symlinkSync(join(project, "node_modules"), join(source, "node_modules"));
    const built = join(folder, "built");
    // Where the Dockerfile has these folders, we have others.
    const command = dockerfile
      .find((line) => line.startsWith("RUN ") && line.includes("image-root"))
      ?.replace("RUN ", "")
      .replace("/gateway-api", module)
      .replace("/image/app", built);
    const { status, stderr } = spawnSync("sh", ["-c", command ?? "false"], {
      encoding: "utf8",
      cwd: source,
      env: { PATH: process.env["PATH"] },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const bundle = readFileSync(join(built, "dist/operator/crds/bundle.json"), "utf8");
    expect((JSON.parse(bundle) as { version: string }).version).toBe(gatewayApiVersion);
    const { stdout } = spawnSync(process.execPath, [join(built, "dist/cli/main.js"), "version"], {
      encoding: "utf8",
    });
    expect(stdout).toContain(version);
  }, 240_000);

  it("runs on its own Node, as a user without rights, on a file system that cannot be written", (context) => {
    const app = join(folder, "app");
    // From a place that everybody may read.
    const node = join(folder, "node");
    cpSync(need(context, "image-node"), node);
    const major = execFileSync(node, ["--version"], { encoding: "utf8" }).slice(1).split(".")[0];
    expect(dockerfile.filter((line) => line.includes("/node:"))).toEqual([
      `FROM docker.io/library/node:${major}-bookworm-slim AS build`,
    ]);
    const command = [node, join(app, "dist/cli/main.js"), "version"];
    const isRoot = process.getuid?.() === 0;
    const asNobody =
      'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec setpriv --reuid 65532 --regid 65532 --clear-groups --no-new-privs "$@"';
    const [first = "", ...rest] = isRoot
      ? [need(context, "unshare"), "--mount", "sh", "-c", asNobody, app, ...command]
      : command;
    const { stdout, stderr, status } = spawnSync(first, rest, {
      encoding: "utf8",
      cwd: "/",
      env: { PATH: process.env["PATH"] },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(version);
  });

  it("holds what it runs with and nothing to build or test", () => {
    const paths = readdirSync(join(folder, "app"), { recursive: true, encoding: "utf8" });
    expect(paths).toEqual(
      expect.arrayContaining(["package.json", "dist/cli/main.js", "node_modules/js-yaml"]),
    );
    const needless = /^node_modules\/(typescript|vitest|prettier|@types)\b|[.]test[.]js$|[.]d[.]ts$/;
    expect(paths.filter((path) => needless.test(path))).toEqual([]);
  });

  it("is started as the Dockerfile says, without root and without a shell", () => {
    const last = dockerfile.slice(dockerfile.findLastIndex((line) => line.startsWith("FROM ")));
    expect(last).toContain("USER 65532:65532");
    expect(last).toContain('ENTRYPOINT ["/usr/local/bin/node", "/app/dist/cli/main.js"]');
    expect(last.filter((line) => line.startsWith("RUN "))).toEqual([]);
  });
});
