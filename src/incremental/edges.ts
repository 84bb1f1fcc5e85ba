// Who has read what: the edges between cells and the computations that read them.
//
// Each edge is in two lists: the reads of its reader (in reading order, singly linked) and the readers of its cell
// (doubly linked, so that one reader of a hot cell leaves in constant time). Edges are numbers and their fields live in
// typed arrays: 20 bytes per edge, and nothing for the garbage collector to walk. 0 means none.
//
// When a computation runs again, its old reads are followed with a cursor. A computation that reads the same cells in
// the same order, which is the usual case, changes no edge at all; what was not read again is cut at the end.

import type { Cell } from "./cell.ts";

export interface Reader {
  /** Its number here; 0 while it has no reads. Written by `Edges` only. */
  id: number;
  /** Its first edge. Written by `Edges` only. */
  reads: number;
  /** One of the cells it read has changed. */
  mark(cause: Cell<unknown>): void;
}

export class Edges {
  // By edge.
  #cellOf = new Int32Array(256);
  #readerOf = new Int32Array(256);
  #nextRead = new Int32Array(256);
  #nextReader = new Int32Array(256);
  #previousReader = new Int32Array(256);
  #edges = 1;
  #freeEdge = 0; // chained by #nextRead

  // By cell.
  #cells: (Cell<unknown> | undefined)[] = [undefined];
  #firstReader = new Int32Array(256);
  #seenInRun = new Int32Array(256);
  #freeCells: number[] = [];

  #readers: (Reader | undefined)[] = [undefined];
  #freeReaders: number[] = [];

  // The run under way.
  #run = 0;
  #current: Reader | undefined;
  #kept = 0; // last edge known to be right
  #cursor = 0; // first old edge not yet read again

  /** The computation that is running. */
  get current(): Reader | undefined {
    return this.#current;
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

    if (this.#cursor !== 0 && this.#cellOf[this.#cursor] === cell.id) {
      this.#kept = this.#cursor;
      this.#cursor = this.#nextRead[this.#cursor]!;
      return;
    }
    if (reader.id === 0) this.#enterReader(reader);
    const edge = this.#newEdge();
    this.#cellOf[edge] = cell.id;
    this.#readerOf[edge] = reader.id;
    this.#nextRead[edge] = this.#cursor;
    if (this.#kept === 0) reader.reads = edge;
    else this.#nextRead[this.#kept] = edge;
    this.#kept = edge;

    const first = this.#firstReader[cell.id]!;
    this.#previousReader[edge] = 0;
    this.#nextReader[edge] = first;
    if (first !== 0) this.#previousReader[first] = edge;
    this.#firstReader[cell.id] = edge;
  }

  end(): void {
    const reader = this.#current!;
    this.#current = undefined;
    const stale = this.#cursor;
    if (stale === 0) return;
    if (this.#kept === 0) reader.reads = 0;
    else this.#nextRead[this.#kept] = 0;
    this.#cut(stale);
    if (reader.reads === 0) this.#leaveReader(reader);
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
    for (let edge = this.#firstReader[cell.id]!; edge !== 0; edge = this.#nextReader[edge]!) {
      this.#readers[this.#readerOf[edge]!]!.mark(cause);
    }
  }

  #cut(from: number): void {
    for (let edge = from; edge !== 0;) {
      const following = this.#nextRead[edge]!;
      const id = this.#cellOf[edge]!;
      const previous = this.#previousReader[edge]!;
      const next = this.#nextReader[edge]!;
      if (next !== 0) this.#previousReader[next] = previous;
      if (previous !== 0) this.#nextReader[previous] = next;
      else {
        this.#firstReader[id] = next;
        if (next === 0) this.#leaveCell(id);
      }
      this.#nextRead[edge] = this.#freeEdge;
      this.#freeEdge = edge;
      edge = following;
    }
  }

  #newEdge(): number {
    const free = this.#freeEdge;
    if (free !== 0) {
      this.#freeEdge = this.#nextRead[free]!;
      return free;
    }
    if (this.#edges === this.#cellOf.length) {
      this.#cellOf = grown(this.#cellOf);
      this.#readerOf = grown(this.#readerOf);
      this.#nextRead = grown(this.#nextRead);
      this.#nextReader = grown(this.#nextReader);
      this.#previousReader = grown(this.#previousReader);
    }
    return this.#edges++;
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
