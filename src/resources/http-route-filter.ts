import { httpHeaderName, portNumber, preciseHostname } from "./api-scalars.ts";
import { httpExternalAuthFilter } from "./http-external-auth.ts";
import { httpHeaderFilter, httpRequestMirrorFilter, membersByType, usedOnce } from "./header-filter.ts";
import { httpMethods } from "./http-route-match.ts";
import { localObjectReference } from "./object-reference.ts";
import { array } from "./schema-collections.ts";
import { defaulted, experimental, object, optional, required } from "./schema-object.ts";
import { boolean, integer, oneOf, oneOfNumbers, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const httpPathModifier = object({
  type: required(oneOf(["ReplaceFullPath", "ReplacePrefixMatch"])),
  replaceFullPath: optional(string({ maxLength: 1024 })),
  replacePrefixMatch: optional(string({ maxLength: 1024 })),
})
  .rule(
    "replaceFullPath must be specified when type is set to 'ReplaceFullPath'",
    ({ type, replaceFullPath }) => type !== "ReplaceFullPath" || replaceFullPath !== undefined,
  )
  .rule(
    "type must be 'ReplaceFullPath' when replaceFullPath is set",
    ({ type, replaceFullPath }) => type === "ReplaceFullPath" || replaceFullPath === undefined,
  )
  .rule(
    "replacePrefixMatch must be specified when type is set to 'ReplacePrefixMatch'",
    ({ type, replacePrefixMatch }) => type !== "ReplacePrefixMatch" || replacePrefixMatch !== undefined,
  )
  .rule(
    "type must be 'ReplacePrefixMatch' when replacePrefixMatch is set",
    ({ type, replacePrefixMatch }) => type === "ReplacePrefixMatch" || replacePrefixMatch === undefined,
  );
export type HTTPPathModifier = Infer<typeof httpPathModifier>;

const httpRequestRedirectFilter = object({
  scheme: optional(oneOf(["http", "https"])),
  hostname: optional(preciseHostname),
  path: optional(httpPathModifier),
  port: optional(portNumber),
  statusCode: defaulted(oneOfNumbers([301, 302, 303, 307, 308]), 302),
});
export type HTTPRequestRedirectFilter = Infer<typeof httpRequestRedirectFilter>;

const httpURLRewriteFilter = object({
  hostname: optional(preciseHostname),
  path: optional(httpPathModifier),
});
export type HTTPURLRewriteFilter = Infer<typeof httpURLRewriteFilter>;

const corsOrigin = string({
  minLength: 1,
  maxLength: 253,
  pattern: {
    source:
      "(^\\*$)|(^(http(s)?):\\/\\/(((\\*\\.)?([a-zA-Z0-9\\-]+\\.)*[a-zA-Z0-9-]+|\\*)(:([0-9]{1,5}))?)$)",
    is: "* or an origin, such as https://example.com",
  },
});

/** `*` stands for all values, so it stands alone. */
const starIsAlone = (values: readonly string[]) => values.length < 2 || !values.includes("*");

const httpCORSFilter = object({
  allowOrigins: optional(
    array(corsOrigin, { maxItems: 64, unique: true }).rule(
      "AllowOrigins cannot contain '*' alongside other origins",
      starIsAlone,
    ),
  ),
  allowCredentials: optional(boolean()),
  allowMethods: optional(
    array(oneOf([...httpMethods, "*"]), { maxItems: 9, unique: true }).rule(
      "AllowMethods cannot contain '*' alongside other methods",
      starIsAlone,
    ),
  ),
  allowHeaders: optional(
    array(httpHeaderName, { maxItems: 64, unique: true }).rule(
      "AllowHeaders cannot contain '*' alongside other methods",
      starIsAlone,
    ),
  ),
  exposeHeaders: optional(array(httpHeaderName, { maxItems: 64, unique: true })),
  maxAge: defaulted(integer({ minimum: 1, format: "int32" }), 5),
});
export type HTTPCORSFilter = Infer<typeof httpCORSFilter>;

const filterTypes = [
  "RequestHeaderModifier",
  "ResponseHeaderModifier",
  "RequestMirror",
  "RequestRedirect",
  "URLRewrite",
  "ExtensionRef",
  "CORS",
  "ExternalAuth",
] as const;
export type HTTPRouteFilterType = (typeof filterTypes)[number];

const httpRouteFilterFields = object({
  type: required(oneOf(filterTypes, { experimentalValues: ["ExternalAuth"] })),
  requestHeaderModifier: optional(httpHeaderFilter),
  responseHeaderModifier: optional(httpHeaderFilter),
  requestMirror: optional(httpRequestMirrorFilter),
  requestRedirect: optional(httpRequestRedirectFilter),
  urlRewrite: optional(httpURLRewriteFilter),
  cors: optional(httpCORSFilter),
  externalAuth: experimental(optional(httpExternalAuthFilter)),
  extensionRef: optional(localObjectReference),
});

const standardMembers = membersByType(httpRouteFilterFields, {
  CORS: "cors",
  RequestHeaderModifier: "requestHeaderModifier",
  ResponseHeaderModifier: "responseHeaderModifier",
  RequestMirror: "requestMirror",
  RequestRedirect: "requestRedirect",
  URLRewrite: "urlRewrite",
  ExtensionRef: "extensionRef",
});
const httpRouteFilter = membersByType(
  standardMembers,
  { ExternalAuth: "externalAuth" },
  { experimental: true },
);
export type HTTPRouteFilter = Infer<typeof httpRouteFilter>;

export const httpRouteFilters = array(httpRouteFilter, { maxItems: 16 })
  .rule(
    "May specify either httpRouteFilterRequestRedirect or httpRouteFilterRequestRewrite, but not both",
    (filters) =>
      !(
        filters.some(({ type }) => type === "RequestRedirect") &&
        filters.some(({ type }) => type === "URLRewrite")
      ),
  )
  .rule("CORS filter cannot be repeated", usedOnce("CORS"))
  .rule("RequestHeaderModifier filter cannot be repeated", usedOnce("RequestHeaderModifier"))
  .rule("ResponseHeaderModifier filter cannot be repeated", usedOnce("ResponseHeaderModifier"))
  .rule("RequestRedirect filter cannot be repeated", usedOnce("RequestRedirect"))
  .rule("URLRewrite filter cannot be repeated", usedOnce("URLRewrite"));
