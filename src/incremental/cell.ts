/** One key of one collection. It exists while there is a value or somebody has read the key (even in vain). */
export class Cell<T> {
  readonly home: Home;
  readonly key: string;
  /** `undefined` stands for "not there". */
  value: T | undefined = undefined;
  /** While touched: the value when the graph was last settled. */
  before: T | undefined = undefined;
  /** Written in the batch under way. */
  touched = false;
  /** Its number in `Edges`; 0 while it has no readers. */
  id = 0;

  constructor(home: Home, key: string) {
    this.home = home;
    this.key = key;
  }
}

/** The collection a cell lives in, as far as cells and edges need to know it. */
export interface Home {
  readonly name: string;
  /** The last reader of the cell has gone. */
  abandoned(cell: Cell<unknown>): void;
}
