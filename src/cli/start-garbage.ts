import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterStart } from "./after-start.ts";

/** By so many percent a heap grows, once the start is over, until V8 looks through all of it again. */
const growth = 50;
/** When V8 looks for the first time whether what it planned is due, ms. */
const nextLook = 8_000;

/**
 * A start leaves garbage among what stays: with ten thousand routes some 70 MB. V8 comes to it a hundred seconds later, in the midst of
 * whatever there is to do then. Right after the start nobody waits for us, and the memory is given back sooner.
 *
 * From then on a program that does little at a time would be looked through each time that its heap has grown by a tenth: with five thousand routes at every
 * three hundredth change of one, for up to a fifth of what these cost.
 */
export function collectAfterStart(): void {
  afterStart(() => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    setFlagsFromString("--no-expose-gc");
    setFlagsFromString(`--heap-growing-percent=${growth}`);
    collect();
    forgoNextCollection();
  });
}

/** Ours makes V8 plan another for a hundred seconds later, which would find next to nothing. The V8 of Node 20 cannot be told. */
function forgoNextCollection(): void {
  if (process.versions.v8.startsWith("11.")) return;
  setFlagsFromString("--memory-reducer-gc-count=0");
  setTimeout(() => setFlagsFromString("--memory-reducer-gc-count=2"), 2 * nextLook).unref();
}
