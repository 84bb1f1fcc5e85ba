// A lab for tests: a cluster, and the product's own client of its API server.

import { afterAll, type TestContext } from "vitest";
import { kubernetesClient, loadCredentials, type KubernetesClient } from "../../src/kubernetes/index.ts";
import { labComponents } from "../components/components.mjs";
import { doWithout, need } from "../components/need.ts";
import { startCluster, type Cluster, type ClusterOptions } from "./cluster.mjs";
import { currentLab, labObstacle } from "./namespaces.mjs";

export { until } from "./processes.mjs";

export interface Lab extends Cluster {
  /** An administrator's. */
  readonly client: KubernetesClient;
}

export interface LabOptions extends ClusterOptions {
  /** What the tests need beside the cluster itself: `echo-basic`, `envoy`, … (test/components). */
  readonly components?: readonly string[];
  /** Install the Gateway API's CRDs. */
  readonly crds?: "experimental" | "standard";
}

/** Only inside a lab's namespaces, one at a time; `stop` leaves nothing behind. */
export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const cluster = await startCluster(options);
  if (options.crds) await cluster.installCrds(options.crds);
  const credentials = await loadCredentials({ kubeconfig: cluster.kubeconfig });
  const client = kubernetesClient({ credentials, userAgent: "gatewright-lab", fieldManager: "lab" });
  return {
    ...cluster,
    client,
    async stop() {
      await client.close();
      await cluster.stop();
    },
  };
}

/**
 * One lab for all tests of a file, started by the first that asks: `const lab = useLab()`, then in a test
 * `const { kubectl } = await lab(context)`. Where there can be no lab the test is skipped, and says why.
 */
export function useLab(options: LabOptions = {}): (context: TestContext) => Promise<Lab> {
  let started: Promise<Lab> | undefined;
  afterAll(async () => {
    await (await started?.catch(() => undefined))?.stop();
  });
  return (context) => {
    needLab(context, options.components ?? []);
    started ??= startLab(options);
    return started;
  };
}

/** Skips the test where there can be no lab, and says why. */
export function needLab(context: TestContext, components: readonly string[] = []): void {
  const obstacle = labObstacle();
  const problem =
    obstacle ??
    (currentLab() === undefined ? "not inside a lab; run it with: npm run lab -- test FILE" : undefined);
  if (problem !== undefined) doWithout(context, problem);
  for (const name of [...labComponents, "gateway-api", ...components]) need(context, name);
}
