/*
 * What became of an object, in one word and with what somebody should look at. A status repeats itself: a listener that is not
 * accepted is not programmed either, and its Gateway says that a listener is not valid. Here each reason is told once.
 */
import type { ObjectStatus, StatusContent, Verdict } from "../status/index.ts";
import { noHint, type Hint } from "./meant-objects.ts";

export interface ObjectVerdict {
  /** `partial`: accepted, but not everything that it asks for is served. */
  readonly result: "accepted" | "partial" | "refused";
  readonly findings: readonly Finding[];
}

export interface Finding extends Verdict {
  /** The part of the object: `listener https`, `parent Gateway shop/web`. */
  readonly part?: string;
}

/** In the order of their weight. Those that are a problem when true are marked. */
const weighed: readonly { readonly type: string; readonly isBad: Verdict["status"][] }[] = [
  { type: "Accepted", isBad: ["False", "Unknown"] },
  { type: "ResolvedRefs", isBad: ["False", "Unknown"] },
  { type: "PartiallyInvalid", isBad: ["True"] },
  { type: "Conflicted", isBad: ["True"] },
  { type: "Programmed", isBad: ["False", "Unknown"] },
];

/** Statuses of one object; it has several where several controller names of ours apply. */
export function judgeObject(statuses: readonly ObjectStatus[], hint: Hint = noHint): ObjectVerdict {
  const judged = statuses.map(({ content, namespace }) => judgeContent(content, namespace));
  const findings = judged
    .flatMap((one) => one.findings)
    .map((finding) => ({ ...finding, message: `${finding.message}${hint(finding.message)}` }));
  const isRefused = judged.length > 0 && judged.every(({ refused }) => refused);
  return { result: isRefused ? "refused" : findings.length > 0 ? "partial" : "accepted", findings };
}

interface JudgedContent {
  readonly refused: boolean;
  readonly findings: readonly Finding[];
}

function judgeContent(content: StatusContent, namespace: string | undefined): JudgedContent {
  switch (content.shape) {
    case "conditions":
      return { refused: isRefused(content.conditions), findings: findingsOf(content.conditions) };
    case "gateway": {
      const ofListeners = content.listeners.flatMap(({ name, conditions }) =>
        findingsOf(conditions, `listener ${name}`),
      );
      const findings = ofListeners.length > 0 ? ofListeners : findingsOf(content.conditions);
      return { refused: isRefused(content.conditions), findings };
    }
    case "http-proxy": {
      const told = [...content.errors, ...content.warnings];
      const findings = told.map((one) => ({ ...one, status: "True" }) as const);
      return { refused: content.currentStatus !== "valid" && !content.isServed, findings };
    }
    case "load-balancer":
      return {
        refused: !content.isServed,
        findings: content.remarks.map(({ severity, reason, field, message }) => ({
          type: severity === "error" ? "Accepted" : "PartiallyInvalid",
          status: severity === "error" ? "False" : "True",
          reason,
          message: `${field}: ${message}`,
        })),
      };
    default: {
      const { entries } = content;
      return {
        refused: entries.length > 0 && entries.every(({ conditions }) => isRefused(conditions)),
        findings: entries.flatMap(({ ref, conditions }) => {
          const section = ref.sectionName === undefined ? "" : `, ${ref.sectionName}`;
          const name = `${ref.kind} ${ref.namespace ?? namespace}/${ref.name}${section}`;
          return findingsOf(conditions, entries.length > 1 ? `parent ${name}` : undefined);
        }),
      };
    }
  }
}

function isRefused(conditions: readonly Verdict[]): boolean {
  return conditions.some(({ type, status }) => type === "Accepted" && status !== "True");
}

function findingsOf(conditions: readonly Verdict[], part?: string): Finding[] {
  const findings: Finding[] = [];
  for (const { type, isBad } of weighed) {
    const condition = conditions.find((candidate) => candidate.type === type);
    if (!condition || !isBad.includes(condition.status)) continue;
    const isRepeated = findings.some(({ message }) => condition.message.includes(message));
    if (!isRepeated) findings.push(part === undefined ? condition : { ...condition, part });
  }
  return findings;
}
