import { describe, expect, it } from "vitest";
import type { Redirect } from "../../../model/index.ts";
import { renderRedirect, stripsPort } from "./redirect.ts";

const plain = { scheme: "http", port: 80 } as const;
const odd = { scheme: "http", port: 8080 } as const;
const secure = { scheme: "https", port: 443 } as const;

describe("redirects", () => {
  it.each<[Partial<Redirect>, typeof plain | typeof odd | typeof secure, object]>([
    [{ port: "listener" }, plain, { schemeRedirect: "http" }],
    [{ port: "listener" }, odd, { schemeRedirect: "http", portRedirect: 8080 }],
    [{ scheme: "https", port: 443 }, plain, { schemeRedirect: "https" }],
    [{ scheme: "https", port: "listener" }, plain, { schemeRedirect: "https", portRedirect: 80 }],
    [{ hostname: "a.test", port: 443 }, secure, { schemeRedirect: "https", hostRedirect: "a.test" }],
    [
      { hostname: "a.test", port: 80 },
      secure,
      { schemeRedirect: "https", hostRedirect: "a.test", portRedirect: 80 },
    ],
  ])("%o on %o", (redirect, listener, expected) => {
    const given: Redirect = { port: "listener", statusCode: 302, ...redirect };
    expect(renderRedirect(given, listener)).toEqual({ ...expected, responseCode: "FOUND" });
  });

  it("keep no port of the request's Host where none is shown", () => {
    expect(stripsPort({ port: "listener", statusCode: 301 }, plain)).toBe(true);
    expect(stripsPort({ port: "listener", statusCode: 301 }, odd)).toBe(false);
    expect(stripsPort({ port: 80, hostname: "a.test", statusCode: 301 }, plain)).toBe(false);
  });
});
