import { readFileSync } from "node:fs";

const wanted = 65_536;

/** How many files a worker may have open: as many as the system lets NGINX ask for. */
export function mostOpenFiles(): number {
  try {
    const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return hard === undefined || hard === "unlimited" ? wanted : Math.min(wanted, Number(hard));
  } catch {
    return wanted;
  }
}
