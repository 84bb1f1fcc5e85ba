/** What `docker build .` is given: the files of a folder that its .dockerignore lets in. */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Pattern {
  readonly text: string;
  readonly admits: boolean;
  readonly matches: (path: string) => boolean;
}

/** As far as our patterns go: `*`, `**` and `!`; the last one that matches a path, or a folder that it is in, decides. */
export function copyBuildContext(from: string, to: string): void {
  const patterns = readFileSync(join(from, ".dockerignore"), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(readPattern);
  for (const path of admittedFiles(from, "", patterns)) cpSync(join(from, path), join(to, path));
}

function readPattern(line: string): Pattern {
  const text = line.replace(/^!/, "");
  if (/[?[\\]|^\/|\/$/.test(text)) throw new Error(`.dockerignore: ${line} is more than this test can read`);
  const expression = text
    .split(/(\*\*\/|\*)/)
    .map((part) => (part === "**/" ? "(?:.*/)?" : part === "*" ? "[^/]*" : part.replaceAll(".", "[.]")))
    .join("");
  const matcher = new RegExp(`^${expression}(?:/|$)`);
  return { text, admits: line.startsWith("!"), matches: (path) => matcher.test(path) };
}

function admittedFiles(root: string, folder: string, patterns: readonly Pattern[]): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const isAdmitted = patterns.findLast(({ matches }) => matches(path))?.admits ?? true;
    if (!entry.isDirectory()) return isAdmitted ? [path] : [];
    const maySomeBe = patterns.some(({ admits, text }) => admits && text.startsWith(`${path}/`));
    return isAdmitted || maySomeBe ? admittedFiles(root, path, patterns) : [];
  });
}
