// Gatewright as a controller on a real API server, alone or beside a peer: one lab after the other, each with one controller, one number of routes and
// one way to give them hostnames; and one lab per number of routes with all of them, for requests per second.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInLab } from "../lab-task.mjs";
import { contestants } from "./contestants.mjs";

const program = fileURLToPath(new URL("run.mjs", import.meta.url));

/**
 * `peer`: key of a contestant, or undefined; `seconds`: how long a series of changes may take; `profile`: a folder for CPU profiles
 * of ours.
 */
export async function measureCluster(say, { peer, sizes, shapes, seconds, profile, withRequests }) {
  const budget = seconds * 1000;
  const keys = ["gatewright", ...(peer ? [peer] : [])];
  const place = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
  const results = [];
  const requests = [];
  const failures = [];
  // One that could not be measured, as when a controller ends under its load, is no reason to lose the others.
  const attempt = async (what, task, take) => {
    say(`${what} ...`);
    try {
      take(await runInLab(program, place, task));
    } catch (error) {
      say(error.message);
      failures.push(what);
    }
  };
  try {
    for (const size of sizes) {
      for (const shape of shapes) {
        for (const key of keys) {
          const { name } = contestants[key];
          const task = { contestants: [key], shape, size, budget };
          if (profile && key === "gatewright") task.profile = join(profile, `${size}-${shape}`);
          const what = `${name}, ${size} routes, ${shape === "own" ? "own hostnames" : "one hostname"}`;
          await attempt(what, task, (result) => results.push({ key, name, shape, size, ...result }));
        }
      }
      if (!withRequests) continue;
      const task = { contestants: keys, shape: "own", size, requests: true };
      const what = `requests per second, ${size} routes`;
      await attempt(what, task, (entries) => requests.push({ size, entries }));
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return { results, requests, failures };
}
