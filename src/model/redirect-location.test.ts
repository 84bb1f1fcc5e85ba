import { describe, expect, it } from "vitest";
import type { Redirect } from "./filter.ts";
import { redirectLocation, type RedirectedRequest } from "./redirect-location.ts";

const request: RedirectedRequest = {
  scheme: "http",
  host: "example.com",
  listenerPort: 80,
  path: "/foo/bar",
  query: "",
};

function location(redirect: Partial<Redirect>, changes: Partial<RedirectedRequest> = {}): string {
  return redirectLocation({ port: "listener", statusCode: 302, ...redirect }, { ...request, ...changes });
}

describe("the location of a redirect", () => {
  it("keeps what the filter does not change", () => {
    expect(location({})).toBe("http://example.com/foo/bar");
    expect(location({}, { query: "a=b&c" })).toBe("http://example.com/foo/bar?a=b&c");
    expect(location({}, { host: "[::1]", listenerPort: 8080 })).toBe("http://[::1]:8080/foo/bar");
  });

  it.each([
    ["http", 80, undefined, "listener", "http://example.com/foo/bar"],
    ["http", 8080, undefined, "listener", "http://example.com:8080/foo/bar"],
    ["https", 443, undefined, "listener", "https://example.com/foo/bar"],
    ["https", 8443, undefined, "listener", "https://example.com:8443/foo/bar"],
    ["http", 443, undefined, "listener", "http://example.com:443/foo/bar"],
    ["http", 80, "https", 443, "https://example.com/foo/bar"],
    ["http", 8080, "https", 443, "https://example.com/foo/bar"],
    ["http", 80, "https", 8443, "https://example.com:8443/foo/bar"],
    ["https", 443, "http", 80, "http://example.com/foo/bar"],
    ["http", 80, undefined, 443, "http://example.com:443/foo/bar"],
    ["http", 80, "https", 80, "https://example.com:80/foo/bar"],
  ] as const)("%s on %i, scheme %s, port %s: %s", (scheme, listenerPort, redirectScheme, port, expected) => {
    const redirect = redirectScheme === undefined ? { port } : { port, scheme: redirectScheme };
    expect(location(redirect, { scheme, listenerPort })).toBe(expected);
  });

  it("changes host and path", () => {
    expect(location({ hostname: "example.org" })).toBe("http://example.org/foo/bar");
    expect(location({ path: { type: "prefix", prefix: "/foo", value: "/new" } }, { query: "q=1" })).toBe(
      "http://example.com/new/bar?q=1",
    );
    expect(location({ path: { type: "full", value: "/all" }, hostname: "example.org" })).toBe(
      "http://example.org/all",
    );
  });
});
