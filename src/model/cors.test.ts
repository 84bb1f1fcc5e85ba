import { describe, expect, it } from "vitest";
import { judgeCors, type CorsRequest } from "./cors.ts";
import type { CorsPolicy } from "./filter.ts";

const policy: CorsPolicy = {
  allowOrigins: ["https://www.foo.com", "https://*.bar.com"],
  allowCredentials: true,
  allowMethods: ["GET", "OPTIONS"],
  allowHeaders: ["x-header-1", "x-header-2"],
  exposeHeaders: ["x-header-3", "x-header-4"],
  maxAge: 3600,
};
const anything: CorsPolicy = {
  allowOrigins: ["*"],
  allowCredentials: false,
  allowMethods: ["*"],
  allowHeaders: ["*"],
  exposeHeaders: ["*"],
  maxAge: 5,
};
const preflight: CorsRequest = {
  method: "OPTIONS",
  origin: "https://www.foo.com",
  requestMethod: "PUT",
  requestHeaders: "x-a, x-b",
};
const actual: CorsRequest = {
  ...preflight,
  method: "GET",
  requestMethod: undefined,
  requestHeaders: undefined,
};

function headersOf(given: CorsPolicy, request: CorsRequest): Record<string, string> {
  const verdict = judgeCors(given, request);
  if (verdict.type === "not applicable") return {};
  return Object.fromEntries(verdict.headers.map(({ name, value }) => [name, value]));
}

describe("a pre-flight request", () => {
  it("from an allowed origin is told everything that is allowed", () => {
    expect(judgeCors(policy, preflight)).toMatchObject({ type: "preflight", allowed: true, status: 200 });
    expect(headersOf(policy, preflight)).toEqual({
      "access-control-allow-origin": "https://www.foo.com",
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET, OPTIONS",
      "access-control-allow-headers": "x-header-1, x-header-2",
      "access-control-expose-headers": "x-header-3, x-header-4",
      "access-control-max-age": "3600",
      vary: "Origin",
    });
  });

  it("from another origin is answered without CORS headers", () => {
    const request = { ...preflight, origin: "https://foobar.com" };
    expect(judgeCors(policy, request)).toMatchObject({ type: "preflight", allowed: false });
    expect(headersOf(policy, request)).toEqual({ vary: "Origin" });
  });

  it("gets back what it asked for where everything is allowed", () => {
    const echoed = {
      "access-control-allow-origin": "https://www.foo.com",
      "access-control-allow-methods": "PUT",
      "access-control-allow-headers": "x-a, x-b",
      "access-control-max-age": "5",
      vary: "Origin",
    };
    expect(headersOf(anything, preflight)).toEqual({ ...echoed, "access-control-expose-headers": "*" });
    expect(headersOf({ ...anything, allowCredentials: true }, preflight)).toEqual({
      ...echoed,
      "access-control-allow-credentials": "true",
    });
  });

  it("that asks for no headers gets none", () => {
    const request = { ...preflight, requestHeaders: undefined };
    expect(headersOf(anything, request)).not.toHaveProperty("access-control-allow-headers");
  });

  it("gets no list that the filter does not have", () => {
    const bare = {
      ...policy,
      allowMethods: [],
      allowHeaders: [],
      exposeHeaders: [],
      allowCredentials: false,
    };
    expect(headersOf(bare, preflight)).toEqual({
      "access-control-allow-origin": "https://www.foo.com",
      "access-control-max-age": "3600",
      vary: "Origin",
    });
  });
});

describe("an actual request", () => {
  it("goes on and its answer is marked", () => {
    expect(judgeCors(policy, actual)).toMatchObject({ type: "actual", allowed: true });
    expect(headersOf(policy, actual)).toEqual({
      "access-control-allow-origin": "https://www.foo.com",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "x-header-3, x-header-4",
      vary: "Origin",
    });
  });

  it("from another origin goes on too, unmarked", () => {
    const request = { ...actual, origin: "https://foobar.com" };
    expect(judgeCors(policy, request)).toEqual({
      type: "actual",
      allowed: false,
      headers: [{ name: "vary", value: "Origin" }],
    });
  });

  it("is also OPTIONS without Access-Control-Request-Method, and GET with it", () => {
    expect(judgeCors(policy, { ...actual, method: "OPTIONS" }).type).toBe("actual");
    expect(judgeCors(policy, { ...preflight, method: "GET" }).type).toBe("actual");
  });

  it("without Origin has nothing to do with CORS", () => {
    expect(judgeCors(policy, { ...actual, origin: undefined })).toEqual({ type: "not applicable" });
  });
});

describe("an origin", () => {
  it.each([
    ["*", "https://a.b:1", true],
    ["*", "null", true],
    ["https://a.com", "https://a.com", true],
    ["https://a.com", "https://A.com", true],
    ["https://a.com", "https://a.com:443", true],
    ["https://a.com:443", "https://a.com", true],
    ["http://a.com:80", "http://a.com", true],
    ["https://a.com", "https://a.com:8443", false],
    ["https://a.com:8443", "https://a.com:8443", true],
    ["https://a.com", "http://a.com", false],
    ["https://a.com", "https://a.com.evil.org", false],
    ["https://a.com", "https://a.com/", false],
    ["https://a.com", "null", false],
    ["https://*.a.com", "https://b.a.com", true],
    ["https://*.a.com", "https://c.b.a.com", true],
    ["https://*.a.com", "https://a.com", false],
    ["https://*.a.com", "https://.a.com", false],
    ["https://*.a.com", "https://xa.com", false],
    ["https://*.a.com", "https://b.a.com:444", false],
    ["https://*.a.com", "https://b.a.com.evil.org", false],
    ["https://*.a.com", "https://evil.org/.a.com", false],
    ["https://*.a.com", "https://evil.org?.a.com", false],
    ["https://*.a.com", "https://evil.org#.a.com", false],
    ["https://*.a.com", "https://evil@b.a.com", false],
    ["https://*", "https://whatever.org", true],
    ["https://*", "http://whatever.org", false],
    ["https://*", "https://whatever.org:8443", false],
    ["https://*:8443", "https://whatever.org:8443", true],
    ["https://*", "https://[::1]", true],
  ])("%s allows %s: %s", (pattern, origin, allowed) => {
    expect(judgeCors({ ...policy, allowOrigins: [pattern] }, { ...actual, origin })).toMatchObject({
      allowed,
    });
  });
});
