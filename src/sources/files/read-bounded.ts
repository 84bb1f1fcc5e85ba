import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

/** What tells one version of a file from the next, unless both were written within the clock's grain. */
export type Signature = string;

export type FileReading =
  | {
      readonly outcome: "read";
      readonly bytes: Buffer;
      readonly signature: Signature;
      readonly isSettled: boolean;
    }
  | { readonly outcome: "gone" }
  | { readonly outcome: "refused"; readonly message: string; readonly signature: Signature | undefined };

export function signatureOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): Signature {
  return `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}

/** The coarsest clock of a file system that is in use (FAT): a file may change once more without its time telling. */
const clockGrainMs = 2_000;

/**
 * Reads a file, if it is not too large. Synchronous: ten thousand small files take a tenth of the time that they take
 * with promises, and the caller pauses between files. `spare` are bytes that nobody needs any more: if there is room,
 * the file is read into them.
 */
export function readBounded(path: string, maxFileSize: number, spare?: Buffer): FileReading {
  let descriptor: number;
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer; on Windows it does not exist.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return describeFailure(error, undefined);
  }
  let signature: Signature | undefined;
  try {
    const stats = fstatSync(descriptor);
    signature = signatureOf(stats);
    if (!stats.isFile()) return { outcome: "refused", message: "is not a regular file", signature };
    if (stats.size > maxFileSize) return refuseSize(stats.size, maxFileSize, signature);
    const isSettled = Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) > clockGrainMs;
    const bytes = readAll(descriptor, bufferFor(stats.size, spare), maxFileSize);
    if (bytes === undefined) return refuseSize(undefined, maxFileSize, signature);
    return { outcome: "read", bytes, signature, isSettled };
  } catch (error) {
    return describeFailure(error, signature);
  } finally {
    closeSync(descriptor);
  }
}

/** With room for one byte more than there is, so that the end is seen; a large one with room for a longer version. */
function bufferFor(size: number, spare: Buffer | undefined): Buffer {
  const whole = spare && Buffer.from(spare.buffer, spare.byteOffset);
  if (whole && whole.length > size) return whole;
  return Buffer.allocUnsafe(size + 1 + Math.floor(size / 16));
}

/** Reads to the end, which may be elsewhere than the size says; undefined if it is beyond the limit. */
function readAll(descriptor: number, empty: Buffer, maxFileSize: number): Buffer | undefined {
  let buffer = empty;
  let length = 0;
  for (;;) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.max(4096, 2 * length));
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > maxFileSize) return undefined;
  }
}

function refuseSize(
  size: number | undefined,
  maxFileSize: number,
  signature: Signature | undefined,
): FileReading {
  return { outcome: "refused", message: describeSize(size, maxFileSize), signature };
}

export function describeSize(size: number | undefined, maxFileSize: number): string {
  const is = size === undefined ? "is" : `has ${formatSize(size)}, which is`;
  return `${is} more than the largest file that is read (${formatSize(maxFileSize)}); split it into several files`;
}

function formatSize(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024);
  return mebibytes >= 1 ? `${Number(mebibytes.toFixed(1))} MiB` : `${bytes} bytes`;
}

function describeFailure(error: unknown, signature: Signature | undefined): FileReading {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return { outcome: "gone" };
  return { outcome: "refused", message: `cannot be read: ${describeSystemError(error)}`, signature };
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const explanations = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "operation not permitted"],
  ["ELOOP", "its symbolic links lead in a circle"],
  ["EMFILE", "this process has too many files open"],
  ["ENFILE", "the system has too many files open"],
  ["EIO", "input/output error"],
  ["ENOSPC", "the system's inotify watches are used up (fs.inotify.max_user_watches)"],
  ["ENAMETOOLONG", "a name is too long"],
]);

/** `EACCES (permission denied)` */
export function describeSystemError(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  const explanation = explanations.get(code);
  return explanation === undefined ? code : `${code} (${explanation})`;
}
