import { isPlainObject } from "./plain-object.ts";

const longestShown = 80;

interface ShownValues {
  readonly hidesValues?: boolean;
}

/** Names an offending value in a message, briefly whatever its size. With `hidesValues` only its type is told. */
export function describeValue(value: unknown, { hidesValues = false }: ShownValues = {}): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  if (hidesValues && typeof value !== "object") return `a ${typeof value}`;
  switch (typeof value) {
    case "string": {
      const shown = value.length > longestShown ? `${value.slice(0, longestShown)}…` : value;
      return JSON.stringify(shown);
    }
    case "number":
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      if (isPlainObject(value)) return "an object";
      return value instanceof Date ? "a timestamp" : "an instance of a class";
    default:
      return `a ${typeof value}`;
  }
}
