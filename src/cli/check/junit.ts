/** JUnit's XML, as CI systems read it: a test case for each object that can be refused, and for each problem. */
import type { DryRun, DryRunObject, SourceProblem } from "../../controller/index.ts";

interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly failure?: { readonly type: string; readonly message: string };
}

export function renderJunit({ objects, problems }: DryRun): string {
  const cases = [
    ...problems.filter(({ severity }) => severity === "error").map(caseOfProblem),
    ...objects.filter(({ verdict }) => verdict).map(caseOfObject),
  ];
  const failures = cases.filter(({ failure }) => failure).length;
  const attributes = `name="gatewright check" tests="${cases.length}" failures="${failures}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes}>`,
    `  <testsuite ${attributes} skipped="0">`,
    ...cases.map(renderCase),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function caseOfProblem({ origin, line, column, object, field, message }: SourceProblem): TestCase {
  const place = [origin, line, column].filter((part) => part !== undefined).join(":");
  return {
    classname: origin,
    name: object ?? origin,
    file: origin,
    ...(line === undefined ? {} : { line }),
    failure: { type: "invalid", message: `${place}: ${field === undefined ? "" : `${field}: `}${message}` },
  };
}

function caseOfObject({ shown, verdict, place }: DryRunObject): TestCase {
  const { namespace, name } = shown.metadata;
  const findings = (verdict?.findings ?? []).map(({ part, type, status, reason, message }) => {
    return `${part === undefined ? "" : `${part}: `}${type}=${status} ${reason}: ${message}`;
  });
  return {
    classname: shown.kind,
    name: namespace === undefined ? name : `${namespace}/${name}`,
    ...(place ? { file: place.origin, line: place.line } : {}),
    ...(findings.length > 0
      ? { failure: { type: verdict?.result ?? "refused", message: findings.join("\n") } }
      : {}),
  };
}

function renderCase({ classname, name, file, line, failure }: TestCase): string {
  const attributes = [
    `classname="${escape(classname)}"`,
    `name="${escape(name)}"`,
    ...(file === undefined ? [] : [`file="${escape(file)}"`]),
    ...(line === undefined ? [] : [`line="${line}"`]),
  ].join(" ");
  if (!failure) return `    <testcase ${attributes}/>`;
  const message = escape(failure.message);
  return `    <testcase ${attributes}><failure type="${failure.type}" message="${message}">${message}</failure></testcase>`;
}

// Characters that XML 1.0 cannot hold in any form.
// oxlint-disable-next-line no-control-regex
const unspeakable = /[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

function escape(text: string): string {
  return text.replace(unspeakable, "\ufffd").replace(/[&<>"\n]/g, (character) => entities[character] ?? "");
}
