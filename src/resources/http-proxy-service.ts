/** The backends of HTTPProxy. */
import { cookieRewritePolicies, count, headersPolicy, loadBalancerPolicy } from "./http-proxy-policy.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { boolean, integer, oneOf, raw, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const port = integer({ minimum: 1, maximum: 65_535 });
const secretName = string({ minLength: 1, maxLength: 317 });

const upstreamValidation = object({
  caSecret: required(secretName),
  subjectName: required(string({ minLength: 1, maxLength: 250 })),
  subjectNames: optional(array(string(), { minItems: 1, maxItems: 8 })),
}).rule(
  "subjectNames[0] must equal subjectName if set",
  ({ subjectName, subjectNames }) =>
    subjectNames === undefined || subjectNames[0] === subjectName || ["subjectNames"],
  { cel: "!has(self.subjectNames) || self.subjectNames[0] == self.subjectName" },
);
export type HTTPProxyUpstreamValidation = Infer<typeof upstreamValidation>;

export const httpProxyService = object({
  name: required(string()),
  port: required(port),
  healthPort: optional(port),
  protocol: optional(oneOf(["h2", "h2c", "tls"])),
  weight: optional(integer({ minimum: 0 })),
  validation: optional(upstreamValidation),
  mirror: optional(boolean()),
  requestHeadersPolicy: optional(headersPolicy),
  responseHeadersPolicy: optional(headersPolicy),
  cookieRewritePolicies: optional(cookieRewritePolicies),
  slowStartPolicy: optional(raw()),
});
export type HTTPProxyService = Infer<typeof httpProxyService>;

const seconds = integer({ format: "int64" });
const threshold = integer({ minimum: 0 });

const statusRange = object({
  start: required(integer({ minimum: 100, maximum: 599 })),
  end: required(integer({ minimum: 101, maximum: 600 })),
});

export const httpHealthCheckPolicy = object({
  path: required(string()),
  host: optional(string()),
  intervalSeconds: optional(seconds),
  timeoutSeconds: optional(seconds),
  unhealthyThresholdCount: optional(threshold),
  healthyThresholdCount: optional(threshold),
  expectedStatuses: optional(array(statusRange)),
});
export type HTTPProxyHealthCheckPolicy = Infer<typeof httpHealthCheckPolicy>;

const tcpHealthCheckPolicy = object({
  intervalSeconds: optional(seconds),
  timeoutSeconds: optional(seconds),
  unhealthyThresholdCount: optional(count),
  healthyThresholdCount: optional(count),
});
export type HTTPProxyTCPHealthCheckPolicy = Infer<typeof tcpHealthCheckPolicy>;

const tcpInclude = object({ name: required(string()), namespace: optional(string()) });

export const httpProxyTCPProxy = object({
  loadBalancerPolicy: optional(loadBalancerPolicy),
  services: optional(array(httpProxyService)),
  include: optional(tcpInclude),
  // The API's older name of the same field.
  includes: optional(tcpInclude),
  healthCheckPolicy: optional(tcpHealthCheckPolicy),
});
export type HTTPProxyTCPProxy = Infer<typeof httpProxyTCPProxy>;
