// Which references across namespaces are permitted.
//
// A ReferenceGrant is a list of `from` and a list of `to`; every pair of them is one permission, keyed by both ends.
// A question is then two look-ups: the target by name, and all targets of its kind. So a changed grant
// recomputes whoever asked for a pair that came or went, and nobody else.

import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { ReferenceGrant } from "../resources/index.ts";

/** Permission key → true. */
export type ReferencePermissions = Collection<true>;

export interface Reference {
  readonly from: Referrer;
  readonly to: Referent;
}

export interface Referrer {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
}

export interface Referent extends Referrer {
  readonly name: string;
}

export function referencePermissions(
  graph: Graph,
  referenceGrants: Collection<ReferenceGrant>,
): ReferencePermissions {
  return graph.derive("reference permissions", referenceGrants, (grant) =>
    permissionsOf(grant).map((key) => [key, true] as const),
  );
}

/** Spec: all references across namespaces need a ReferenceGrant in the namespace of the target; within one, none do. */
export function permits(read: Read, permissions: ReferencePermissions, { from, to }: Reference): boolean {
  if (from.namespace === to.namespace) return true;
  return (
    read.one(permissions, permissionKey(from, to, to.name)) === true ||
    read.one(permissions, permissionKey(from, to, undefined)) === true
  );
}

/** The fix, for the message of whoever was refused. */
export function grantAdvice({ from, to }: Reference): string {
  return (
    `a ReferenceGrant in namespace ${to.namespace} must allow it, ` +
    `from ${from.kind} in namespace ${from.namespace} to ${to.kind} ${to.name}`
  );
}

function permissionsOf({ metadata, spec }: ReferenceGrant): string[] {
  const { namespace } = metadata;
  return spec.from.flatMap((from) => spec.to.map((to) => permissionKey(from, { ...to, namespace }, to.name)));
}

/** Without a name: all objects of the kind. The name comes last because it alone may hold any character. */
function permissionKey(from: Referrer, to: Referrer, name: string | undefined): string {
  const ends = [from.group, from.kind, from.namespace, to.group, to.kind, to.namespace].join("/");
  return name === undefined ? `any:${ends}` : `one:${ends}/${name}`;
}
