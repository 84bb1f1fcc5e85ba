/**
 * Whether a value is an object as JSON and YAML have them. Instances of classes are not, and neither is an object with
 * a prototype of someone's choosing, so that reading a field by its name reads what the object itself has.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
