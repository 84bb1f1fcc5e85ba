import { describe, expect, it } from "vitest";
import type { PathMatch } from "../model/index.ts";
import type { SessionPersistence } from "../resources/index.ts";
import { cookiePath, judgeSession, translateSession } from "./session-persistence.ts";

const cookie: SessionPersistence = { type: "Cookie" };
const rule = "HTTPRoute/shop/web/0";

describe("translateSession", () => {
  it("makes a session cookie with a name of its rule's own", () => {
    const session = translateSession(cookie, rule, "/a");
    expect(session).toEqual({
      type: "cookie",
      name: expect.stringMatching(/^gatewright-session-[0-9a-f]{12}$/),
      lifetime: "session",
      path: "/a",
    });
    expect(translateSession(cookie, rule, "/a")).toEqual(session);
    expect(translateSession(cookie, "HTTPRoute/shop/web/1", "/a").name).not.toBe(session.name);
  });

  it("keeps the name, the lifetime and the time-out that are given", () => {
    const given = {
      ...cookie,
      sessionName: "JSESSIONID",
      absoluteTimeout: "1h",
      cookieConfig: { lifetimeType: "Permanent" },
    } as const;
    expect(translateSession(given, rule, "/")).toEqual({
      type: "cookie",
      name: "JSESSIONID",
      lifetime: "permanent",
      absoluteTimeout: 3_600_000,
      path: "/",
    });
  });

  it("makes a header, which has no path", () => {
    expect(translateSession({ type: "Header", sessionName: "X-Session" }, rule, "/a")).toEqual({
      type: "header",
      name: "x-session",
      lifetime: "session",
      path: "",
    });
  });
});

describe("judgeSession", () => {
  it.each<[string, SessionPersistence, string]>([
    ["a name with a line break", { ...cookie, sessionName: "a\r\nb" }, "f.sessionName"],
    ["a name with a semicolon", { ...cookie, sessionName: "a;b" }, "f.sessionName"],
    ["a header that means something else", { type: "Header", sessionName: "Host" }, "f.sessionName"],
    ["a header between two hops", { type: "Header", sessionName: "Keep-Alive" }, "f.sessionName"],
    ["no time at all", { ...cookie, absoluteTimeout: "0s" }, "f.absoluteTimeout"],
    [
      "a permanent cookie without an end",
      { ...cookie, cookieConfig: { lifetimeType: "Permanent" } },
      "f.absoluteTimeout",
    ],
  ])("refuses %s", (_, session, field) => {
    expect(judgeSession(session, "f")).toMatchObject({ reason: "UnsupportedValue", field });
  });

  it("takes what is fine", () => {
    expect(judgeSession({ ...cookie, sessionName: "sid", absoluteTimeout: "10m" }, "f")).toBeUndefined();
  });
});

describe("cookiePath", () => {
  it.each<[PathMatch["type"], string, string]>([
    ["exact", "/a/b", "/a/b"],
    ["prefix", "/", "/"],
    ["prefix", "/a", "/a"],
    ["prefix", "/a;b/c", "/"],
    ["prefix", "/x/a;b/c", "/x"],
    ["regex", "/p1/p2/.*/p3", "/p1/p2"],
    ["regex", "/p1/p2[0-9]", "/p1"],
    ["regex", "/p1/?x", "/"],
    ["regex", "/p1/x?", "/p1"],
    ["regex", "/a/b|/c/d", "/"],
    ["regex", "/a/(b|c)", "/a"],
    ["regex", "/a/[|]b", "/a"],
    ["regex", "^/a/b/.*", "/a/b"],
    ["regex", "(?i)/a/b/.*", "/"],
    ["regex", ".*", "/"],
  ])("of %s %s is %s", (type, value, expected) => {
    expect(cookiePath({ type, value })).toBe(expected);
  });
});
