/** The routes of HTTPProxy. */
import { httpProxyCondition } from "./http-proxy-condition.ts";
import {
  cookieRewritePolicies,
  goDurationOrInfinity,
  headersPolicy,
  ipFilterPolicy,
  loadBalancerPolicy,
  rateLimitPolicy,
} from "./http-proxy-policy.ts";
import { httpHealthCheckPolicy, httpProxyService } from "./http-proxy-service.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { boolean, integer, oneOf, oneOfNumbers, raw, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const timeoutPolicy = object({
  response: optional(goDurationOrInfinity),
  idle: optional(goDurationOrInfinity),
  idleConnection: optional(goDurationOrInfinity),
});
export type HTTPProxyTimeoutPolicy = Infer<typeof timeoutPolicy>;

const retryOn = oneOf([
  "5xx",
  "gateway-error",
  "reset",
  "reset-before-request",
  "connect-failure",
  "envoy-ratelimited",
  "retriable-4xx",
  "refused-stream",
  "retriable-status-codes",
  "retriable-headers",
  "http3-post-connect-failure",
  "cancelled",
  "deadline-exceeded",
  "internal",
  "resource-exhausted",
  "unavailable",
]);

const retryPolicy = object({
  count: optional(integer({ minimum: -1 })),
  perTryTimeout: optional(goDurationOrInfinity),
  retryOn: optional(array(retryOn)),
  retriableStatusCodes: optional(array(integer({ minimum: 0 }))),
});
export type HTTPProxyRetryPolicy = Infer<typeof retryPolicy>;

const replacePrefix = object({
  prefix: optional(string({ minLength: 1 })),
  replacement: required(string({ minLength: 1 })),
});
export type HTTPProxyReplacePrefix = Infer<typeof replacePrefix>;

const path = string({ pattern: { source: "^/", is: "a path that begins with /" } });

const requestRedirectPolicy = object({
  scheme: optional(oneOf(["http", "https"])),
  hostname: optional(
    string({
      minLength: 1,
      maxLength: 253,
      pattern: {
        source: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        is: "a lowercase DNS name",
      },
    }),
  ),
  port: optional(integer({ minimum: 1, maximum: 65_535, format: "int32" })),
  statusCode: optional(oneOfNumbers([301, 302, 303, 307, 308])),
  path: optional(path),
  prefix: optional(path),
});
export type HTTPProxyRequestRedirectPolicy = Infer<typeof requestRedirectPolicy>;

const directResponsePolicy = object({
  statusCode: required(integer({ minimum: 200, maximum: 599 })),
  body: optional(string()),
});

export const httpProxyRoute = object({
  conditions: optional(array(httpProxyCondition)),
  services: optional(array(httpProxyService)),
  enableWebsockets: optional(boolean()),
  permitInsecure: optional(boolean()),
  authPolicy: optional(raw()),
  timeoutPolicy: optional(timeoutPolicy),
  retryPolicy: optional(retryPolicy),
  healthCheckPolicy: optional(httpHealthCheckPolicy),
  loadBalancerPolicy: optional(loadBalancerPolicy),
  pathRewritePolicy: optional(object({ replacePrefix: optional(array(replacePrefix)) })),
  requestHeadersPolicy: optional(headersPolicy),
  responseHeadersPolicy: optional(headersPolicy),
  cookieRewritePolicies: optional(cookieRewritePolicies),
  rateLimitPolicy: optional(rateLimitPolicy),
  requestRedirectPolicy: optional(requestRedirectPolicy),
  directResponsePolicy: optional(directResponsePolicy),
  internalRedirectPolicy: optional(raw()),
  jwtVerificationPolicy: optional(raw()),
  ipAllowPolicy: optional(ipFilterPolicy),
  ipDenyPolicy: optional(ipFilterPolicy),
});
export type HTTPProxyRoute = Infer<typeof httpProxyRoute>;
