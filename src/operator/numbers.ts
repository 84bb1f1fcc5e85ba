/** What is counted of the operator, for monitoring. Of the replica that leads; the others have nothing to say. */
import type { Verdict } from "../status/index.ts";
import type { GatewayUsage } from "./telemetry.ts";

export interface OperatorNumbers {
  readonly isLeader: boolean;
  /** As they were reported last. */
  readonly conditions: readonly Verdict[];
  /** What was put right, by kind. */
  readonly written: ReadonlyMap<string, number>;
  /** What could not be put right. */
  readonly failures: number;
  /** On OpenShift. */
  readonly gateways?: GatewayUsage | undefined;
  readonly hasOrphan?: boolean | undefined;
}
