/** What identifies an object among those of its kind: `namespace/name`, or `name` when it is cluster-scoped. */
export function resourceKey(resource: {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}): string {
  const { name, namespace } = resource.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}
