/** SARIF 2.1.0, which code hosts show beside the lines that it names. */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { DryRun, DryRunNote, DryRunObject, ObjectPlace, SourceProblem } from "../../controller/index.ts";

interface Result {
  readonly ruleId: string;
  readonly level: "error" | "warning" | "note";
  readonly message: { readonly text: string };
  readonly locations?: readonly unknown[];
}

const ruleTexts: Readonly<Record<string, string>> = {
  "invalid-object": "An object or file that is not valid, so that it is not read",
  "suspicious-object": "An object or file that is passed over",
  certificate: "A certificate that clients do not take, or soon will not",
  "unreachable-rule": "A match of a route that never gets a request, because another one asks for the same",
  "no-endpoints": "A Service without endpoints, or an EndpointSlice without a Service",
};

export function renderSarif({ objects, problems, notes }: DryRun, version: string): string {
  const results = [
    ...problems.map(resultOfProblem),
    ...objects.flatMap(resultsOfObject),
    ...notes.map(resultOfNote),
  ];
  const ruleIds = [...new Set(results.map(({ ruleId }) => ruleId))].toSorted();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "gatewright",
            version,
            rules: ruleIds.map((id) => ({
              id,
              shortDescription: { text: ruleTexts[id] ?? describeReason(id) },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: results.map((result) => ({ ...result, ruleIndex: ruleIds.indexOf(result.ruleId) })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function describeReason(id: string): string {
  return `The Gateway API's reason ${id}`;
}

function resultOfProblem(problem: SourceProblem): Result {
  const { severity, object, field, message } = problem;
  const subject = [object, field].filter((part) => part !== undefined).map((part) => `${part}: `);
  return {
    ruleId: severity === "error" ? "invalid-object" : "suspicious-object",
    level: severity,
    message: { text: `${subject.join("")}${message}` },
    locations: [locate(problem)],
  };
}

function resultsOfObject({ shown, verdict, findingPlaces }: DryRunObject): Result[] {
  const { namespace, name } = shown.metadata;
  const subject = `${shown.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  return (verdict?.findings ?? []).map(({ part, type, reason, message }, index) => {
    const place = findingPlaces[index];
    return {
      ruleId: reason,
      // As in the table: what is refused is worse than what is accepted in part.
      level: verdict?.result === "refused" && type !== "PartiallyInvalid" ? "error" : "warning",
      message: { text: `${subject}: ${part === undefined ? "" : `${part}: `}${message}` },
      ...(place ? { locations: [locate(place)] } : {}),
    };
  });
}

function resultOfNote({ rule, message, place }: DryRunNote): Result {
  return {
    ruleId: rule,
    level: "note",
    message: { text: message },
    ...(place ? { locations: [locate(place)] } : {}),
  };
}

function locate({ origin, line, column }: Pick<SourceProblem, "origin" | "line" | "column"> | ObjectPlace) {
  const region =
    line === undefined ? {} : { startLine: line, ...(column === undefined ? {} : { startColumn: column }) };
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(origin) },
      ...(line === undefined ? {} : { region }),
    },
  };
}

function uriOf(origin: string): string {
  if (origin === "-") return "stdin";
  if (isAbsolute(origin)) return pathToFileURL(origin).href;
  return origin.split(/[/\\]/).map(encodeURIComponent).join("/");
}
