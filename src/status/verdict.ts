import type { Resource } from "../resources/index.ts";
import type { Verdict } from "./condition.ts";
import type { ObjectStatus, StatusContent } from "./object-status.ts";

export function verdict(type: string, status: Verdict["status"], reason: string, message: string): Verdict {
  return { type, status, reason, message };
}

/** What is said of an object that was judged in its present generation. */
export function objectStatus(resource: Resource, content: StatusContent): ObjectStatus {
  const { kind } = resource;
  const { name, generation } = resource.metadata;
  const namespace = "namespace" in resource.metadata ? resource.metadata.namespace : undefined;
  const key = namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
  return { key, kind, namespace, name, generation, content };
}

/** A status under its key in a collection of statuses: one object has one for each controller name of ours that it has parents of. */
export function statusEntry(status: ObjectStatus): readonly [string, ObjectStatus] {
  const { content, key } = status;
  return ["controllerName" in content ? `${key}|${content.controllerName}` : key, status];
}
