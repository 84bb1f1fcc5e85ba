import { setFlagsFromString } from "node:v8";

/**
 * V8 collects young objects with the help of other threads, which look to each other for work. Of the objects that a controller makes at its
 * start nearly all stay, and there is little to share: without helpers the start of one with ten thousand routes took a twelfth
 * less processor time, and less memory.
 */
export function scavengeAlone(): void {
  setFlagsFromString("--no-parallel-scavenge");
}
