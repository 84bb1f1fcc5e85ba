import type { Readable, Writable } from "node:stream";
import { styleFor, wantsColours, type Style } from "./style.ts";

/** Where a command reads from and writes to. Results go to `out`, everything else to `err`. */
export interface Terminal {
  /** Writes one or more lines. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Writes what may be long, in order, and resolves when it is handed over. */
  readonly write: (text: string) => Promise<void>;
  readonly outStyle: Style;
  readonly errStyle: Style;
  readonly input: Readable;
  readonly env: NodeJS.ProcessEnv;
}

export interface TerminalStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
}

export function openTerminal({ stdin, stdout, stderr, env }: TerminalStreams): Terminal {
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    write: (text) =>
      new Promise((resolve) => {
        // Whoever reads may have gone; the program's own handler of that ends it.
        stdout.write(text, () => resolve());
      }),
    outStyle: styleFor(wantsColours(stdout, env)),
    errStyle: styleFor(wantsColours(stderr, env)),
    input: stdin,
    env,
  };
}
