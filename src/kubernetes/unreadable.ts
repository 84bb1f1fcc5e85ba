/**
 * When something that was never read counts as unreadable, so that those who wait for it go on without it.
 *
 * To go on without what is there takes it away from proxies that serve it, so nothing counts but what cannot be the server's own
 * trouble. A server that is away, starts, stops or is overloaded says so in one of two ways:
 *
 *   by the failure itself   no connection, 401, 404, 429, 502, 503, 504 (a load balancer's words, too): never counted, however often
 *   at `/readyz`            which covers etcd, the keys of Secrets (KMS), and roles that are not loaded yet
 *
 * So a failure counts if the server is ready right after it. One that does not count, and any success, begins the count anew.
 *
 *   403                     counts at once: waiting does not mend it
 *   anything else           (500: it cannot be decrypted, a conversion webhook is broken; no answer in time) after a few in a row,
 *                           over so long a time that a server which has just become ready has been asked more than once
 *
 * It is asked for again all the same, for ever, and is there as soon as it can be read.
 */
import type { KubernetesClient } from "./client.ts";
import { KubernetesError } from "./error.ts";

const fewest = 3;

export class UnreadableCount {
  readonly #client: KubernetesClient;
  /** ms. */
  readonly #patience: number;
  #failures = 0;
  #since = 0;

  constructor(client: KubernetesClient, patience: number) {
    this.#client = client;
    this.#patience = patience;
  }

  /** Whether it counts as unreadable after this failure. */
  async add(error: KubernetesError): Promise<boolean> {
    if (!isOfObjects(error) || !(await isReady(this.#client))) {
      this.#failures = 0;
      return false;
    }
    if (this.#failures++ === 0) this.#since = performance.now();
    if (error.isForbidden) return true;
    return this.#failures >= fewest && performance.now() - this.#since >= this.#patience;
  }
}

function isOfObjects({ code, status }: KubernetesError): boolean {
  if (code === "KUBERNETES_REFUSED") return ![401, 404, 429, 502, 503, 504].includes(status);
  return code === "KUBERNETES_TIMEOUT" || code === "KUBERNETES_BAD_ANSWER";
}

/** Hundreds may ask at once. */
const asked = new WeakMap<KubernetesClient, Promise<boolean>>();

function isReady(client: KubernetesClient): Promise<boolean> {
  const underWay = asked.get(client);
  if (underWay) return underWay;
  const answer = askReadiness(client).finally(() => asked.delete(client));
  asked.set(client, answer);
  return answer;
}

async function askReadiness(client: KubernetesClient): Promise<boolean> {
  try {
    // Urgent: behind others it would be late, and what it is about would be waited for without end.
    const answer = await client.request({
      method: "GET",
      path: "/readyz",
      accept: "*/*",
      isText: true,
      isUrgent: true,
      timeout: 5_000,
    });
    // What stands before the server may have a page of its own.
    return answer === "ok";
  } catch (error) {
    // One that we may not ask, or that has no such page, is not one that says no.
    return error instanceof KubernetesError && (error.isForbidden || error.isNotFound);
  }
}
