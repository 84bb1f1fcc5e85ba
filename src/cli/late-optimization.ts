import { setFlagsFromString } from "node:v8";

/**
 * V8 optimises a function after it has run for a while, in other threads. At a start with thousands of objects nearly all functions
 * get there, and most of them are hardly needed again: that took a fifth of the processor time of the whole start. So they
 * have to run longer first; what serves requests gets there all the same, within the first seconds of traffic.
 */
export function optimizeLater(): void {
  setFlagsFromString("--interrupt-budget=800000");
}
