import { describe, expect, it } from "vitest";
import { DnsError } from "../provider.ts";
import { attempt, dnsErrorOf, retryDelay, secretsOf } from "./failure.ts";

describe("what a cloud answered", () => {
  it("is told with what was being done, and in one line that is not too long", () => {
    const error = dnsErrorOf(
      { doing: "list zone Z1", code: "Odd", message: `a\n${"b".repeat(900)}`, status: 500 },
      [],
    );
    expect(error.message).toMatch(/^failed to list zone Z1: Odd: a b+… \(HTTP 500\)$/);
    expect(error.message.length).toBeLessThan(700);
    expect(dnsErrorOf({ doing: "look", message: "" }, []).message).toBe("failed to look: no answer");
  });

  it("has none of the credentials in it, not even a line of a file", () => {
    const file = "[default]\naws_secret_access_key=wJalrXUtnFEMI0123\n";
    const message = "the key wJalrXUtnFEMI0123 is not right";
    expect(dnsErrorOf({ doing: "look", message }, secretsOf(file, undefined)).message).toBe(
      "failed to look: the key *** is not right",
    );
  });

  it("is asked too often by 429, denied by 401 and 403, unless more is known", () => {
    const of = (status: number, more = {}) =>
      dnsErrorOf({ doing: "look", message: "m", status, ...more }, []);
    expect(of(429)).toMatchObject({ isThrottled: true, isDenied: false });
    expect(of(401)).toMatchObject({ isThrottled: false, isDenied: true });
    expect(of(403, { isThrottled: true, isDenied: false })).toMatchObject({
      isThrottled: true,
      isDenied: false,
    });
  });

  it.each([
    ["7", 7000],
    [0.5, 500],
    ["Wed, 21 Oct 2015 07:28:10 GMT", 10_000],
    ["Wed, 21 Oct 2015 07:27:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("Retry-After %s is %s ms", (header, expected) => {
    expect(retryDelay(header, Date.parse("Wed, 21 Oct 2015 07:28:00 GMT"))).toBe(expected);
  });

  it("is not told twice", async () => {
    const known = new DnsError("no such zone");
    const failure = () => new DnsError("again");
    await expect(attempt("look at", {}, failure, () => Promise.reject(known))).rejects.toBe(known);
    const other = attempt(
      "look at",
      { tags: { Name: "int" } },
      (doing) => new DnsError(doing),
      () => Promise.reject(new Error("odd")),
    );
    await expect(other).rejects.toThrow('look at zone {"Name":"int"}');
  });
});
