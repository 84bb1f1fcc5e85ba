import { describe, expect, it } from "vitest";
import { judgeHeaderPolicy } from "./header-policies.ts";

const variables = new Map([["CONTOUR_NAMESPACE", "shop"]]);
const request = { of: "request", variables } as const;
const setTo = (value: string) => {
  const judged = judgeHeaderPolicy({ set: [{ name: "X", value }] }, request);
  return "value" in judged ? judged.value.filter?.set?.[0]?.value : judged.wrong;
};

describe("the values of headers", () => {
  it.each([
    ["plain", "plain"],
    ["100%", "100%"],
    ["%%", "%%"],
    ["%CONTOUR_NAMESPACE%-%CONTOUR_NAMESPACE%", "shop-shop"],
    ["%UNKNOWN_THING%", "%UNKNOWN_THING%"],
    ["%contour_namespace%", "%contour_namespace%"],
    ["%CONTOUR_SERVICE_NAME%", "%CONTOUR_SERVICE_NAME%"],
  ])("%s is %s", (given, expected) => {
    expect(setTo(given)).toBe(expected);
  });

  it.each(["%REQ(x-a)%", "a %DOWNSTREAM_REMOTE_ADDRESS% b", "%HOSTNAME%"])(
    "%s is not known before a request comes",
    (value) => {
      expect(setTo(value)).toContain("which is not known before a request comes");
    },
  );

  it("cannot end the header", () => {
    expect(setTo("a\r\nX-Other: b")).toContain("characters that no header can have");
  });
});

describe("the names of headers", () => {
  it("are set once, and what is set is not removed", () => {
    expect(
      judgeHeaderPolicy({ set: [{ name: "X-A", value: "1" }], remove: ["x-a", "X-B"] }, request),
    ).toEqual({
      value: { filter: { set: [{ name: "x-a", value: "1" }], remove: ["x-b"] }, host: undefined },
    });
  });

  it("may be Host, on requests", () => {
    const set = [{ name: "Host", value: "inner.test" }];
    expect(judgeHeaderPolicy({ set }, request)).toEqual({
      value: { filter: undefined, host: "inner.test" },
    });
    expect(judgeHeaderPolicy({ set }, { ...request, of: "response" })).toHaveProperty("wrong");
    expect(judgeHeaderPolicy({ remove: ["host"] }, request)).toHaveProperty("wrong");
    expect(judgeHeaderPolicy({ set: [...set, ...set] }, request)).toHaveProperty("wrong");
  });

  it.each(["Content-Length", "transfer-encoding", "Connection", "te"])(
    "%s is not theirs to change",
    (name) => {
      const wrong = `${name} is the gateway's own to set; leave it out`;
      for (const of of ["request", "response"] as const) {
        const question = { ...request, of };
        expect(judgeHeaderPolicy({ set: [{ name, value: "1" }] }, question)).toEqual({
          wrong: `set: ${wrong}`,
        });
        expect(judgeHeaderPolicy({ remove: [name] }, question)).toEqual({ wrong: `remove: ${wrong}` });
      }
    },
  );

  it.each(["a b", "", "a:b"])("%j is none", (name) => {
    expect(judgeHeaderPolicy({ set: [{ name, value: "1" }] }, request)).toHaveProperty("wrong");
    expect(judgeHeaderPolicy({ remove: [name] }, request)).toHaveProperty("wrong");
  });
});
