/*
 * V8 optimises a function after it has run for a while, in other threads. At a start with thousands of objects nearly all functions
 * get there, and most of them are hardly needed again: that took a fifth of the processor time of the whole start. So each command begins
 * with little of it. For traffic it is worth its time as soon as the start is over; a controller, which does many things a few times, stays with little.
 */
import { setFlagsFromString } from "node:v8";
import { afterStart } from "./after-start.ts";

interface Flags {
  readonly usual: string;
  readonly little: string;
}

/** The V8 of Node 20, with one optimising compiler: a function has to run for longer before it is worth its time. */
const byBudget: Flags = { usual: "--interrupt-budget=67584", little: "--interrupt-budget=800000" };
/** Later ones have a cheap compiler (Maglev) and a thorough one (TurboFan), which gets no function. */
const byCompiler: Flags = { usual: "--turbo-filter=*", little: "--turbo-filter=-*" };

const { usual, little } = process.versions.v8.startsWith("11.") ? byBudget : byCompiler;

/** A gateway that is busy from its first minute on wants the best code as well. */
const atLatest = 60_000;

export function optimizeLittle(): void {
  setFlagsFromString(little);
}

export function optimizeFullyAfterStart(): void {
  afterStart(() => setFlagsFromString(usual), { atLatest });
}
