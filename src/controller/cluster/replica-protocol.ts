/*
 * What a replica that does not lead says to the one that does, in JSON messages on one stream of the channel: at first all that it has to
 * say, in parts, the last of which says so; then what changes. The leader answers nothing.
 */
import { modelKinds } from "../../model/index.ts";
import type { ReplicaReport } from "./replica-states.ts";

export const replicaMethod = "/gatewright.controller.v1.Replicas/Report";

export interface ReplicaMessage {
  readonly reports: readonly ReplicaReport[];
  /** With these reports the first set is complete. */
  readonly isComplete?: true;
}

/** Reports in one message. */
const partSize = 2_000;

export function encodeReports(reports: readonly ReplicaReport[], isFirst: boolean): readonly Buffer[] {
  const messages: ReplicaMessage[] = [];
  for (let at = 0; at < reports.length; at += partSize) {
    messages.push({ reports: reports.slice(at, at + partSize) });
  }
  if (isFirst) messages.push({ reports: [], isComplete: true });
  return messages.map((message) => Buffer.from(JSON.stringify(message)));
}

/** Undefined: not a message of this protocol. */
export function decodeReports(bytes: Buffer): ReplicaMessage | undefined {
  try {
    const message = JSON.parse(bytes.toString("utf8")) as ReplicaMessage | null;
    const isKnown = Array.isArray(message?.reports) && message.reports.every(isReport);
    return isKnown ? (message ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

const stateTypes: readonly unknown[] = ["programmed", "pending", "refused"];

function isReport(report: ReplicaReport | null): boolean {
  if (typeof report?.key !== "string" || !modelKinds.includes(report.kind)) return false;
  const state: { readonly type?: unknown; readonly message?: unknown } | null | undefined = report.state;
  if (state === undefined) return true;
  return (
    stateTypes.includes(state?.type) && (state?.type === "programmed" || typeof state?.message === "string")
  );
}
