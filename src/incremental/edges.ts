// Who has read what: the edges between cells and the computations that read them.
//
// Each edge is in two lists: the reads of its reader (in reading order, singly linked) and the readers of its cell
// (doubly linked, so that one reader of a hot cell leaves in constant time). An edge is a number, the position of its five
// fields in one typed array: 20 bytes per edge, and nothing for the garbage collector to walk. 0 means none.
//
// When a computation runs again, its old reads are followed with a cursor. A computation that reads the same cells in
// the same order, which is the usual case, changes no edge at all, and need not even look its cells up by key; what was not
// read again is cut at the end.

import type { Cell } from "./cell.ts";

export interface Reader {
  /** Its number here; 0 while it has no reads. Written by `Edges` only. */
  id: number;
  /** Its first edge. Written by `Edges` only. */
  reads: number;
  /** One of the cells it read has changed. */
  mark(cause: Cell<unknown>): void;
}

const CELL = 0;
const READER = 1;
const NEXT_READ = 2;
const NEXT_READER = 3;
const PREVIOUS_READER = 4;
const FIELDS = 5;

export class Edges {
  #edges = new Int32Array(FIELDS * 64);
  #end = FIELDS; // 0 stands for "none"
  #free = 0; // chained by NEXT_READ

  // By number of the cell.
  #cells: (Cell<unknown> | undefined)[] = [undefined];
  #firstReader = new Int32Array(64);
  #seenInRun = new Int32Array(64);
  #freeCells: number[] = [];

  #readers: (Reader | undefined)[] = [undefined];
  #freeReaders: number[] = [];

  // The run under way.
  #run = 0;
  #current: Reader | undefined;
  #kept = 0; // last edge known to be right
  #cursor = 0; // first old edge not yet read again

  /** How many edges there are. */
  size = 0;

  /** The computation that is running. */
  get current(): Reader | undefined {
    return this.#current;
  }

  /** The cell that the running computation read next when it ran before. */
  get expected(): Cell<unknown> | undefined {
    return this.#cells[this.#edges[this.#cursor + CELL]!];
  }

  begin(reader: Reader): void {
    if (this.#run === 0x7fffffff) {
      this.#seenInRun.fill(0);
      this.#run = 0;
    }
    this.#run++;
    this.#current = reader;
    this.#kept = 0;
    this.#cursor = reader.reads;
  }

  /** The running computation reads this cell. */
  record(cell: Cell<unknown>): void {
    const reader = this.#current!;
    if (cell.id === 0) this.#enterCell(cell);
    else if (this.#seenInRun[cell.id] === this.#run) return;
    this.#seenInRun[cell.id] = this.#run;

    const cursor = this.#cursor;
    if (cursor !== 0 && this.#edges[cursor + CELL] === cell.id) {
      this.#kept = cursor;
      this.#cursor = this.#edges[cursor + NEXT_READ]!;
      return;
    }
    if (reader.id === 0) this.#enterReader(reader);
    const edge = this.#newEdge();
    this.size++;
    const edges = this.#edges;
    if (this.#kept === 0) reader.reads = edge;
    else edges[this.#kept + NEXT_READ] = edge;
    this.#kept = edge;

    const first = this.#firstReader[cell.id]!;
    this.#firstReader[cell.id] = edge;
    if (first !== 0) edges[first + PREVIOUS_READER] = edge;
    edges[edge + CELL] = cell.id;
    edges[edge + READER] = reader.id;
    edges[edge + NEXT_READ] = cursor;
    edges[edge + NEXT_READER] = first;
    edges[edge + PREVIOUS_READER] = 0;
  }

  end(): void {
    const reader = this.#current!;
    const stale = this.#cursor;
    this.#current = undefined;
    this.#cursor = 0;
    if (stale === 0) return;
    if (this.#kept === 0) reader.reads = 0;
    else this.#edges[this.#kept + NEXT_READ] = 0;
    this.#cut(stale);
    if (reader.reads === 0) this.#leaveReader(reader);
  }

  hasOneRead({ reads }: Reader): boolean {
    return reads !== 0 && this.#edges[reads + NEXT_READ] === 0;
  }

  /** Forgets all that the reader has read. */
  drop(reader: Reader): void {
    if (reader.id === 0) return;
    this.#cut(reader.reads);
    reader.reads = 0;
    this.#leaveReader(reader);
  }

  /** Marks all readers of a cell; the cause is the cell itself unless it stands for many. */
  mark(cell: Cell<unknown>, cause: Cell<unknown> = cell): void {
    if (cell.id === 0) return;
    const edges = this.#edges;
    for (let edge = this.#firstReader[cell.id]!; edge !== 0; edge = edges[edge + NEXT_READER]!) {
      this.#readers[edges[edge + READER]!]!.mark(cause);
    }
  }

  #cut(from: number): void {
    const edges = this.#edges;
    for (let edge = from; edge !== 0;) {
      const following = edges[edge + NEXT_READ]!;
      const previous = edges[edge + PREVIOUS_READER]!;
      const next = edges[edge + NEXT_READER]!;
      if (next !== 0) edges[next + PREVIOUS_READER] = previous;
      if (previous !== 0) edges[previous + NEXT_READER] = next;
      else {
        const id = edges[edge + CELL]!;
        this.#firstReader[id] = next;
        if (next === 0) this.#leaveCell(id);
      }
      edges[edge + NEXT_READ] = this.#free;
      this.#free = edge;
      this.size--;
      edge = following;
    }
  }

  #newEdge(): number {
    const free = this.#free;
    if (free !== 0) {
      this.#free = this.#edges[free + NEXT_READ]!;
      return free;
    }
    const edge = this.#end;
    this.#end += FIELDS;
    if (this.#end > this.#edges.length) this.#edges = grown(this.#edges);
    return edge;
  }

  #enterCell(cell: Cell<unknown>): void {
    cell.id = this.#freeCells.pop() ?? this.#cells.length;
    this.#cells[cell.id] = cell;
    if (cell.id === this.#firstReader.length) {
      this.#firstReader = grown(this.#firstReader);
      this.#seenInRun = grown(this.#seenInRun);
    }
  }

  #leaveCell(id: number): void {
    const cell = this.#cells[id]!;
    this.#cells[id] = undefined;
    this.#freeCells.push(id);
    this.#seenInRun[id] = 0;
    cell.id = 0;
    cell.home.abandoned(cell);
  }

  #enterReader(reader: Reader): void {
    reader.id = this.#freeReaders.pop() ?? this.#readers.length;
    this.#readers[reader.id] = reader;
  }

  #leaveReader(reader: Reader): void {
    this.#readers[reader.id] = undefined;
    this.#freeReaders.push(reader.id);
    reader.id = 0;
  }
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
