import { httpHeaderName, httpHeaderValue } from "./api-scalars.ts";
import { array } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const pathCharacters = "^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|[%][0-9a-fA-F]{2})+$";
const pathExpression = new RegExp(pathCharacters);

type PathMatch = { readonly type: string; readonly value: string };

/** A rule about the text of a path, which a regular expression is not. */
function plainPath(holds: (value: string) => boolean) {
  return ({ type, value }: PathMatch) => type === "RegularExpression" || holds(value) || ["value"];
}
const without = (part: string) => plainPath((value) => !value.includes(part));
const notEndingWith = (part: string) => plainPath((value) => !value.endsWith(part));

const httpPathMatch = object({
  type: defaulted(oneOf(["Exact", "PathPrefix", "RegularExpression"]), "PathPrefix"),
  value: defaulted(string({ maxLength: 1024 }), "/"),
})
  .rule(
    "value must be an absolute path and start with '/' when type one of ['Exact', 'PathPrefix']",
    plainPath((value) => value.startsWith("/")),
  )
  .rule("must not contain '//' when type one of ['Exact', 'PathPrefix']", without("//"))
  .rule("must not contain '/./' when type one of ['Exact', 'PathPrefix']", without("/./"))
  .rule("must not contain '/../' when type one of ['Exact', 'PathPrefix']", without("/../"))
  .rule("must not contain '%2f' when type one of ['Exact', 'PathPrefix']", without("%2f"))
  .rule("must not contain '%2F' when type one of ['Exact', 'PathPrefix']", without("%2F"))
  .rule("must not contain '#' when type one of ['Exact', 'PathPrefix']", without("#"))
  .rule("must not end with '/..' when type one of ['Exact', 'PathPrefix']", notEndingWith("/.."))
  .rule("must not end with '/.' when type one of ['Exact', 'PathPrefix']", notEndingWith("/."))
  // The enum says the same; the rule is here because the API has it.
  .rule("type must be one of ['Exact', 'PathPrefix', 'RegularExpression']", () => true)
  .rule(
    `must only contain valid characters (matching ${pathCharacters}) for types ['Exact', 'PathPrefix']`,
    plainPath((value) => pathExpression.test(value)),
  );
export type HTTPPathMatch = Infer<typeof httpPathMatch>;

const matchType = oneOf(["Exact", "RegularExpression"]);

const httpHeaderMatch = object({
  type: defaulted(matchType, "Exact"),
  name: required(httpHeaderName),
  value: required(httpHeaderValue),
});
export type HTTPHeaderMatch = Infer<typeof httpHeaderMatch>;

const httpQueryParamMatch = object({
  type: defaulted(matchType, "Exact"),
  name: required(httpHeaderName),
  value: required(string({ minLength: 1, maxLength: 1024 })),
});
export type HTTPQueryParamMatch = Infer<typeof httpQueryParamMatch>;

export const httpMethods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "CONNECT",
  "OPTIONS",
  "TRACE",
  "PATCH",
] as const;
export type HTTPMethod = (typeof httpMethods)[number];

export const httpRouteMatch = object({
  path: defaulted(httpPathMatch, { type: "PathPrefix", value: "/" }),
  headers: optional(array(httpHeaderMatch, { maxItems: 16, mapKeys: ["name"] })),
  queryParams: optional(array(httpQueryParamMatch, { maxItems: 16, mapKeys: ["name"] })),
  method: optional(oneOf(httpMethods)),
});
export type HTTPRouteMatch = Infer<typeof httpRouteMatch>;
