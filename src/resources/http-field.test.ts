import { describe, expect, it } from "vitest";
import { isFieldName, isFieldValue } from "./http-field.ts";

describe("HTTP fields", () => {
  it.each(["X-A", "a", "!#$%&'*+-.^_`|~09"])("%s is a name", (text) => {
    expect(isFieldName(text)).toBe(true);
  });

  it.each(["", "a b", "a:b", "a\r\nb", "ü", "(a)"])("%j is no name", (text) => {
    expect(isFieldName(text)).toBe(false);
  });

  it.each(["", "a b", "a\tb", "ü", "a  b"])("%j is a value", (text) => {
    expect(isFieldValue(text)).toBe(true);
  });

  it.each(["a\r\nb", "a\nb", "a\rb", "a\0b", "\u007f", "\u2028", "😀"])("%j is no value", (text) => {
    expect(isFieldValue(text)).toBe(false);
  });
});
