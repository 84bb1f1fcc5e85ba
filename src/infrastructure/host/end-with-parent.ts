import { execFile } from "node:child_process";
import { findOnPath } from "../../drivers/find-on-path.ts";

/**
 * What to put before a command so that the system ends it when we end, even if we have no time to do it ourselves. Linux has a way, which
 * the program `setpriv` of util-linux gives; elsewhere: nothing.
 */
export async function endWithParent(): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const setpriv = await findOnPath("setpriv");
  if (setpriv === undefined) return [];
  const prefix = [setpriv, "--pdeathsig", "KILL", "--"];
  const works = await new Promise<boolean>((resolve) => {
    // There are others of that name that know less.
    execFile(setpriv, [...prefix.slice(1), process.execPath, "--version"], { timeout: 5_000 }, (error) =>
      resolve(!error),
    );
  });
  return works ? prefix : [];
}
