/** Ctrl-C and its like: the first asks to stop, the second means it. */
import { constants } from "node:os";

/** One press can reach us twice, from the terminal and from npm. */
const echo = 300;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const lookForParent = 500;

export interface StopSignal {
  /** Resolves with the first. */
  readonly asked: Promise<NodeJS.Signals>;
  dispose(): void;
}

export function awaitStopSignal(): StopSignal {
  let askedAt: number | undefined;
  let resolveAsked: (signal: NodeJS.Signals) => void = () => undefined;
  const asked = new Promise<NodeJS.Signals>((resolve) => (resolveAsked = resolve));
  const onSignal = (signal: NodeJS.Signals) => {
    if (askedAt === undefined) {
      askedAt = performance.now();
      resolveAsked(signal);
    } else if (performance.now() - askedAt > echo) process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, onSignal);
  const looking = watchNpx(() => onSignal("SIGTERM"));
  return {
    asked,
    dispose: () => {
      for (const signal of signals) process.off(signal, onSignal);
      clearInterval(looking);
    },
  };
}

/** npx has a shell between itself and us, and when it is told to end it ends that alone. All that reaches us is another parent. */
function watchNpx(end: () => void): NodeJS.Timeout | undefined {
  if (process.env["npm_lifecycle_event"] !== "npx") return undefined;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    end();
  }, lookForParent);
  return looking.unref();
}

/** How long connections may take to end, s: what drivers grant them. */
const mostSeconds = 30;

/** Idle connections end at once, those with a request under way when it has its answer. */
export function renderStopping(connections: number): string {
  if (connections === 0) return "Stopping.";
  const what = connections === 1 ? "1 connection" : `${connections} connections`;
  return `Stopping: waiting for ${what}, at most ${mostSeconds} s. Ctrl-C again stops at once.`;
}
