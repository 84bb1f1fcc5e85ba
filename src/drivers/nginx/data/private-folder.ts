/* The folder that everything of an NGINX is in: nobody else can look into it, and it goes with the driver. */
import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
const prefix = "gw-nginx-";
/** Says which process made the folder. */
const ownerFile = "owner";
const scripts = fileURLToPath(new URL("../scripts/", import.meta.url));

export function makePrivateFolder(given: string | undefined, owner: WorkerUser | undefined): PrivateFolder {
  const parent = given ?? tmpdir();
  removeOrphans(parent);
  const path = mkdtempSync(join(parent, prefix));
  if (path.length > longestPath || !plainPath.test(path)) {
    rmSync(path, { recursive: true, force: true });
    throw new NginxDriverError(
      "GATEWRIGHT_NGINX_FOLDER",
      `The folder ${path} cannot hold NGINX's sockets: give one with at most ${longestPath - 16} letters, digits, dots, dashes and slashes.`,
    );
  }
  chmodSync(path, 0o700);
  writeFileSync(join(path, ownerFile), identityOf("self") ?? "", { mode: 0o600 });
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

/** Folders of drivers that were killed: there are keys in them. Their NGINXes have ended with them. */
function removeOrphans(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    if (!isOrphan(path)) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Somebody else's.
    }
  }
}

/** A process by its number and when it began: numbers come again, in a container always the same. */
function identityOf(pid: string): string | undefined {
  try {
    const [, number, rest] = /^([0-9]+) \(.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))!;
    return `${number} ${rest!.split(" ")[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether the process that made the folder is there no more; not if nobody can tell. */
function isOrphan(path: string): boolean {
  try {
    const owner = readFileSync(join(path, ownerFile), "utf8");
    return identityOf(owner.split(" ")[0]!) !== owner;
  } catch {
    return false;
  }
}
