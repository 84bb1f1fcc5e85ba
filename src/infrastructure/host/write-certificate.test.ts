import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeCertificate } from "./write-certificate.ts";

it("a certificate takes the place of the one before, for this user only, and nothing is left over", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "gatewright-certificate-")), "certificates");
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true, force: true }));
  const issue = (name: string) => {
    const now = new Date();
    return {
      certificate: `cert ${name}`,
      key: `key ${name}`,
      authorities: `ca ${name}`,
      notBefore: now,
      notAfter: now,
    };
  };
  for (const name of ["1", "2", "3"]) {
    await writeCertificate(folder, issue(name));
    const read = (file: string) => readFileSync(join(folder, file), "utf8");
    expect([read("tls.crt"), read("tls.key"), read("ca.crt")]).toEqual([
      `cert ${name}`,
      `key ${name}`,
      `ca ${name}`,
    ]);
    expect(statSync(join(folder, "tls.key")).mode & 0o777).toBe(0o600);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("..")).length).toBeLessThanOrEqual(2);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
