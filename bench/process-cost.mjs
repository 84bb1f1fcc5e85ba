// What a process has cost so far, as Linux counts it.

import { readFileSync, readdirSync } from "node:fs";

/** Milliseconds on a processor, of all its threads. */
export function cpuOf(pid) {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e6;
}

/** The most memory it has had in use, in MB. */
export function peakMemoryOf(pid) {
  const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return (Number(kibibytes) * 1024) / 1e6;
}

/** Resolves when the process has done nothing for `quiet` milliseconds. Asking costs it nothing. */
export async function untilIdle(pid, quiet) {
  let last = cpuOf(pid);
  let since = performance.now();
  while (performance.now() - since < quiet) {
    await pause(1);
    const now = cpuOf(pid);
    if (now - last > 0.02) since = performance.now();
    last = now;
  }
}

export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
