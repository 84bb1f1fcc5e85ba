import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dnsLabel, safeName } from "./safe-name.ts";

const gatewayName = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,80}[a-z0-9])?$/);

describe("names", () => {
  it("stay as they are where they fit", () => {
    expect(dnsLabel("web-gatewright")).toBe("web-gatewright");
    expect(safeName("a.b")).toBe("a.b");
  });

  it("are labels of at most 63 characters, and never the same for two", () => {
    fc.assert(
      fc.property(gatewayName, gatewayName, (a, b) => {
        expect(dnsLabel(a)).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
        expect(safeName(a)).toMatch(/^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/);
        expect(dnsLabel(a) === dnsLabel(b)).toBe(a === b);
      }),
    );
  });

  it("that begin alike and are cut stay two", () => {
    const long = "a".repeat(80);
    expect(dnsLabel(`${long}-x`)).not.toBe(dnsLabel(`${long}-y`));
  });
});
