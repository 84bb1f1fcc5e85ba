// A real BIND on this machine: zones that take signed updates, and a resolver that asks it as anybody would.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port.ts";

export interface Bind {
  /** `127.0.0.1:5353` */
  readonly server: string;
  readonly port: number;
  /** By key name, as a Secret has it. */
  readonly credentials: ReadonlyMap<string, string>;
  /** What a name resolves to; empty if it does not. */
  resolve(name: string, type?: "A" | "AAAA" | "CNAME" | "TXT"): Promise<readonly string[]>;
  readonly log: () => string;
  stop(): Promise<void>;
}

export interface BindOptions {
  /** Domain → records of its zone file beside SOA and NS. */
  readonly zones: Readonly<Record<string, string>>;
  readonly algorithm?: "hmac-sha256" | "hmac-sha384" | "hmac-sha512";
  readonly address?: string;
}

export async function startBind(
  named: string,
  { zones, algorithm = "hmac-sha256", address = "127.0.0.1" }: BindOptions,
): Promise<Bind> {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-bind-"));
  const port = await freePort();
  const keyName = "gatewright-test";
  const secret = randomBytes(32).toString("base64");
  const zoneTexts = Object.entries(zones).map(([domain, records], i) => {
    writeFileSync(
      join(folder, `zone${i}`),
      `$TTL 60\n@ IN SOA ns hostmaster 1 3600 600 86400 5\n@ IN NS ns\nns IN A 127.0.0.1\n${records}\n`,
    );
    return `zone "${domain}" { type primary; file "zone${i}"; allow-update { key "${keyName}"; }; allow-transfer { key "${keyName}"; }; };`;
  });
  writeFileSync(
    join(folder, "named.conf"),
    `
options {
  directory "${folder}"; pid-file none; session-keyfile none; recursion no; dnssec-validation no;
  listen-on port ${port} { ${address}; }; listen-on-v6 { none; }; allow-query { any; };
};
controls { };
key "${keyName}" { algorithm ${algorithm}; secret "${secret}"; };
${zoneTexts.join("\n")}
`,
  );
  const child = spawn(named, ["-g", "-n", "1", "-c", join(folder, "named.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    void ended.then(() => reject(new Error(`named has ended:\n${said}`)));
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (/\brunning$/m.test(said)) resolve();
    });
  });
  const resolver = new Resolver({ timeout: 2_000, tries: 3 });
  resolver.setServers([`${address}:${port}`]);
  return {
    server: `${address}:${port}`,
    port,
    credentials: new Map([
      ["keyName", keyName],
      ["secret", secret],
      ["algorithm", algorithm],
    ]),
    async resolve(name, type = "A") {
      try {
        const found = await resolver.resolve(name, type);
        return (found as (string | string[])[])
          .map((one) => (Array.isArray(one) ? one.join("") : one))
          .toSorted();
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === "ENOTFOUND" || code === "ENODATA") return [];
        throw error;
      }
    },
    log: () => said,
    async stop() {
      resolver.cancel();
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
