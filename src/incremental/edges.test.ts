import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Cell, type Home } from "./cell.ts";
import { Edges, type Reader } from "./edges.ts";

class NamedReader implements Reader {
  id = 0;
  reads = 0;
  marks = 0;

  mark(): void {
    this.marks++;
  }
}

const CELLS = 6;
const READERS = 5;

describe("Edges", () => {
  it("keep exactly what each reader read last, in any order of runs and reads", () => {
    const run = fc.record({
      reader: fc.nat(READERS - 1),
      reads: fc.option(fc.array(fc.nat(CELLS - 1), { maxLength: 10 })),
    });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 60 }), (runs) => {
        const edges = new Edges();
        const abandoned = new Set<Cell<unknown>>();
        const home: Home = { name: "home", abandoned: (cell) => void abandoned.add(cell) };
        const cells = Array.from({ length: CELLS }, (_, i) => new Cell(home, String(i)));
        const readers = Array.from({ length: READERS }, () => new NamedReader());
        const expected = readers.map(() => new Set<number>());

        for (const { reader, reads } of runs) {
          abandoned.clear();
          const had = cells.filter((cell) => cell.id !== 0);
          if (reads === null) {
            edges.drop(readers[reader]!);
            expected[reader] = new Set();
          } else {
            edges.begin(readers[reader]!);
            for (const cell of reads) edges.record(cells[cell]!);
            edges.end();
            expected[reader] = new Set(reads);
          }
          expect(edges.current).toBeUndefined();
          expect(edges.size).toBe(expected.reduce((sum, { size }) => sum + size, 0));
          cells.forEach((cell, i) => {
            for (const one of readers) one.marks = 0;
            edges.mark(cell);
            expect(readers.map(({ marks }) => marks)).toEqual(expected.map((read) => Number(read.has(i))));
          });
          expect([...abandoned]).toEqual(expect.arrayContaining(had.filter((cell) => cell.id === 0)));
          expect([...abandoned].every((cell) => cell.id === 0)).toBe(true);
        }
      }),
    );
  });

  it("expect a computation to read what it read before", () => {
    const edges = new Edges();
    const home: Home = { name: "home", abandoned: () => undefined };
    const [first, second] = [new Cell(home, "first"), new Cell(home, "second")];
    const reader = new NamedReader();
    for (const expected of [
      [undefined, undefined],
      [first, second],
    ]) {
      edges.begin(reader);
      expect(edges.expected).toBe(expected[0]);
      edges.record(first);
      expect(edges.expected).toBe(expected[1]);
      edges.record(second);
      expect(edges.expected).toBeUndefined();
      edges.end();
    }
  });

  it("let one of many readers of a cell go without touching the others", () => {
    const edges = new Edges();
    const cell = new Cell({ name: "home", abandoned: () => undefined }, "hot");
    const readers = Array.from({ length: 10_000 }, () => new NamedReader());
    for (const reader of readers) {
      edges.begin(reader);
      edges.record(cell);
      edges.end();
    }
    for (const reader of readers.slice(1)) edges.drop(reader);
    edges.mark(cell);
    expect(readers.filter(({ marks }) => marks === 1)).toEqual([readers[0]]);
    expect(edges.size).toBe(1);
  });
});
