// A measurement inside a lab of its own: `program` gets the names of two files, the task's and the result's, both of JSON.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../scripts/command.mjs";
import { insideLab } from "../test/lab/namespaces.mjs";

/** `place`: a folder for the two files. */
export async function runInLab(program, place, task) {
  const [taskFile, resultFile] = ["task.json", "result.json"].map((name) => join(place, name));
  writeFileSync(taskFile, JSON.stringify(task));
  rmSync(resultFile, { force: true });
  const lab = insideLab([process.execPath, program, taskFile, resultFile]);
  const { code } = await runCommand(lab.command[0], lab.command.slice(1), { show: true });
  lab.clean();
  if (code !== 0) throw new Error(`the measurement ended with ${code}`);
  return JSON.parse(readFileSync(resultFile, "utf8"));
}
