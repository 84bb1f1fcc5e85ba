// A lab's namespaces: what runs in one has a network, mounts and process numbers of its own (enter.sh).

import { mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const prefix = "gatewright-lab-";

/** The folder of the lab's state, if this process is inside one. */
export function currentLab(env = process.env) {
  return env.GATEWRIGHT_LAB || undefined;
}

/** Why no lab can be entered on this machine, or undefined. */
export function labObstacle() {
  if (process.platform !== "linux") return "the lab is made of Linux namespaces";
  return process.getuid?.() === 0 ? undefined : "only root may make the lab's namespaces";
}

/**
 * What to run so that `command` runs inside a new lab; `clean` afterwards. `outlivesUs`: it is to go on when this
 * process ends.
 */
export function insideLab(command, { outlivesUs = false } = {}) {
  const parent = tmpdir();
  removeStale(parent);
  const owner = outlivesUs ? 0 : process.pid;
  const folder = join(parent, `${prefix}${owner}-${Math.random().toString(36).slice(2, 8)}`);
  mkdirSync(folder);
  const enter = fileURLToPath(new URL("enter.sh", import.meta.url));
  // It ends with us, even if we are killed; and with it, by --kill-child, all that is inside.
  const dependent = outlivesUs ? [] : ["setpriv", "--pdeathsig", "KILL"];
  const namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  return {
    folder,
    command: [...dependent, "unshare", ...namespaces, "sh", enter, folder, ...command],
    clean: () => removeEmpty(folder),
  };
}

// What somebody left who was killed: an empty folder, as the rest was in memory. Never one in use: to remove a folder
// also takes away what others have mounted on it.
function removeStale(parent) {
  // Inside a lab the processes outside are not to be seen.
  if (currentLab()) return;
  for (const name of readdirSync(parent).filter((candidate) => candidate.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length).split("-")[0]);
    if (pid > 0 && !lives(pid)) removeEmpty(join(parent, name));
  }
}

function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function removeEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch {
    // Gone already, or still in use: then the next run will see to it.
  }
}
