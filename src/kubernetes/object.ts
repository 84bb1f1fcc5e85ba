/** Where a kind of object lives in the API. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export function apiVersionOf({ group, version }: Pick<ResourceType, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Of two resource versions of one object. False where they cannot be compared. */
export function isOlderVersion(version: string | undefined, than: string | undefined): boolean {
  const [a, b] = [version, than].map((text) => (/^\d+$/.test(text ?? "") ? BigInt(text ?? "") : undefined));
  return a !== undefined && b !== undefined && a < b;
}

/** `httproutes.gateway.networking.k8s.io`, `services`: as RBAC and kubectl name it. */
export function resourceName({ group, plural }: ResourceType): string {
  return group === "" ? plural : `${plural}.${group}`;
}
