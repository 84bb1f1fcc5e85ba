/** What is wrong with the paths themselves that were given with `-f`. It is told the same way by every command. */
import { lstatSync, statSync } from "node:fs";
import type { SourceProblem } from "../controller/index.ts";
import { programName } from "./help.ts";
import { printable } from "./printable.ts";
import { renderProblem } from "./problem-lines.ts";
import type { Terminal } from "./terminal.ts";

/** Without the slashes at its end, as sources name it. */
function nameOf(path: string): string {
  return path.replace(/(?<=.)[/\\]+$/, "");
}

/** A path that is not there, or cannot be read: then a place in it makes no sense. */
export function isAboutPath({ severity, origin, line }: SourceProblem, paths: readonly string[]): boolean {
  return severity === "error" && line === undefined && paths.some((path) => nameOf(path) === origin);
}

export function tellProblems(
  problems: readonly SourceProblem[],
  paths: readonly string[],
  { err, errStyle }: Terminal,
): void {
  for (const problem of problems) {
    const { origin, message } = problem;
    if (isAboutPath(problem, paths)) err(`${programName}: ${printable(`${origin} ${message}`)}`);
    else err(renderProblem(problem, errStyle));
  }
}

/** Lines for paths that are not there at all. */
export function describeMissing(paths: readonly string[]): string[] {
  return paths
    .filter((path) => path !== "-" && isMissing(path))
    .map((path) => `${nameOf(path)} does not exist`);
}

const anyObject = "an object that Gatewright reads, such as a Gateway, a route or a Service";

/** For paths in which no object was found: they may be empty, or full of what others read. */
export function describeNoObjects(paths: readonly string[], wanted = anyObject): string {
  const names = paths.map((path) => (path === "-" ? "standard input" : nameOf(path)));
  const isFolder = paths.some((path) => path !== "-" && isDirectory(path));
  const hint = isFolder ? " (files that end in .yaml, .yml or .json are looked at)" : "";
  return `nothing in ${names.join(", ")} is ${wanted}${hint}`;
}

function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // What else is wrong with it the source will tell.
    return false;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
