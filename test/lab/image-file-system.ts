/** The file system of the image, as the last stage of the Dockerfile has it: Node, what it is linked with, the public authorities, /app. No shell. */
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { makeImageRoot } from "../../scripts/image-root.mjs";

const authorities = "/etc/ssl/certs/ca-certificates.crt";

export function makeImageFileSystem(folder: string, node: string): void {
  makeImageRoot(join(folder, "app"));
  cpSync(node, join(folder, "usr/local/bin/node"), { dereference: true });
  for (const path of [...librariesOf(node), authorities])
    cpSync(path, join(folder, path), { dereference: true });
}

/** With the loader, which has no name but its path. */
function librariesOf(program: string): string[] {
  const lines = execFileSync("ldd", [program], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => /(?:=> |^\s+)(\/\S+)/.exec(line)?.[1] ?? []);
}
