/** What happened to one key in one batch; `undefined` stands for "not there". */
export interface Change<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Values under string keys, kept up to date by the graph. Whatever is listed is listed in code-unit order of the keys. */
export interface Collection<T> {
  readonly name: string;
  readonly size: number;
  get(key: string): T | undefined;
  has(key: string): boolean;
  keys(): Iterable<string>;
  entries(): Iterable<readonly [string, T]>;
  /** Calls back once per batch that changed something here, after the whole graph has settled. Returns the way out. */
  subscribe(listener: Listener<T>): () => void;
}

export type Listener<T> = (changes: ReadonlyMap<string, Change<T>>) => void;

/** Group key → the members' values, ordered by member key. A group without members does not exist. */
export type Index<T> = Collection<readonly T[]>;

/** A collection that is filled from outside. `set(key, undefined)` is `delete(key)`. */
export interface Input<T> extends Collection<T> {
  set(key: string, value: T): void;
  delete(key: string): void;
}

/** The only way for a computation to look at collections: what it reads here is what makes it run again. */
export interface Read {
  one<T>(collection: Collection<T>, key: string): T | undefined;
  all<T>(index: Index<T>, key: string): readonly T[];
  /** Depends on the whole collection; in code-unit order of the keys. */
  every<T>(collection: Collection<T>): Iterable<readonly [string, T]>;
}

export type Equals<T> = (a: T, b: T) => boolean;

export interface NodeOptions<T> {
  /** When two values count as the same, so that nothing downstream runs. Must be symmetric. Default: `deepEqual`. */
  readonly equals?: Equals<T>;
}

/** What user code threw: in a computation (`key` is the source key) or in a subscriber (`key` is empty). */
export interface Fault {
  readonly node: string;
  readonly key: string;
  readonly error: unknown;
}
