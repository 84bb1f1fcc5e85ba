/*
 * The XMesh of our own (GEP-3949): looked for when we begin to write. Where it is not there it is made, with its name and our controller's name and
 * nothing else. One that is there is never changed; if it is somebody else's, that is told, and it is left alone.
 */
import { KubernetesError, type KubernetesClient } from "../../kubernetes/index.ts";
import { apiVersionOf, kinds } from "../../resources/index.ts";

const meshName = "gatewright";
const where = `XMesh ${meshName}`;
const { group, version, plural, kind } = kinds.get("XMesh")!;
const type = { group, version, plural, kind, namespaced: false };

export interface DefaultMeshOptions {
  readonly client: Pick<KubernetesClient, "get" | "create">;
  readonly controllerNames: readonly string[];
  /** Between two tries while it cannot be made, ms: its CRD may be on its way. */
  readonly tryEvery?: number;
  readonly written: (what: string) => void;
  readonly trouble: (where: string, message: string | undefined) => void;
}

export class DefaultMesh {
  readonly #options: DefaultMeshOptions;
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DefaultMeshOptions) {
    this.#options = options;
  }

  /** Wanted while the gate is on and we may write. */
  want(isWanted: boolean): void {
    if (this.#isWanted === isWanted) return;
    this.#isWanted = isWanted;
    clearTimeout(this.#timer);
    if (isWanted) void this.#try();
  }

  async stop(): Promise<void> {
    this.want(false);
  }

  async #try(): Promise<void> {
    const { trouble, tryEvery = 5_000 } = this.#options;
    try {
      await this.#ensure();
    } catch (error) {
      if (!this.#isWanted) return;
      trouble(where, error instanceof Error ? error.message : String(error));
      this.#timer = setTimeout(() => void this.#try(), tryEvery).unref();
    }
  }

  async #ensure(): Promise<void> {
    const { client, controllerNames, written, trouble } = this.#options;
    const found = await client.get(type, meshName);
    if (!this.#isWanted) return;
    if (found) {
      const { controllerName: owner } = (found["spec"] ?? {}) as { controllerName?: unknown };
      const isOurs = controllerNames.some((name) => name === owner);
      const message = `it belongs to ${String(owner)}, so it is left alone, and there is no mesh of ours by that name`;
      trouble(where, isOurs ? undefined : message);
      return;
    }
    try {
      await client.create(type, {
        apiVersion: apiVersionOf(group, version),
        kind,
        metadata: { name: meshName },
        spec: { controllerName: controllerNames[0] },
      });
      written(`${where} created`);
    } catch (error) {
      // Somebody was faster: whose it is, is to be seen.
      if (error instanceof KubernetesError && error.status === 409) return this.#ensure();
      throw error;
    }
    trouble(where, undefined);
  }
}
