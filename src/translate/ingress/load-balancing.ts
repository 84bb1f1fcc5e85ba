// Annotations load-balance and upstream-hash-by.

import type { HashSource, LoadBalancing } from "../../model/index.ts";
import { isFieldName } from "../../resources/index.ts";
import type { Annotations } from "./annotations.ts";

export function judgeLoadBalancing(annotations: Annotations): LoadBalancing | undefined {
  const hashed = annotations.text("upstream-hash-by");
  if (hashed !== undefined) {
    const source = sourceOf(hashed);
    if (source) return { type: "hash", on: [source] };
    annotations.unreadable("upstream-hash-by", "must be $remote_addr, $http_NAME or $arg_NAME");
  }
  switch (annotations.text("load-balance")) {
    case undefined:
      return undefined;
    case "round_robin":
      return { type: "round-robin" };
    case "ewma":
      return { type: "least-request" };
    default:
      return annotations.unreadable("load-balance", "must be round_robin or ewma");
  }
}

function sourceOf(text: string): HashSource | undefined {
  if (text === "$remote_addr" || text === "$binary_remote_addr") return { type: "source" };
  const header = /^\$http_([a-z0-9_]+)$/.exec(text)?.[1]?.replaceAll("_", "-");
  if (header !== undefined && isFieldName(header)) return { type: "header", name: header };
  const query = /^\$arg_([A-Za-z0-9_]+)$/.exec(text)?.[1];
  return query === undefined ? undefined : { type: "query", name: query };
}
