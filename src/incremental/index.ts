export { Graph, type GraphOptions } from "./graph.ts";
export type { Change, Collection, Fault, Index, Input, NodeOptions, Read } from "./collection.ts";
export type { TraceCause, TraceEntry } from "./trace.ts";
export { GraphError, type GraphErrorCode } from "./errors.ts";
export { deepEqual } from "./deep-equal.ts";
