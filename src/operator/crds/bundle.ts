/** The CRDs of the pinned Gateway API release. They are put beside this file when the program is built (scripts/crd-bundle.mjs). */
import { readFileSync } from "node:fs";
import type { KubernetesObject } from "../../kubernetes/index.ts";

export type Channel = "standard" | "experimental";

export interface CrdBundle {
  /** `v1.6.3` */
  readonly version: string;
  readonly channels: Readonly<Record<Channel, ChannelBundle>>;
}

interface ChannelBundle {
  readonly crds: readonly KubernetesObject[];
  /** The Gateway API's own policy against careless changes. */
  readonly safeUpgrades: { readonly policy: KubernetesObject; readonly binding: KubernetesObject };
}

/** The program was built without the CRDs. */
export class CrdBundleError extends Error {
  override readonly name = "CrdBundleError";
  readonly code = "GATEWRIGHT_CRDS_NOT_BUILT";
}

const ownBundle = new URL("./bundle.json", import.meta.url);

export function readCrdBundle(file: URL = ownBundle): CrdBundle {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new CrdBundleError(
      "This build has no CRDs of the Gateway API. Get its Go module and build again: go mod download sigs.k8s.io/gateway-api@v1.6.3 && npm run build",
      { cause },
    );
  }
  return JSON.parse(text) as CrdBundle;
}
