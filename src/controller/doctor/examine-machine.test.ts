import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { examineMachine } from "./examine-machine.ts";

it("says what is there, in which version, and what is wrong with the rest", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  program("envoy", "echo; echo 'envoy  version: abc/1.40.0/Clean/RELEASE/BoringSSL'");
  program("nginx", "echo 'nginx version: nginx/1.22.1' >&2");
  program("haproxy", "echo 'cannot find its library' >&2; exit 127");
  program("kubectl", "exec sleep 5");
  const parts = await examineMachine({ env: { PATH: folder, GATEWRIGHT_CACHE: folder }, patience: 600 });
  const of = (name: string) => parts.find((part) => part.name === name);
  expect(of("node")).toMatchObject({ isThere: true, version: process.versions.node });
  expect(of("envoy")).toMatchObject({ isThere: true, version: "1.40.0", place: join(folder, "envoy") });
  expect(of("nginx")).toMatchObject({ isThere: true, version: "1.22.1" });
  expect(of("haproxy")).toMatchObject({ isThere: false, remark: "does not run: cannot find its library" });
  expect(of("kubectl")).toMatchObject({ isThere: false, remark: "does not run: no answer within 0.6 s" });
  expect(of("cluster")?.remark).toBeTruthy();
});
