import fc from "fast-check";
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documents, httpRoute } from "../../../test/sources/manifests.ts";
import { RecordingSink } from "../../../test/sources/recording-sink.ts";
import { fileSource } from "./file-source.ts";

/** What a document says: a sound object, one with a mistake, something foreign, or nothing that can be read. */
type Draft =
  | { readonly says: "good" | "wrong"; readonly name: string; readonly version: number }
  | { readonly says: "foreign" | "comment" | "unreadable" | "list"; readonly version: number };

type Edit =
  | { readonly does: "insert"; readonly at: number; readonly draft: Draft }
  | { readonly does: "remove"; readonly at: number }
  | { readonly does: "change"; readonly at: number; readonly draft: Draft }
  | { readonly does: "move"; readonly at: number; readonly to: number };

const version = fc.nat(3);
const name = fc.constantFrom("a", "b", "c", "d", "e");
const sound: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ says: fc.constant("good" as const), name, version }) },
  fc.record({ says: fc.constantFrom("foreign" as const, "comment" as const, "list" as const), version }),
);
const any: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 4, arbitrary: sound },
  fc.record({ says: fc.constant("wrong" as const), name, version }),
  fc.record({ says: fc.constant("unreadable" as const), version }),
);
const place = fc.nat(20);
const edits = (draft: fc.Arbitrary<Draft>): fc.Arbitrary<Edit> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ does: fc.constant("insert" as const), at: place, draft }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("change" as const), at: place, draft }) },
    fc.record({ does: fc.constant("remove" as const), at: place }),
    fc.record({ does: fc.constant("move" as const), at: place, to: place }),
  );
/** Each step edits some of two files, or removes one. */
const steps = (draft: fc.Arbitrary<Draft>) =>
  fc.array(
    fc.record({
      file: fc.nat(1),
      edits: fc.array(edits(draft), { maxLength: 3 }),
      isRemoved: fc.nat(9).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 12 },
  );

function render(draft: Draft): string {
  switch (draft.says) {
    case "good":
      return httpRoute(draft.name, `/${draft.version}`);
    case "wrong":
      return httpRoute(draft.name, `/${draft.version}`).replace("port: 8080", "port: web");
    case "foreign":
      return `apiVersion: example.com/v${draft.version}\nkind: Thing\nmetadata: {name: x}\n`;
    case "comment":
      return `# ${draft.version}\n`;
    case "list":
      return `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Namespace\n  metadata: {name: l${draft.version}}\n`;
    case "unreadable":
      return `a: [${draft.version}\n`;
  }
}

function perform(drafts: readonly Draft[], edit: Edit): Draft[] {
  const at = drafts.length === 0 ? 0 : edit.at % drafts.length;
  const current = drafts[at];
  if (edit.does === "insert") return drafts.toSpliced(at, 0, edit.draft);
  if (current === undefined) return [...drafts];
  if (edit.does === "remove") return drafts.toSpliced(at, 1);
  if (edit.does === "change") return drafts.toSpliced(at, 1, edit.draft);
  return drafts.toSpliced(at, 1).toSpliced(edit.to % drafts.length, 0, current);
}

/** Carries the steps out on real files. `check` runs after each of them. */
async function carryOut(
  all: readonly { readonly file: number; readonly edits: readonly Edit[]; readonly isRemoved: boolean }[],
  check: (state: {
    files: readonly (readonly Draft[])[];
    sink: RecordingSink;
    folder: string;
  }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-edits-"));
  const source = fileSource({ paths: [folder], watch: false });
  const sink = new RecordingSink();
  const files: Draft[][] = [[], []];
  try {
    await source.start(sink);
    for (const step of all) {
      const path = join(folder, `${step.file}.yaml`);
      const drafts = step.isRemoved ? [] : step.edits.reduce(perform, files[step.file] ?? []);
      files[step.file] = drafts;
      if (step.isRemoved) rmSync(path, { force: true });
      else writeFileSync(path, documents(...drafts.map(render)));
      await source.look();
      await check({ files, sink, folder });
    }
  } finally {
    await source.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readFresh(folder: string): Promise<RecordingSink> {
  const source = fileSource({ paths: [folder], watch: false });
  const sink = new RecordingSink();
  await source.start(sink);
  await source.stop();
  return sink;
}

function contents(sink: RecordingSink): Map<string, unknown> {
  const withoutGeneration = [...sink.objects].map(([key, object]) => {
    const { generation: _generation, ...metadata } = object.metadata;
    return [key, { ...object, metadata }] as const;
  });
  return new Map(withoutGeneration.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("any sequence of edits", () => {
  it("of sound documents ends as a fresh read of the same files", async () => {
    await fc.assert(
      fc.asyncProperty(steps(sound), (all) =>
        carryOut(all, async ({ sink, folder }) => {
          const fresh = await readFresh(folder);
          expect(contents(sink)).toEqual(contents(fresh));
          expect(sink.lines).toEqual(fresh.lines);
          for (const batch of sink.batches.slice(1)) expect(batch.length).toBeGreaterThan(0);
        }),
      ),
      { numRuns: 80 },
    );
  }, 60_000);

  it("loses no object to documents that are wrong or unreadable", async () => {
    await fc.assert(
      fc.asyncProperty(steps(any), async (all) => {
        let before: ReadonlySet<string> = new Set<string>();
        await carryOut(all, async ({ files, sink, folder }) => {
          const fresh = await readFresh(folder);
          const now = new Set(sink.objects.keys());
          // What can be read is there.
          for (const key of fresh.objects.keys()) expect(now).toContain(key);
          // What else is there was there before, and some file may still mean it.
          const flawed = files.flat().filter(({ says }) => says === "unreadable" || says === "wrong");
          const named = new Set(
            flawed.map((draft) => ("name" in draft ? `HTTPRoute/default/${draft.name}` : "?")),
          );
          for (const key of now) {
            if (fresh.objects.has(key)) continue;
            expect(before).toContain(key);
            expect(named.has(key) || named.has("?")).toBe(true);
          }
          // With nothing wrong, the past does not count.
          expect(contents(sink)).toEqual(flawed.length === 0 ? contents(fresh) : contents(sink));
          before = now;
        });
      }),
      { numRuns: 80 },
    );
  }, 60_000);

  it("keeps everything that a file gave as long as it is unreadable", async () => {
    await fc.assert(
      fc.asyncProperty(steps(sound), fc.array(edits(any), { maxLength: 5 }), async (all, more) => {
        const last = {
          file: 0,
          edits: [...more, { does: "insert", at: 0, draft: { says: "unreadable", version: 0 } } as const],
          isRemoved: false,
        };
        let before: ReadonlySet<string> = new Set<string>();
        let count = 0;
        await carryOut([...all, last], async ({ sink }) => {
          const mustStay = ++count > all.length ? [...before] : [];
          expect(sink.keys).toEqual(expect.arrayContaining(mustStay));
          before = new Set(sink.objects.keys());
        });
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it("of a file that vanishes in the middle is no error", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gatewright-edits-"));
    const source = fileSource({ paths: [folder] });
    const sink = new RecordingSink();
    await source.start(sink);
    for (let i = 0; i < 100; i++) {
      writeFileSync(join(folder, "x.yaml"), httpRoute("x", `/${i}`));
      const look = source.look();
      if (i % 2 === 0) await Promise.resolve();
      unlinkSync(join(folder, "x.yaml"));
      await look;
    }
    await source.look();
    expect(sink.keys).toEqual([]);
    expect(sink.reports).toEqual([]);
    await source.stop();
    rmSync(folder, { recursive: true });
  });
});
