/** The label by which the mesh knows that a Gateway is its own. It is put on, and put on again; nobody but the user takes it off. */
import type { EventRecorder, KubernetesClient, KubernetesObject } from "../../kubernetes/index.ts";
import { objectKey } from "../followed-objects.ts";
import type { Failure } from "../kept-objects.ts";
import { gateways } from "../resource-types.ts";
import { controlPlaneName } from "./control-plane.ts";

const label = "istio.io/rev";

export interface LabelOptions {
  readonly client: KubernetesClient;
  readonly recorder: EventRecorder;
  readonly canWrite: () => boolean;
  readonly written: (what: string) => void;
}

export async function labelGateways(
  own: readonly KubernetesObject[],
  { client, recorder, canWrite, written }: LabelOptions,
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  const unlabelled = own.filter(
    ({ metadata }) => metadata.labels?.[label] !== controlPlaneName && !metadata.deletionTimestamp,
  );
  for (const gateway of unlabelled) {
    if (!canWrite()) break;
    const { name, namespace, uid, resourceVersion } = gateway.metadata;
    const what = `Gateway ${objectKey(gateway)}`;
    try {
      await client.patch(gateways, name, namespace, {
        metadata: { resourceVersion, labels: { [label]: controlPlaneName } },
      });
    } catch (error) {
      failures.push({ what, error });
      continue;
    }
    written(`${what} labelled`);
    recorder.record({
      object: { apiVersion: gateway.apiVersion, kind: "Gateway", name, namespace, uid },
      type: "Normal",
      reason: "AddedLabel",
      message: `Added the label ${label}=${controlPlaneName}, by which the mesh serves it.`,
    });
  }
  return failures;
}
