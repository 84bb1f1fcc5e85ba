import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { judgeCors, type CorsPolicy } from "../../../model/index.ts";
import type { CorsPolicy as EnvoyPolicy, StringMatcher } from "../generated/messages.ts";
import { renderCors } from "./cors.ts";

const policy: CorsPolicy = {
  allowOrigins: ["https://www.shop.test"],
  allowCredentials: false,
  allowMethods: ["GET", "PUT"],
  allowHeaders: ["x-one"],
  exposeHeaders: ["x-shown", "x-also"],
  maxAge: 600,
};

function rendered(changes: Partial<CorsPolicy> = {}): EnvoyPolicy {
  return (renderCors({ ...policy, ...changes }) as { readonly value: EnvoyPolicy }).value;
}

function matches({ exact, safeRegex }: StringMatcher, text: string): boolean {
  return safeRegex ? RE2JS.matches(safeRegex.regex!, text) : exact === text;
}

describe("CORS", () => {
  it("is a policy of the filter, whose values are texts", () => {
    expect(rendered()).toMatchObject({
      allowMethods: "GET, PUT",
      allowHeaders: "x-one",
      exposeHeaders: "x-shown, x-also",
      maxAge: "600",
      allowCredentials: false,
      forwardNotMatchingPreflights: false,
    });
  });

  it("exposes * only without credentials", () => {
    expect(rendered({ exposeHeaders: ["*"] }).exposeHeaders).toBe("*");
    expect(rendered({ exposeHeaders: ["*"], allowCredentials: true }).exposeHeaders).toBeUndefined();
  });

  it("allows the origins that the model allows", () => {
    const host = fc.constantFrom(
      "a.test",
      "www.a.test",
      "x.y.a.test",
      "A.test",
      "b.test",
      "xa.test",
      "[::1]",
    );
    const port = fc.constantFrom("", ":80", ":443", ":8080");
    const scheme = fc.constantFrom("http", "https", "HTTPS");
    const origin = fc
      .tuple(scheme, host, port)
      .map((parts) => `${parts[0]}://${parts[1]}${parts[2]}`)
      .chain((text) => fc.constantFrom(text, "null", `${text}/`));
    const pattern = fc.oneof(
      origin,
      fc.constantFrom("*", "https://*.a.test", "http://*.test:8080", "https://*"),
    );
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), origin, (allowOrigins, given) => {
        const request = { method: "GET", origin: given, requestMethod: undefined, requestHeaders: undefined };
        const verdict = judgeCors({ ...policy, allowOrigins }, request);
        const isAllowed = rendered({ allowOrigins }).allowOriginStringMatch!.some((one) =>
          matches(one, given),
        );
        expect(isAllowed).toBe(verdict.type !== "not applicable" && verdict.allowed);
      }),
    );
  });
});
