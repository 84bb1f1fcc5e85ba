export type GraphErrorCode =
  /** A node's name is taken, or a collection belongs to another graph. */
  | "GRAPH_WIRING"
  /** A computation read what it must not read, or read past its own end. */
  | "GRAPH_READ"
  /** Something was changed, or a node created, from inside a computation. */
  | "GRAPH_REENTERED"
  /** Subscribers answered each change with another one, without end. */
  | "GRAPH_UNSETTLED"
  /** Something threw, and there is no `onFault` to hear of it (or `onFault` threw as well). */
  | "GRAPH_FAULT";

/** The engine was used wrongly, or has to report what user code threw. `code` is stable; the message is for people. */
export class GraphError extends Error {
  readonly code: GraphErrorCode;

  constructor(code: GraphErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "GraphError";
    this.code = code;
  }
}
