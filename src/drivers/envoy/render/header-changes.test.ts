import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HeaderChanges } from "../../../model/index.ts";
import { chainHeaderChanges, renderRequestHeaders, renderResponseHeaders } from "./header-changes.ts";

const changes = (given: Partial<HeaderChanges>): HeaderChanges => ({
  set: [],
  add: [],
  remove: [],
  ...given,
});

describe("header changes", () => {
  it("are what Envoy removes, overwrites and appends; values are literal", () => {
    const given = changes({
      remove: ["x-gone"],
      set: [{ name: "x-set", value: "100%" }],
      add: [{ name: "x-add", value: "%REQ(cookie)%" }],
    });
    expect(renderRequestHeaders(given)).toEqual({
      requestHeadersToRemove: ["x-gone"],
      requestHeadersToAdd: [
        {
          header: { key: "x-set", value: "100%%" },
          appendAction: "OVERWRITE_IF_EXISTS_OR_ADD",
          keepEmptyValue: true,
        },
        {
          header: { key: "x-add", value: "%%REQ(cookie)%%" },
          appendAction: "APPEND_IF_EXISTS_OR_ADD",
          keepEmptyValue: true,
        },
      ],
    });
  });

  it("leave alone what frames a message, and what is no header", () => {
    const given = changes({
      remove: ["host", "content-length", ":path"],
      set: [
        { name: "transfer-encoding", value: "chunked" },
        { name: "x-one", value: "a\r\nx-two: b" },
        { name: "x bad", value: "1" },
      ],
    });
    expect(renderRequestHeaders(given)).toEqual({});
    expect(renderResponseHeaders(given, ["vary"])).toEqual({ responseHeadersToRemove: ["vary"] });
  });

  it("do in one what two do one after the other", () => {
    type Headers = Readonly<Record<string, readonly string[]>>;
    const apply = (headers: Headers, given: HeaderChanges | undefined): Headers => {
      const result: Record<string, readonly string[]> = { ...headers };
      for (const name of given?.remove ?? []) delete result[name];
      for (const { name, value } of given?.set ?? []) result[name] = [value];
      for (const { name, value } of given?.add ?? []) result[name] = [...(result[name] ?? []), value];
      return result;
    };
    const name = fc.constantFrom("a", "b", "c");
    // The API has each name once in a list.
    const values = fc.uniqueArray(fc.record({ name, value: fc.constantFrom("1", "2", "3") }), {
      selector: (header) => header.name,
    });
    const any = fc.option(fc.record({ set: values, add: values, remove: fc.uniqueArray(name) }), {
      nil: undefined,
    });
    fc.assert(
      fc.property(any, any, fc.dictionary(name, fc.constant(["client"])), (first, second, headers) => {
        expect(apply(headers, chainHeaderChanges(first, second))).toEqual(
          apply(apply(headers, first), second),
        );
      }),
    );
  });
});
