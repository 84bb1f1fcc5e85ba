/** Objects as people get to see them: with defaults and status, in kubectl's order of fields, and without secrets. */
import type { RawStatus, Resource } from "../resources/index.ts";

export interface ShownObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
  };
  readonly status?: RawStatus;
  readonly [field: string]: unknown;
}

/** Not base64, so that nobody can apply it by mistake. */
const hidden = "(hidden)";
/** kubectl keeps the whole object in it, a Secret's data too. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

export function showObject(resource: Resource, status: RawStatus | undefined): ShownObject {
  const { apiVersion, kind, metadata, status: _found, ...body } = resource;
  const isSecret = kind === "Secret";
  return {
    apiVersion,
    kind,
    metadata: showMetadata(metadata, isSecret),
    ...(isSecret ? hideValues(body) : body),
    ...(status === undefined ? {} : { status }),
  };
}

function showMetadata(metadata: Resource["metadata"], isSecret: boolean): ShownObject["metadata"] {
  const { labels, annotations, ...rest } = metadata;
  const shown = Object.entries(annotations).filter(([name]) => !isSecret || name !== lastApplied);
  return {
    ...rest,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(shown.length > 0 && { annotations: Object.fromEntries(shown) }),
  };
}

/** Whatever else a Secret may carry beside `data` and `type` is left out. */
function hideValues(body: object): object {
  const { type, data } = body as { readonly type?: unknown; readonly data?: object };
  const names = Object.keys(data ?? {});
  return { type, data: Object.fromEntries(names.map((name) => [name, hidden])) };
}
