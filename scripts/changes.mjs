// Checks changes/: each file tells a user, in a sentence or two, what a change means to them. A release folds
// them into CHANGELOG.md.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "./command.mjs";

const form = "<slug>.<breaking|feature|fix|security>.md";
const namePattern = /^[a-z0-9]+(-[a-z0-9]+)*[.](breaking|feature|fix|security)[.]md$/;

/** What is wrong with a file of changes/, or undefined. */
export function judgeChange(name, text) {
  if (!namePattern.test(name)) return `changes/${name}: the name is not ${form}, in lower case with hyphens`;
  const sentences = countSentences(text);
  if (sentences === 0)
    return `changes/${name}: it says nothing; write one sentence to a user, ended by a full stop`;
  if (sentences > 2)
    return `changes/${name}: it has ${sentences} sentences; one or two are read, the rest belongs in docs/`;
  return undefined;
}

// A sentence ends before white space followed by something that can start one, so "e.g. this" and "v1.6.3" do not.
function countSentences(text) {
  const trimmed = text.trim();
  if (!/[.!?][`"')\]]*$/.test(trimmed)) return 0;
  return trimmed.split(/(?<=[.!?][`"')\]]*)\s+(?=[\p{Lu}`"'([*_-])/u).length;
}

function main() {
  const folder = join(projectFolder, "changes");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name !== "README.md") : [];
  const problems = names
    .map((name) => judgeChange(name, readFileSync(join(folder, name), "utf8")))
    .filter((problem) => problem !== undefined);
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main();
