// A folder whose files change all at once, as a kubelet does it: they are in a folder of their own, `..data` is a
// link to it, the names that a container knows are links through `..data`. A change renames one link.

import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

let versions = 0;

/** files: Map from relative path to { data, mode, uid?, gid? }. */
export function writeVersioned(folder, files) {
  const version = `..${new Date().toISOString().replaceAll(/[-:T.Z]/g, "_")}.${++versions}`;
  const home = join(folder, version);
  mkdirSync(home, { mode: 0o755 });
  for (const [path, { data, mode, uid, gid }] of files) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data);
    if (uid !== undefined || gid !== undefined) chownSync(file, uid ?? 0, gid ?? 0);
    chmodSync(file, mode);
  }
  const previous = readLink(join(folder, "..data"));
  symlinkSync(version, join(folder, "..data_tmp"));
  renameSync(join(folder, "..data_tmp"), join(folder, "..data"));

  const names = new Set([...files.keys()].map((path) => path.split("/")[0]));
  for (const name of readdirSync(folder).filter((entry) => !entry.startsWith(".."))) {
    if (!names.delete(name)) rmSync(join(folder, name));
  }
  for (const name of names) symlinkSync(join("..data", name), join(folder, name));
  if (previous !== undefined) rmSync(join(folder, previous), { recursive: true, force: true });
}

function readLink(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
