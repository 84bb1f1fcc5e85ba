/** The design's example (5.11 to 5.15), as it stands in test/golden/gateway/ingate-example, with its endpoints moved to this machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, loadAll } from "js-yaml";

const input = join(import.meta.dirname, "../golden/gateway/ingate-example/input.yaml");

/** Services of the example, and the echo backends that stand for them. */
const standIns: ReadonlyMap<string, string> = new Map([
  ["foo-svc", "one"],
  ["bar-svc-canary", "two"],
  ["bar-svc", "three"],
]);

export function exampleObjects(ports: ReadonlyMap<string, number>): object[] {
  const documents = loadAll(readFileSync(input, "utf8"), undefined, { schema: CORE_SCHEMA }) as object[];
  return documents.map((document) => movedHere(document, ports));
}

function movedHere(document: object, ports: ReadonlyMap<string, number>): object {
  const { kind, metadata } = document as {
    readonly kind: string;
    readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  };
  if (kind !== "EndpointSlice") return document;
  const standIn = standIns.get(metadata.labels!["kubernetes.io/service-name"]!)!;
  return { ...document, ports: [{ port: ports.get(standIn)! }], endpoints: [{ addresses: ["127.0.0.1"] }] };
}
