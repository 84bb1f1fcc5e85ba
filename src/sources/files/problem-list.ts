/** All that stands to be said about all files, in a fixed order. */
import type { SourceProblem } from "../source.ts";
import type { DirectoryWatch } from "./directory-watch.ts";
import {
  describeDuplicate,
  nothingFound,
  positionOfKind,
  positionOfObject,
  type FileFindings,
  type ForeignObject,
} from "./file-problems.ts";
import { describeForeignKind } from "./foreign-kinds.ts";
import type { ObjectsInForce } from "./objects-in-force.ts";
import type { Pace } from "./pace.ts";
import { describeSystemError } from "./read-bounded.ts";
import { compareFiles, type SourceFile } from "./source-file.ts";

/** What was found in one file. */
export interface ReadFile {
  readonly file: SourceFile;
  readonly findings: FileFindings;
}

/** `found`: the files with something to be said about them; those with objects that another file has too come on top. */
export async function listProblems(
  found: Iterable<ReadFile>,
  { contested }: ObjectsInForce,
  pace: Pace,
): Promise<SourceProblem[]> {
  const duplicates = await describeDuplicates(contested, pace);
  const byFile = new Map([...duplicates.keys()].map((file) => [file, nothingFound]));
  for (const { file, findings } of found) byFile.set(file, findings);
  const flawed = Array.from(byFile, ([file, findings]) => ({ file, findings }));
  flawed.sort((a, b) => compareFiles(a.file, b.file));
  const problems = flawed.flatMap(({ file, findings }) =>
    [...findings.problems, ...(duplicates.get(file) ?? [])].sort(comparePositions),
  );
  return [...problems, ...describeForeignKinds(flawed)];
}

function comparePositions(a: SourceProblem, b: SourceProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

async function describeDuplicates(
  contested: ReadonlyMap<string, readonly SourceFile[]>,
  pace: Pace,
): Promise<ReadonlyMap<SourceFile, readonly SourceProblem[]>> {
  const byFile = new Map<SourceFile, SourceProblem[]>();
  for (const [key, [first, ...others]] of contested) {
    const winner = first?.objects.get(key);
    if (first === undefined || winner === undefined) continue;
    if (pace.isDue()) await pace.rest();
    const { line, column } = positionOfObject(first, winner);
    for (const file of others) {
      const loser = file.objects.get(key);
      if (loser === undefined) continue;
      const where = `${first.origin}:${line}:${column}`;
      const problem = describeDuplicate(file.origin, positionOfObject(file, loser), key, where);
      const problems = byFile.get(file);
      if (problems === undefined) byFile.set(file, [problem]);
      else problems.push(problem);
    }
  }
  return byFile;
}

/** One message per kind, at its first object: a chart may hold hundreds of them. */
function describeForeignKinds(files: readonly ReadFile[]): SourceProblem[] {
  const byKind = new Map<string, { file: SourceFile; first: ForeignObject; count: number }>();
  for (const { file, findings } of files) {
    for (const foreign of findings.foreign) {
      const id = `${foreign.kind.apiVersion} ${foreign.kind.kind}`;
      const known = byKind.get(id);
      if (known === undefined) byKind.set(id, { file, first: foreign, count: 1 });
      else known.count++;
    }
  }
  return [...byKind.values()].map(({ file, first, count }) => ({
    severity: "warning",
    origin: file.origin,
    ...positionOfKind(file, first),
    object: first.kind.kind,
    field: "kind",
    message: `${describeForeignKind(first.kind)}: ${count === 1 ? "this object is" : `its ${count} objects are`} passed over`,
  }));
}

/** One message, however many folders there are: the reason is the system's. */
export function describeWatchFailures({ failures }: DirectoryWatch, everyMs: number): SourceProblem[] {
  const [first] = failures;
  if (first === undefined) return [];
  const [directory, error] = first;
  const more = failures.size > 1 ? ` (and ${failures.size - 1} more folders)` : "";
  const instead = `it is looked at every ${Math.round(everyMs / 1000)} s instead`;
  const message = `cannot be watched: ${describeSystemError(error)}${more}; ${instead}`;
  return [{ severity: "warning", origin: directory, message }];
}
