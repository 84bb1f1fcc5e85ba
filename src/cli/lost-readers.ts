/** What becomes of the program when whoever reads its output goes away. */
import type { Writable } from "node:stream";

export interface LostReaders {
  /** From now on the program outlives them: somebody's requests are of more worth than its words. */
  outlive(): void;
}

export interface LostReadersOptions {
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Ends the program: there is nobody left to write for (`| head`). */
  readonly end: () => void;
  /** Told once, of standard output, on the other stream. */
  readonly remark: string;
}

export function watchReaders({ stdout, stderr, end, remark }: LostReadersOptions): LostReaders {
  let outlives = false;
  for (const stream of [stdout, stderr]) {
    let isLost = false;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      if (!outlives) return end();
      if (stream === stdout && !isLost) stderr.write(`${remark}\n`);
      isLost = true;
    });
  }
  return { outlive: () => void (outlives = true) };
}
