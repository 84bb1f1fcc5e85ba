// Gatewright as a controller on a real API server, alone or beside a peer: one lab after the other, each with one controller, one number of routes and
// one way to give them hostnames; and one lab per number of routes with all of them, for requests per second.
//
// All of it takes hours, so what has been measured can be kept in a file: a later run adds to it, and replaces what it measures again.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInLab } from "../lab-task.mjs";
import { contestants } from "./contestants.mjs";

const program = fileURLToPath(new URL("run.mjs", import.meta.url));

/**
 * `peer`: key of a contestant, or undefined; `seconds`: how long a series of the peer's changes may take; `profile`: a folder for CPU profiles
 * of ours; `kept`: the file.
 */
export async function measureCluster(say, { peer, sizes, shapes, seconds, profile, withRequests, kept }) {
  const budget = seconds * 1000;
  const keys = ["gatewright", ...(peer ? [peer] : [])];
  const place = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
  const { results, requests } = readKept(kept);
  const failures = [];
  const keep = (list, entry, isSame) => {
    const at = list.findIndex((other) => isSame(other));
    list.splice(at < 0 ? list.length : at, at < 0 ? 0 : 1, entry);
    if (kept) writeFileSync(kept, JSON.stringify({ results, requests }));
  };
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
          // Ours is measured to the end, however long it takes.
          const task = { contestants: [key], shape, size, ...(key !== "gatewright" && { budget }) };
          if (profile && key === "gatewright") task.profile = join(profile, `${size}-${shape}`);
          const what = `${name}, ${size} routes, ${shape === "own" ? "own hostnames" : "one hostname"}`;
          await attempt(what, task, (result) =>
            keep(
              results,
              { key, name, shape, size, ...result },
              (other) => other.key === key && other.shape === shape && other.size === size,
            ),
          );
        }
      }
      if (!withRequests) continue;
      const task = { contestants: keys, shape: "own", size, requests: true };
      const what = `requests per second, ${size} routes`;
      await attempt(what, task, (entries) =>
        keep(requests, { size, entries }, (other) => other.size === size),
      );
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return {
    results: results.toSorted(byRank),
    requests: requests.toSorted((a, b) => a.size - b.size),
    failures,
  };
}

function readKept(file) {
  return file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { results: [], requests: [] };
}

/** As if all had been measured in one go. */
function byRank(a, b) {
  const rank = ({ key }) => Object.keys(contestants).indexOf(key);
  return a.size - b.size || a.shape.localeCompare(b.shape) || rank(a) - rank(b);
}
