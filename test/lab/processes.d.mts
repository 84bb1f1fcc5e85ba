// The part of processes.mjs that tests use through lab.ts.
export function until<Result>(
  what: string,
  check: () => Result | Promise<Result>,
  options?: { readonly seconds?: number; readonly every?: number },
): Promise<NonNullable<Result>>;
