import type { Resource } from "../resources/index.ts";
import type { Verdict } from "./condition.ts";
import type { ObjectStatus, StatusContent } from "./object-status.ts";

export function verdict(type: string, status: Verdict["status"], reason: string, message: string): Verdict {
  return { type, status, reason, message };
}

/** What is said of an object that was judged in its present generation; `key` if the caller has it already. */
export function objectStatus(
  resource: Resource,
  content: StatusContent,
  key = keyOf(resource),
): ObjectStatus {
  const { kind } = resource;
  const { name, generation } = resource.metadata;
  return { key, kind, namespace: namespaceOf(resource), name, generation, content };
}

function keyOf(resource: Resource): string {
  const { kind, metadata } = resource;
  const namespace = namespaceOf(resource);
  return namespace === undefined ? `${kind}/${metadata.name}` : `${kind}/${namespace}/${metadata.name}`;
}

function namespaceOf({ metadata }: Resource): string | undefined {
  return "namespace" in metadata ? metadata.namespace : undefined;
}

/** A status under its key in a collection of statuses: one object has one for each controller name of ours that it has parents of. */
export function statusEntry(status: ObjectStatus): readonly [string, ObjectStatus] {
  const { content, key } = status;
  return ["controllerName" in content ? `${key}|${content.controllerName}` : key, status];
}
