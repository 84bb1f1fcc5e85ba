import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { fileSource, type FileSource, type FileSourceOptions } from "../../src/sources/index.ts";
import { RecordingSink } from "./recording-sink.ts";

/** A folder of its own for one test. */
export class Folder {
  readonly path: string;

  constructor() {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), "gatewright-files-")));
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
  }

  at(name: string): string {
    return join(this.path, name);
  }

  /** Writes in place, as most programs do. */
  write(name: string, content: string | Buffer): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
  }

  /** Writes elsewhere and renames, as careful programs do. */
  replace(name: string, content: string | Buffer): void {
    this.write(`.${name.replaceAll("/", "-")}.new`, content);
    renameSync(this.at(`.${name.replaceAll("/", "-")}.new`), this.at(name));
  }

  remove(name: string): void {
    rmSync(this.at(name), { recursive: true });
  }
}

/** Starts a source; it is stopped when the test ends. */
export async function startSource(
  options: FileSourceOptions,
  source: FileSource = fileSource(options),
): Promise<{ source: FileSource; sink: RecordingSink }> {
  const sink = new RecordingSink();
  onTestFinished(() => source.stop());
  await source.start(sink);
  return { source, sink };
}

/** Root may read everything, so somebody else has to try. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
