// One at a time among processes: a folder is made by one of them only. What a dead process left is taken away.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const pause = 500;
const grace = 5000;

/** Runs `work` while nobody else holds `folder`; waits for that as long as it takes. */
export async function withLock(folder, work) {
  mkdirSync(dirname(folder), { recursive: true });
  while (!take(folder)) {
    if (!holderLives(folder)) rmSync(folder, { recursive: true, force: true });
    else await delay(pause);
  }
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function take(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(folder, "pid"), String(process.pid));
  return true;
}

// Between making the folder and writing the number into it there is a moment without one.
function holderLives(folder) {
  try {
    process.kill(Number(readFileSync(join(folder, "pid"), "utf8")) || process.pid, 0);
    return true;
  } catch (error) {
    if (error.code !== "ENOENT") return error.code === "EPERM";
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    return made === undefined || Date.now() - made < grace;
  }
}
