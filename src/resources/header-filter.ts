/** Filters that HTTPRoute and GRPCRoute share. */
import { httpHeaderName, httpHeaderValue } from "./api-scalars.ts";
import { backendObjectReference } from "./object-reference.ts";
import { array } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { integer, string } from "./schema-scalars.ts";
import type { Infer, RuleVerdict, Schema } from "./schema.ts";

const httpHeader = object({ name: required(httpHeaderName), value: required(httpHeaderValue) });
export type HTTPHeader = Infer<typeof httpHeader>;

export const httpHeaderFilter = object({
  set: optional(array(httpHeader, { maxItems: 16, mapKeys: ["name"] })),
  add: optional(array(httpHeader, { maxItems: 16, mapKeys: ["name"] })),
  // The API puts no pattern on these names: whoever puts one into an HTTP message asks `isFieldName` first.
  remove: optional(array(string(), { maxItems: 16, unique: true })),
});
export type HTTPHeaderFilter = Infer<typeof httpHeaderFilter>;

const fraction = object({
  numerator: required(integer({ minimum: 0, format: "int32" })),
  denominator: defaulted(integer({ minimum: 1, format: "int32" }), 100),
}).rule(
  "numerator must be less than or equal to denominator",
  ({ numerator, denominator }) => numerator <= denominator,
);
export type Fraction = Infer<typeof fraction>;

export const httpRequestMirrorFilter = object({
  backendRef: required(backendObjectReference),
  percent: optional(integer({ minimum: 0, maximum: 100, format: "int32" })),
  fraction: optional(fraction),
}).rule(
  "Only one of percent or fraction may be specified in HTTPRequestMirrorFilter",
  ({ percent, fraction }) => percent === undefined || fraction === undefined,
);
export type HTTPRequestMirrorFilter = Infer<typeof httpRequestMirrorFilter>;

interface TypedFilter {
  readonly type: string;
}

/** A filter's `type` names the one member that is set: two rules for each type, as the API has them. */
export function membersByType<T extends TypedFilter>(
  schema: Schema<T>,
  members: Partial<Readonly<Record<T["type"], keyof T & string>>>,
  facts: { readonly experimental?: boolean } = {},
): Schema<T> {
  let filter = schema;
  for (const [type, member] of Object.entries(members) as [string, keyof T & string][]) {
    filter = filter
      .rule(
        `filter.${member} must be nil if the filter.type is not ${type}`,
        (value) => value[member] === undefined || value.type === type || [member],
        facts,
      )
      .rule(
        `filter.${member} must be specified for ${type} filter.type`,
        (value) => value[member] !== undefined || value.type !== type || [member],
        facts,
      );
  }
  return filter;
}

/** Whether a type of filter is used at most once; the second use is the culprit. */
export function usedOnce(type: string): (filters: readonly TypedFilter[]) => RuleVerdict {
  return (filters) => {
    const first = filters.findIndex((filter) => filter.type === type);
    const second = first < 0 ? -1 : filters.findIndex((filter, i) => i > first && filter.type === type);
    return second < 0 ? true : [second];
  };
}
