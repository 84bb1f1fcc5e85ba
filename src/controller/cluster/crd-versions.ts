/** Of which release the CRDs of the Gateway API are that the API server has, followed. Only their metadata are read: the schemas are large. */
import { watchObjects, type KubernetesClient, type KubernetesObject } from "../../kubernetes/index.ts";
import { customResourceDefinitions } from "../../operator/index.ts";

const isGatewayApi = ({ metadata }: KubernetesObject) =>
  /[.]gateway[.]networking[.](x-)?k8s[.]io$/.test(metadata.name);
const versionOf = ({ metadata }: KubernetesObject) =>
  metadata.annotations?.["gateway.networking.k8s.io/bundle-version"] ?? "";

export class FollowedCrdVersions {
  /** Resolves when they are known, or when it is known that they cannot be. */
  readonly known: Promise<void>;
  readonly #versions = new Map<string, string>();
  readonly #stop: () => void;

  constructor(
    client: KubernetesClient,
    handler: {
      changed(versions: ReadonlyMap<string, string>): void;
      trouble(message: string | undefined): void;
    },
  ) {
    let markKnown: () => void = () => undefined;
    this.known = new Promise((resolve) => (markKnown = resolve));
    const watch = watchObjects(
      client,
      { type: customResourceDefinitions, metadataOnly: true },
      {
        replaced: (objects) => {
          this.#versions.clear();
          for (const crd of objects.filter(isGatewayApi)) {
            this.#versions.set(crd.metadata.name, versionOf(crd));
          }
          handler.changed(this.#versions);
        },
        changed: (events) => {
          for (const { type, object } of events.filter((event) => isGatewayApi(event.object))) {
            if (type === "set") this.#versions.set(object.metadata.name, versionOf(object));
            else this.#versions.delete(object.metadata.name);
          }
          handler.changed(this.#versions);
        },
        trouble: (found) => {
          // Who cannot see them says nothing of them.
          if (found?.isUnreadable) markKnown();
          handler.trouble(found?.message);
        },
      },
    );
    void watch.synced.then(markKnown);
    this.#stop = () => watch.stop();
  }

  async stop(): Promise<void> {
    this.#stop();
  }
}
