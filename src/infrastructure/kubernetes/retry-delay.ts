const first = 500;
const longest = 60_000;

/** Milliseconds until the next try: twice as long each time, spread so that those who failed together do not come back together. */
export function retryDelay(failures: number, random: () => number, retryAfter = 0): number {
  const full = Math.min(longest, first * 2 ** Math.min(failures - 1, 10));
  return Math.max(retryAfter * 1000, full * (0.5 + random() / 2));
}
