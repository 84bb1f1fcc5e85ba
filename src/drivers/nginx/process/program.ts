import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "../../find-on-path.ts";
import { NginxDriverError } from "../driver-error.ts";

/** What is needed from the machine. */
export interface NginxProgram {
  readonly path: string;
  /** The folder with the modules stream and njs. */
  readonly modules: string;
  /** Whom workers run as, where this process is root. */
  readonly workerUser: WorkerUser | undefined;
}

export interface WorkerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const moduleFolders = ["/usr/lib/nginx/modules", "/usr/lib64/nginx/modules", "/usr/local/nginx/modules"];
const neededModules = ["ngx_stream_module.so", "ngx_stream_js_module.so", "ngx_http_js_module.so"];

/** Throws with the command that gets what is missing. */
export async function findProgram(given?: string): Promise<NginxProgram> {
  const path = given ?? (await findOnPath("nginx"));
  const modules = moduleFolders.find((folder) =>
    neededModules.every((name) => existsSync(join(folder, name))),
  );
  if (path === undefined || !existsSync(path) || modules === undefined) {
    throw new NginxDriverError(
      "GATEWRIGHT_NGINX_MISSING",
      `${path === undefined || !existsSync(path) ? "NGINX is not installed" : "NGINX lacks its modules stream and njs"}. ` +
        "Get it with: apt-get install nginx libnginx-mod-stream libnginx-mod-stream-js libnginx-mod-http-js",
    );
  }
  return { path, modules, workerUser: process.getuid?.() === 0 ? workerUser() : undefined };
}

/** A user without rights, for workers of an NGINX that root started. */
function workerUser(): WorkerUser | undefined {
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const found = ["www-data", "nginx", "nobody"]
    .map((name) => users.find((fields) => fields[0] === name))
    .find((fields) => fields !== undefined);
  return found ? { name: found[0]!, uid: Number(found[2]), gid: Number(found[3]) } : undefined;
}
