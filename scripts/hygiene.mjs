// Checks what is committed (or about to be) for things that belong to one machine or one moment:
// paths of this machine, addresses of package registries, tests switched off.

import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "./command.mjs";

const isTest = (path) => /[.]test[.]m?ts$|[.]test[.]mjs$/.test(path) || /^test\/(?!components\/)/.test(path);

/** The rules; `machinePaths` are the folders of this machine that nobody else has. */
export function hygieneRules(machinePaths) {
  return [
    {
      sentence: "a path of somebody's machine; use a relative one, os.tmpdir() or os.homedir()",
      applies: () => true,
      pattern: new RegExp(
        [...machinePaths.map(escape), "/Users/\\w[\\w.-]*/", "/home/\\w[\\w.-]*/\\w"].join("|"),
      ),
    },
    {
      sentence:
        "a package registry's address; npm's omit-lockfile-registry-resolved keeps it out of the lockfile",
      applies: () => true,
      pattern: /https?:\/\/(registry|proxy|files|repo\d*)\.|"resolved":\s*"http/,
    },
    {
      sentence:
        "a test that is switched off; delete it, mend it, or say with need() what it needs from the machine",
      applies: isTest,
      pattern: /\.(only|skip|todo|skipIf|runIf)\(/,
    },
  ];
}

/** "path:line: what is wrong" for each line of a file that breaks a rule. */
export function judgeFile(path, text, rules) {
  const applying = rules.filter(({ applies }) => applies(path));
  if (!applying.some(({ pattern }) => pattern.test(text))) return [];
  return text
    .split("\n")
    .flatMap((line, index) =>
      applying
        .filter(({ pattern }) => pattern.test(line))
        .map(({ sentence }) => `${path}:${index + 1}: ${sentence}\n    ${line.trim().slice(0, 160)}`),
    );
}

function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function main() {
  // With a slash at the end, and only where the name is long enough to mean this machine.
  const machinePaths = [projectFolder, homedir()]
    .map((path) => `${resolve(path)}/`)
    .filter((path) => path.length > 3);
  const rules = hygieneRules(machinePaths);
  const problems = projectFiles().flatMap((path) => judgeFile(path, readText(path), rules));
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

// What git knows, and what it would take in. A tree without git (an unpacked archive) has been checked before.
function projectFiles() {
  try {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const listed = execFileSync("git", args, { cwd: projectFolder, encoding: "utf8", maxBuffer: 2 ** 26 });
    return listed.split("\0").filter(Boolean);
  } catch {
    console.log("Not a git checkout: nothing to look at.");
    return [];
  }
}

function readText(path) {
  const full = join(projectFolder, path);
  const size = statSync(full, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size > 4_000_000) return "";
  const bytes = readFileSync(full);
  return bytes.subarray(0, 8000).includes(0) ? "" : bytes.toString("utf8");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main();
