import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documents, httpRoute } from "../../../test/sources/manifests.ts";
import { readDocument } from "./document-content.ts";
import { AsciiText } from "./file-text.ts";
import { Pace } from "./pace.ts";
import { SourceFile } from "./source-file.ts";
import { splitDocuments } from "./split-documents.ts";

/** A file of so many routes, and a count of the documents that are read. */
async function largeFile(count: number) {
  const file = new SourceFile("x.yaml", 0);
  const texts = Array.from({ length: count }, (_, i) => httpRoute(`r${i}`));
  const read: string[] = [];
  const take = async (parts: readonly string[]) => {
    read.length = 0;
    const reader = (text: string) => {
      read.push(/name: (\w+)/.exec(text)?.[1] ?? "?");
      return readDocument(text, "default");
    };
    const text = documents(...parts);
    await file.read(text, { readDocument: reader, mostDocuments: count + 10, pace: new Pace() });
    return [...read];
  };
  await take(texts);
  return { file, texts, take };
}

describe("a file of many documents", () => {
  it("is read again only where it changed", async () => {
    const { file, texts, take } = await largeFile(1_000);
    const entries = new Map([...file.objects].map(([key, { entry }]) => [key, entry]));
    expect(await take(texts.with(500, httpRoute("r500", "/new")))).toEqual(["r500"]);
    expect(await take(texts.toSpliced(10, 0, httpRoute("extra")))).toEqual(["extra", "r500"]);
    expect(await take(texts.toSpliced(700, 1))).toEqual([]);
    expect(await take(texts.toReversed())).toEqual(["r700"]);
    expect(await take(texts)).toEqual([]);
    const changed = [...file.objects]
      .filter(([key, { entry }]) => entries.get(key) !== entry)
      .map(([key]) => key);
    expect(changed).toEqual(["HTTPRoute/default/r500", "HTTPRoute/default/r700"]);
  });

  it("knows where its documents are after they moved", async () => {
    const { file, texts, take } = await largeFile(20);
    const parts = ["# one line more\nkind: x\n", ...texts];
    const text = documents(...parts);
    await take(parts);
    expect(file.documents.map((document) => file.textOf(document))).toEqual(
      splitDocuments(text, 100)?.map(({ start, end }) => text.slice(start, end)),
    );
    expect(file.lines.positionAt(file.documents[1]?.start ?? 0)).toEqual({ line: 4, column: 1 });
  });

  it("reads equal documents once for each place", async () => {
    const { file, take } = await largeFile(1);
    const text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n";
    await take([text, text, text]);
    expect(file.documents).toHaveLength(3);
    expect(new Set(file.documents).size).toBe(3);
    expect(file.repeated).toHaveLength(2);
    await take([text, "# gone\n", text]);
    expect(file.repeated).toHaveLength(1);
  });

  const namespaces = [1, 2, 3].map((n) => `---\napiVersion: v1\nkind: Namespace\nmetadata: {name: n${n}}\n`);
  const marks = ["---\n", "---", "--- # x\n", "...\n", "%YAML 1.2\n", "# x\n", "\n", "-", "--\n"];
  const fragment = fc.constantFrom(...namespaces, ...marks, "a: 1\n", "b: 2\n");
  const texts = fc.array(fc.array(fragment, { maxLength: 12 }), { minLength: 2, maxLength: 6 });
  const kinds = fc.constantFrom(
    (text: string) => text,
    (text: string) => new AsciiText(Buffer.from(text)),
  );

  it("is cut at the same places as if it were read for the first time", async () => {
    await fc.assert(
      fc.asyncProperty(texts, kinds, async (versions, kind) => {
        const file = new SourceFile("x.yaml", 0);
        for (const version of versions) {
          const text = version.join("");
          const reader = (part: string) => readDocument(part, "default");
          await file.read(kind(text), { readDocument: reader, mostDocuments: 100, pace: new Pace() });
          expect(file.documents.map(({ start, end }) => ({ start, end }))).toEqual(splitDocuments(text, 100));
        }
      }),
    );
  });
});
