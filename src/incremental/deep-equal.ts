// Structural equality of plain data: primitives, arrays, plain objects, Uint8Array. Symmetric.
//
// The engine keeps the old value when the new one is equal, so equal must mean: no reader can tell the difference.
// Hence a key with the value undefined is not the same as an absent key, and 0 is not -0; NaN is NaN.
// The exception is the order of an object's keys, which carries no meaning: who renders objects sorts their keys.
// Anything else (dates, maps, class instances, functions) is equal to itself only: comparing what cannot be seen
// through would call different things equal.

export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  return isPlain(a) && isPlain(b) && equalObjects(a, b);
}

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false;
  return true;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function equalObjects(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  // Same number of own keys, and each of a's is b's own: so they have the same keys.
  for (const key of keys) if (!Object.hasOwn(b, key) || !deepEqual(a[key], b[key])) return false;
  return true;
}
