/** The policies of HTTPProxy that several of its parts share. */
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { boolean, integer, oneOf, raw, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";
import { parseGoDuration } from "./go-duration.ts";

const uint32 = { minimum: 0, maximum: 2 ** 32 - 1 } as const;
export const count = integer(uint32);

const durationMessage = "must be a duration, such as 300ms, 5s or 1m30s";

/** A duration as Go writes it. */
export const goDuration = string().rule(durationMessage, (text) => parseGoDuration(text) !== undefined, {
  keyword: "pattern",
});

/** A duration, or no limit at all. */
export const goDurationOrInfinity = string().rule(
  `${durationMessage}, or infinity`,
  (text) => text === "infinity" || text === "infinite" || parseGoDuration(text) !== undefined,
  { keyword: "pattern" },
);

const headerValue = object({
  name: required(string({ minLength: 1 })),
  value: required(string({ minLength: 1 })),
});

export const headersPolicy = object({
  set: optional(array(headerValue)),
  remove: optional(array(string())),
});
export type HTTPProxyHeadersPolicy = Infer<typeof headersPolicy>;

export const ipFilterPolicy = array(
  object({ source: required(oneOf(["Peer", "Remote"])), cidr: required(string()) }),
);
export type HTTPProxyIPFilterPolicy = Infer<typeof ipFilterPolicy>;

const localRateLimit = object({
  requests: required(integer({ ...uint32, minimum: 1 })),
  unit: required(oneOf(["second", "minute", "hour"])),
  burst: optional(count),
  responseStatusCode: optional(integer({ minimum: 400, maximum: 599 })),
  responseHeadersToAdd: optional(array(headerValue)),
});

export const rateLimitPolicy = object({ local: optional(localRateLimit), global: optional(raw()) });
export type HTTPProxyRateLimitPolicy = Infer<typeof rateLimitPolicy>;

const token = string({
  pattern: { source: "^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$", is: "a name of a method or header" },
});

export const corsPolicy = object({
  allowCredentials: optional(boolean()),
  allowOrigin: required(array(string(), { minItems: 1 })),
  allowMethods: required(array(token, { minItems: 1 })),
  allowHeaders: optional(array(token, { minItems: 1 })),
  exposeHeaders: optional(array(token, { minItems: 1 })),
  maxAge: optional(goDuration),
  allowPrivateNetwork: optional(boolean()),
});
export type HTTPProxyCORSPolicy = Infer<typeof corsPolicy>;

const requestHashPolicy = object({
  terminal: optional(boolean()),
  headerHashOptions: optional(object({ headerName: required(string({ minLength: 1 })) })),
  queryParameterHashOptions: optional(object({ parameterName: required(string({ minLength: 1 })) })),
  hashSourceIP: optional(boolean()),
});
export type HTTPProxyRequestHashPolicy = Infer<typeof requestHashPolicy>;

export const loadBalancerPolicy = object({
  strategy: optional(string()),
  requestHashPolicies: optional(array(requestHashPolicy)),
});
export type HTTPProxyLoadBalancerPolicy = Infer<typeof loadBalancerPolicy>;

const dnsName = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

export const cookieRewritePolicies = array(
  object({
    name: required(string({ minLength: 1, maxLength: 4096 })),
    pathRewrite: optional(object({ value: required(string({ minLength: 1, maxLength: 4096 })) })),
    domainRewrite: optional(
      object({
        value: required(
          string({ minLength: 1, maxLength: 4096, pattern: { source: dnsName, is: "a lowercase DNS name" } }),
        ),
      }),
    ),
    secure: optional(boolean()),
    sameSite: optional(oneOf(["Strict", "Lax", "None"])),
  }),
);
