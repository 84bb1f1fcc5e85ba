/** The entries of Secrets and ConfigMaps. */
import { report, Schema } from "./schema.ts";

const key = /^[-._a-zA-Z0-9]{1,253}$/;

export function judgeDataKey(name: string): string | undefined {
  if (key.test(name) && name !== "." && !name.startsWith("..")) return undefined;
  return "is not a key for data: it must be 1 to 253 letters, digits, '-', '_' or '.', and must not start with '..'";
}

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;
const lineBreak = /[\r\n]/;

/** Base64 text, which may be broken into lines. It can be secret, so a problem does not repeat it. */
export const base64 = new Schema<string>({ type: "string", rules: [] }, (input, reading) => {
  if (typeof input !== "string") {
    report(reading, `must be base64 text, not ${Array.isArray(input) ? "a list" : `a ${typeof input}`}`);
    return "";
  }
  const text = lineBreak.test(input) ? input.replaceAll(/[\r\n]/g, "") : input;
  if (text.length % 4 !== 0 || !alphabet.test(text)) {
    report(reading, "must be base64 text");
  }
  return text;
});
