import type { Collection } from "../../incremental/index.ts";
import type { Resource } from "../../resources/index.ts";
import type { SourceProblem } from "../../sources/index.ts";
import type { ObjectStatus } from "../../status/index.ts";
import type { ModelCollections } from "../../translate/index.ts";

/** What explanations look at; a controller has it. */
export interface ExplainedState {
  readonly model: ModelCollections;
  readonly statuses: Collection<ObjectStatus>;
  /** Of the source; objects that they are about may not have been read. */
  readonly problems: readonly SourceProblem[];
  resources(): Iterable<Resource>;
}
