import type { Resource, ResourceKind } from "../resources/index.ts";
import type { ObjectStatus } from "../status/index.ts";

/** Where objects come from and statuses go to. Nothing after a source knows which one is in use. */
export interface Source {
  readonly name: string;
  /** Resolves once all that is there has been handed to the sink, in one call; then goes on watching. */
  start(sink: SourceSink): Promise<void>;
  /** Keeps statuses with their objects. Only those that changed are handed over. */
  writeStatuses(statuses: readonly ObjectStatus[]): Promise<void>;
  /**
   * Sources that read Secrets and ConfigMaps only where something refers to them: from now on these, and no longer those. Resolves when
   * what is there of the added ones was handed to the sink. A source without it hands over all there is.
   */
  want?(added: readonly WantedObject[], removed: readonly WantedObject[]): Promise<void>;
  stop(): Promise<void>;
}

export interface WantedObject {
  /** `Secret` or `ConfigMap` */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface SourceSink {
  /** What arrived together is applied together. */
  apply(changes: readonly ResourceChange[]): void;
  /** All problems that stand at this moment; an empty list says that all is well again. */
  report(problems: readonly SourceProblem[]): void;
}

export interface ResourceChange {
  readonly kind: ResourceKind;
  /** `namespace/name`, or `name` for cluster-scoped kinds. */
  readonly key: string;
  /** Absent: the object is gone. */
  readonly resource: Resource | undefined;
}

export interface SourceProblem {
  readonly severity: "error" | "warning";
  /** A file's path as the user gave it, `-` for standard input, or the address of an object. */
  readonly origin: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
  /** `Kind namespace/name`, as far as it could be read. */
  readonly object?: string;
  /** `spec.rules[0].matches[1].path.value` */
  readonly field?: string;
  readonly message: string;
  /** An earlier good version of the object stays in force. */
  readonly lastGoodInForce?: boolean;
}
