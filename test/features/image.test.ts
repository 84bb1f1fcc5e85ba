/**
 * What is in the container image, run where there is no container engine: the folder that the Dockerfile makes /app of, as a user without rights, read-only.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeImageRoot } from "../../scripts/image-root.mjs";
import { need } from "../components/need.ts";
import { program } from "./cli/program.ts";

const version = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }
).version;

let folder: string;
beforeAll(() => {
  if (!existsSync(program)) throw new Error("dist/ is not built: npm run build");
  folder = mkdtempSync(join(tmpdir(), "gatewright-image-"));
  chmodSync(folder, 0o755);
  makeImageRoot(join(folder, "app"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the image", () => {
  it("runs as a user without rights on a file system that cannot be written", (context) => {
    const app = join(folder, "app");
    const command = [process.execPath, join(app, "dist/cli/main.js"), "version"];
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
    const lines = readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8").split("\n");
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
    expect(last).toContain("USER 65532:65532");
    expect(last).toContain('ENTRYPOINT ["/usr/local/bin/node", "/app/dist/cli/main.js"]');
    expect(last.filter((line) => line.startsWith("RUN "))).toEqual([]);
  });
});
