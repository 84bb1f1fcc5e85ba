// The CORS policy of a virtual host, which holds for all of its routes.
//
// Spec: origins are `*`, exact (`scheme://host[:port]`), or else regular expressions. Expressions are refused: the model compares origins as browsers do, host
// by host, and an expression that takes more than it seems to is a hole.

import { parseGoDuration, type HTTPCORSFilter, type HTTPProxyCORSPolicy } from "../../resources/index.ts";
import type { FindingList } from "./findings.ts";
import { notSupported, problem } from "./proxy-problem.ts";

const exactOrigin = /^https?:\/\/[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?$/;

export function judgeCors(
  policy: HTTPProxyCORSPolicy | undefined,
  field: string,
  findings: FindingList,
): HTTPCORSFilter | undefined {
  if (policy === undefined) return undefined;
  const { allowOrigin, allowMethods, allowHeaders, exposeHeaders, allowCredentials, maxAge } = policy;
  const expression = allowOrigin.find((origin) => origin !== "*" && !exactOrigin.test(origin));
  if (expression !== undefined) {
    const why = `${JSON.stringify(expression)} is neither * nor an exact origin, such as https://example.com; list the origins`;
    return findings.error(notSupported("CORSError", `${field}.allowOrigin with regular expressions`, why));
  }
  if (policy.allowPrivateNetwork === true) {
    const message = `${field}.allowPrivateNetwork is left out: requests from public to private networks are not permitted by this gateway`;
    findings.warn(problem("CORSError", "IgnoredField", message));
  }
  const age = maxAge === undefined || maxAge === "" ? defaultMaxAge : parseGoDuration(maxAge);
  if (age === undefined) {
    return findings.error(
      problem("CORSError", "PolicyDidNotParse", `${field}.maxAge: ${maxAge} is not a duration, such as 10m`),
    );
  }
  return {
    allowOrigins: allowOrigin.includes("*") ? ["*"] : [...new Set(allowOrigin)],
    allowCredentials: allowCredentials ?? false,
    allowMethods: allowMethods as HTTPCORSFilter["allowMethods"] & object,
    ...(allowHeaders && { allowHeaders }),
    ...(exposeHeaders && { exposeHeaders }),
    maxAge: Math.floor(age / 1000),
  };
}

/** What browsers take without one. */
const defaultMaxAge = 5000;
