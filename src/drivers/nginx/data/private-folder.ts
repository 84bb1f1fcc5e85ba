/* The folder that everything of an NGINX is in: nobody else can look into it, and it goes with the driver. */
import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NginxDriverError } from "../driver-error.ts";
import type { WorkerUser } from "../process/program.ts";
import type { DataFolder } from "./data-folder.ts";

export interface PrivateFolder {
  readonly path: string;
  /** Puts the scripts where NGINX reads them. */
  copyScripts(data: DataFolder): void;
  remove(): void;
}

/** Names of sockets have at most 107 characters, and the longest of ours adds about 30. */
const longestPath = 70;
const plainPath = /^\/[A-Za-z0-9/._-]+$/;
const scripts = fileURLToPath(new URL("../scripts/", import.meta.url));

export function makePrivateFolder(parent: string | undefined, owner: WorkerUser | undefined): PrivateFolder {
  const path = mkdtempSync(join(parent ?? tmpdir(), "gw-nginx-"));
  if (path.length > longestPath || !plainPath.test(path)) {
    rmSync(path, { recursive: true, force: true });
    throw new NginxDriverError(
      "GATEWRIGHT_NGINX_FOLDER",
      `The folder ${path} cannot hold NGINX's sockets: give one with at most ${longestPath - 16} letters, digits, dots, dashes and slashes.`,
    );
  }
  chmodSync(path, 0o700);
  if (owner) chownSync(path, owner.uid, owner.gid);
  return {
    path,
    copyScripts(data) {
      const names = readdirSync(scripts).filter((name) => name.endsWith(".js") && !name.includes(".test."));
      for (const name of names) data.write(`scripts/${name}`, readFileSync(join(scripts, name), "utf8"));
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
