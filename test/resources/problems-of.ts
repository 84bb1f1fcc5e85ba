import {
  formatPath,
  parseResource,
  type ResourceByKind,
  type ResourceKind,
} from "../../src/resources/index.ts";

/** What is wrong with an object, one line for each problem: `spec.listeners[0].port: is required`. */
export function problemsOf(input: unknown): string[] {
  const parsed = parseResource(input);
  switch (parsed.outcome) {
    case "resource":
      return [];
    case "unknown-kind":
      return [`unknown kind ${parsed.apiVersion} ${parsed.kind}`];
    case "invalid":
      return parsed.problems.map(({ path, message }) => `${formatPath(path)}: ${message}`);
  }
}

/** Reads an object that must be good and of that kind. */
export function readAs<K extends ResourceKind>(kind: K, input: unknown): ResourceByKind[K] {
  const parsed = parseResource(input);
  if (parsed.outcome === "resource" && parsed.resource.kind === kind) {
    return parsed.resource as ResourceByKind[K];
  }
  throw new Error(`Not a good ${kind}: ${problemsOf(input).join("; ")}`);
}
