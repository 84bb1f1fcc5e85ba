import { isPlainObject } from "./plain-object.ts";

const longestShown = 80;

/** Names an offending value in a message, briefly whatever its size. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
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
