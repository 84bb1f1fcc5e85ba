import { setFlagsFromString } from "node:v8";
import { afterStart } from "./after-start.ts";

/** V8's own settings, and those for the start. */
interface Tiering {
  readonly usual: string;
  readonly start: string;
}

/** The V8 of Node 20, with one optimising compiler: a function has to run for longer before it is worth its time. */
const byBudget: Tiering = { usual: "--interrupt-budget=67584", start: "--interrupt-budget=800000" };
/** Later ones have a cheap compiler (Maglev) and a thorough one (TurboFan), which takes no function yet. */
const cheapOnly: Tiering = { usual: "--turbo-filter=*", start: "--turbo-filter=-*" };

/** A gateway that is busy from its first minute on wants the best code as well. */
const atLatest = 60_000;

/**
 * V8 optimises a function after it has run for a while, in other threads. At a start with thousands of objects nearly all functions
 * get there, and most of them are hardly needed again: that took a fifth of the processor time of the whole start. So it is put
 * off until there is little to do for some seconds; what changes cost from then on, and requests, is worth optimising.
 */
export function optimizeLater(): void {
  const { start, usual } = process.versions.v8.startsWith("11.") ? byBudget : cheapOnly;
  setFlagsFromString(start);
  afterStart(() => setFlagsFromString(usual), { atLatest });
}
