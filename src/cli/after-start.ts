import { performance } from "node:perf_hooks";

const look = 1000;
/** Of the time between two looks. */
const littleWork = 0.2;
/** Looks in a row: the start waits for the API server and for proxies, and then goes on. */
const looksInPeace = 5;

/** Calls back, once, when there has been little to do for some seconds; or after `atLatest` milliseconds, whatever there is to do. */
export function afterStart(
  then: () => void,
  { atLatest = Infinity }: { readonly atLatest?: number } = {},
): void {
  let before = performance.eventLoopUtilization();
  let inPeace = 0;
  let looks = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    inPeace = utilization > littleWork ? 0 : inPeace + 1;
    looks++;
    if (inPeace < looksInPeace && looks * look < atLatest) return;
    clearInterval(timer);
    then();
  }, look);
  timer.unref();
}
