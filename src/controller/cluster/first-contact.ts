import { setTimeout as pause } from "node:timers/promises";
import { KubernetesError } from "../../kubernetes/index.ts";
import { EnvironmentError } from "../environment-error.ts";

const longestWait = 5_000;

/**
 * Does what is needed from the API server before anything else, and tries again while that cannot be reached: a controller that
 * starts beside it must not give up. What waiting does not mend is an `EnvironmentError` with the way out.
 */
export async function firstContact<T>(
  work: () => Promise<T>,
  tell: (trouble: string | undefined) => void,
  isStopped: () => boolean,
): Promise<T> {
  let hasTrouble = false;
  for (let wait = 250; ; wait = Math.min(wait * 2, longestWait)) {
    try {
      const result = await work();
      if (hasTrouble) tell(undefined);
      return result;
    } catch (error) {
      const final = finalError(error);
      if (final || isStopped()) throw final ?? error;
      hasTrouble = true;
      tell((error as Error).message);
    }
    await pause(wait * (0.5 + Math.random() / 2));
  }
}

function finalError(error: unknown): unknown {
  if (!(error instanceof KubernetesError)) return error;
  const { code, message } = error;
  if (code === "KUBERNETES_CREDENTIALS") {
    return new EnvironmentError("GATEWRIGHT_CLUSTER_UNREACHABLE", message, { cause: error });
  }
  if (!error.isForbidden && !error.isUnauthorized) return undefined;
  const advice = "install the chart, or bind its roles to this account";
  return new EnvironmentError("GATEWRIGHT_CLUSTER_UNREACHABLE", `${message}; ${advice}`, { cause: error });
}
