import { setFlagsFromString } from "node:v8";
import { afterStart } from "./after-start.ts";

/** The V8 of Node 20. Later ones have a cheap compiler (Maglev) between those two, nothing to gain here, and no such flag. */
const v8WithBudgets = /^11\./;
/** How much a function has to run before it is optimised: V8's own measure, and the one for the start. */
const budgets = { usual: 67_584, start: 800_000 } as const;

/**
 * V8 optimises a function after it has run for a while, in other threads. At a start with thousands of objects nearly all functions
 * get there, and most of them are hardly needed again: that took a fifth of the processor time of the whole start. So they
 * have to run longer first, until there is little to do for some seconds; what changes cost from then on, and requests, is worth optimising.
 */
export function optimizeLater(): void {
  if (!v8WithBudgets.test(process.versions.v8)) return;
  setFlagsFromString(`--interrupt-budget=${budgets.start}`);
  afterStart(() => setFlagsFromString(`--interrupt-budget=${budgets.usual}`));
}
