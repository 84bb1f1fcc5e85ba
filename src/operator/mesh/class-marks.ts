/** What an install without OLM leaves on a class: a finalizer, two conditions, and the moment since which the control plane is available. */
import { deepEqual } from "../../incremental/index.ts";
import type { KubernetesClient, KubernetesObject } from "../../kubernetes/index.ts";
import type { Verdict } from "../../status/index.ts";
import { conditionsOf, mergeConditions } from "../conditions.ts";
import { gatewayClasses } from "../resource-types.ts";

const finalizer = "openshift.io/ingress-operator-sail-finalizer";
const syncAnnotation = "ingress.operator.openshift.io/sync";
const conditionTypes = ["ControllerInstalled", "CRDsReady"];

/** All of it with the class's version as precondition: who was faster is seen in the next round. */
export class ClassMarks {
  readonly #client: KubernetesClient;
  readonly #seen: (gatewayClass: KubernetesObject) => void;

  /** `seen` is told what the API server has answered. */
  constructor(client: KubernetesClient, seen: (gatewayClass: KubernetesObject) => void) {
    this.#client = client;
    this.#seen = seen;
  }

  isHeld({ metadata }: KubernetesObject): boolean {
    return (metadata.finalizers ?? []).includes(finalizer);
  }

  async hold(gatewayClass: KubernetesObject): Promise<KubernetesObject> {
    if (this.isHeld(gatewayClass)) return gatewayClass;
    const { finalizers = [] } = gatewayClass.metadata;
    return this.#patch(gatewayClass, { finalizers: [...finalizers, finalizer] });
  }

  async release(gatewayClass: KubernetesObject): Promise<KubernetesObject> {
    if (!this.isHeld(gatewayClass)) return gatewayClass;
    const { finalizers = [] } = gatewayClass.metadata;
    return this.#patch(gatewayClass, { finalizers: finalizers.filter((one) => one !== finalizer) });
  }

  async tell(gatewayClass: KubernetesObject, verdicts: readonly Verdict[]): Promise<KubernetesObject> {
    const standing = conditionsOf(gatewayClass);
    const conditions = mergeConditions(standing, verdicts, {
      now: new Date().toISOString(),
      generation: gatewayClass.metadata.generation,
    });
    return deepEqual(standing, conditions) ? gatewayClass : this.#patchStatus(gatewayClass, conditions);
  }

  /** Nothing more is said of the install. */
  async untell(gatewayClass: KubernetesObject): Promise<KubernetesObject> {
    const standing = conditionsOf(gatewayClass);
    const others = standing.filter(({ type }) => !conditionTypes.includes(type));
    return others.length === standing.length ? gatewayClass : this.#patchStatus(gatewayClass, others);
  }

  /** `since`: undefined as long as the control plane is not available; what stood there stays. */
  async sync(gatewayClass: KubernetesObject, since: string | undefined): Promise<KubernetesObject> {
    const standing = gatewayClass.metadata.annotations?.[syncAnnotation];
    if (since === undefined || since === standing) return gatewayClass;
    return this.#patch(gatewayClass, { annotations: { [syncAnnotation]: since } });
  }

  async #patch({ metadata }: KubernetesObject, changes: object): Promise<KubernetesObject> {
    const { name, resourceVersion } = metadata;
    const patch = { metadata: { resourceVersion, ...changes } };
    return this.#note(await this.#client.patch(gatewayClasses, name, undefined, patch));
  }

  async #patchStatus(
    { metadata }: KubernetesObject,
    conditions: readonly object[],
  ): Promise<KubernetesObject> {
    const { name, resourceVersion } = metadata;
    const patch = { metadata: { resourceVersion }, status: { conditions } };
    return this.#note(
      await this.#client.patch(gatewayClasses, name, undefined, patch, { subresource: "status" }),
    );
  }

  #note(answer: KubernetesObject): KubernetesObject {
    this.#seen(answer);
    return answer;
  }
}
