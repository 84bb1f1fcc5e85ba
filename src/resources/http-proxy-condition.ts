/** The conditions of HTTPProxy: what a route or an include asks of a request. */
import { object, optional, required } from "./schema-object.ts";
import { boolean, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const headerCondition = object({
  name: required(string()),
  present: optional(boolean()),
  notpresent: optional(boolean()),
  contains: optional(string()),
  notcontains: optional(string()),
  ignoreCase: optional(boolean()),
  exact: optional(string()),
  notexact: optional(string()),
  regex: optional(string()),
  treatMissingAsEmpty: optional(boolean()),
});
export type HTTPProxyHeaderCondition = Infer<typeof headerCondition>;

const queryParameterCondition = object({
  name: required(string()),
  exact: optional(string()),
  prefix: optional(string()),
  suffix: optional(string()),
  regex: optional(string()),
  contains: optional(string()),
  ignoreCase: optional(boolean()),
  present: optional(boolean()),
});
export type HTTPProxyQueryParameterCondition = Infer<typeof queryParameterCondition>;

export const httpProxyCondition = object({
  prefix: optional(string()),
  exact: optional(string()),
  regex: optional(string()),
  header: optional(headerCondition),
  queryParameter: optional(queryParameterCondition),
});
export type HTTPProxyCondition = Infer<typeof httpProxyCondition>;
