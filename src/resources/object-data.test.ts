import { describe, expect, it } from "vitest";
import { problemsOf, readAs } from "../../test/resources/problems-of.ts";

const secret = (more: object) => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "cert" }, ...more });
const configMap = (more: object) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "ca" },
  ...more,
});

describe("Secret", () => {
  it("is Opaque and empty by default", () => {
    expect(readAs("Secret", secret({}))).toMatchObject({ type: "Opaque", data: {} });
  });

  it("has its stringData in data, as the API server stores it", () => {
    const read = readAs(
      "Secret",
      secret({
        type: "kubernetes.io/tls",
        data: { a: "YQ==", b: "Yg==" },
        stringData: { b: "ü", c: "" },
        immutable: true,
      }),
    );
    expect(read.data).toEqual({ a: "YQ==", b: "w7w=", c: "" });
    expect(read).not.toHaveProperty("stringData");
  });

  it("may have line breaks in its base64", () => {
    expect(readAs("Secret", secret({ data: { a: "YWJj\r\nYWJj\n" } })).data).toEqual({ a: "YWJjYWJj" });
  });

  it("never shows its values in a problem", () => {
    const problems = problemsOf(
      secret({ data: { a: "hunter2!", b: 12345, d: ["hunter2"], "../e": "YQ==" }, stringData: { c: 98765 } }),
    );
    expect(problems).toEqual([
      "data.a: must be base64 text",
      "data.b: must be base64 text, not a number",
      "data.d: must be base64 text, not a list",
      "data[\"../e\"]: is not a key for data: it must be 1 to 253 letters, digits, '-', '_' or '.', and must not start with '..'",
      "stringData.c: must be a string, not a number; put it in quotes",
    ]);
  });

  it.each([
    [{ data: "hunter2" }, "data: must be an object, not a string"],
    [{ stringData: ["hunter2"] }, "stringData: must be an object, not a list"],
    [{ type: 12345 }, "type: must be a string, not a number; put it in quotes"],
    [{ metadata: "hunter2" }, "metadata: must be an object, not a string"],
  ])("never shows what stands in the place of its values: %j", (fields, problem) => {
    expect(problemsOf({ ...secret({}), ...fields })).toEqual([problem]);
  });

  it("takes any valid key, and no key touches a prototype", () => {
    const { data } = readAs(
      "Secret",
      JSON.parse(
        '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"data":{"__proto__":"YQ==","constructor":"Yg=="}}',
      ),
    );
    expect(Object.keys(data)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(data)).toBeNull();
    expect(({} as Record<string, unknown>)["YQ=="]).toBeUndefined();
  });
});

describe("ConfigMap", () => {
  it("has text and binary data", () => {
    expect(
      readAs("ConfigMap", configMap({ data: { "ca.crt": "PEM" }, binaryData: { b: "AA==" } })),
    ).toMatchObject({
      data: { "ca.crt": "PEM" },
      binaryData: { b: "AA==" },
    });
    expect(readAs("ConfigMap", configMap({}))).toMatchObject({ data: {}, binaryData: {} });
  });

  it("refuses what cannot be", () => {
    expect(problemsOf(configMap({ data: { a: 1, "b c": "" }, binaryData: { d: "%" } }))).toEqual([
      "data.a: must be a string, not 1; put it in quotes",
      "data[\"b c\"]: is not a key for data: it must be 1 to 253 letters, digits, '-', '_' or '.', and must not start with '..'",
      "binaryData.d: must be base64 text",
    ]);
  });
});
