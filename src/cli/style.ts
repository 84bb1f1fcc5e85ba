import type { Writable } from "node:stream";

export type Colour = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Colours on a terminal, nothing in a pipe. */
export type Style = Readonly<Record<Colour, (text: string) => string>>;

const codes: Readonly<Record<Colour, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export function styleFor(colours: boolean): Style {
  const entries = Object.entries(codes).map(([name, [on, off]]) => [
    name,
    colours
      ? (text: string) => (text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`)
      : (text: string) => text,
  ]);
  return Object.fromEntries(entries) as Style;
}

/** https://no-color.org: any value that is not empty switches colours off. */
export function wantsColours(stream: Writable, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"] && env["FORCE_COLOR"] !== "0") return true;
  return "isTTY" in stream && stream.isTTY === true && env["TERM"] !== "dumb";
}
