// Why was this computed? One entry per computation, delivered after its batch has settled, in the order of running.
// To follow a chain back to its inputs: find the entry of `because[i].node` whose `outputs` hold `because[i].key`.

export interface TraceEntry {
  /** Number of the batch, counted from 1. */
  readonly batch: number;
  readonly node: string;
  /** What ran: the source key in a map or derive, the group in an index or count, the key itself in an input. */
  readonly key: string;
  /** What had changed. Empty for an input, and for the first run in a node that was added to a filled graph. */
  readonly because: readonly TraceCause[];
  /** Whether anything came out differently; when not, the change stops here. */
  readonly changed: boolean;
  /** The keys of this node which changed by it. */
  readonly outputs: readonly string[];
}

export interface TraceCause {
  readonly node: string;
  readonly key: string;
}

export type TraceListener = (entry: TraceEntry) => void;
