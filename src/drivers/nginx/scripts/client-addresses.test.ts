/* Addresses as the script compares them, against the model's own comparison. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileClientAddresses, encodeAddressRange, type ClientAddresses } from "../../../model/index.ts";

interface Script {
  takes(given: object, peer: string, forwardedFor: string | undefined): boolean;
}

const { default: script } = (await import(new URL("./client-addresses.js", import.meta.url).href)) as {
  readonly default: Script;
};

function takesByScript(given: ClientAddresses, peer: string, forwardedFor: string | undefined): boolean {
  const { allow, deny = [], source, trustedProxies = [] } = given;
  const ranges = {
    ...(allow ? { allow: allow.map(encodeAddressRange) } : {}),
    deny: deny.map(encodeAddressRange),
    trusted: source === "forwarded" ? trustedProxies.map(encodeAddressRange) : [],
  };
  return script.takes(ranges, peer, forwardedFor);
}

const group = fc.constantFrom("0", "1", "db8", "2001", "ffff", "abcd", "10000", "");
const address = fc.oneof(
  { weight: 4, arbitrary: fc.ipV4() },
  { weight: 4, arbitrary: fc.ipV6() },
  fc.constantFrom(
    "127.0.0.1",
    "::1",
    "::ffff:10.0.0.1",
    "fe80::1%eth0",
    "10.0.0.1%x",
    "01.2.3.4",
    "256.1.1.1",
  ),
  fc.array(group, { minLength: 1, maxLength: 9 }).map((groups) => groups.join(":")),
  fc.string({ maxLength: 6 }).filter((text) => !text.includes(",")),
);
const range = fc
  .tuple(address, fc.option(fc.integer({ min: 0, max: 140 }), { nil: undefined }))
  .map(([text, length]) => (length === undefined ? text : `${text}/${length}`));
const ranges = fc.array(range, { maxLength: 3 });

describe("addresses in NGINX", () => {
  it("mean what they mean in the model", () => {
    fc.assert(
      fc.property(
        fc.record({
          allow: fc.option(ranges, { nil: undefined }),
          deny: ranges,
          source: fc.constantFrom("peer" as const, "forwarded" as const),
          trustedProxies: ranges,
        }),
        address,
        fc.option(fc.array(address, { minLength: 1, maxLength: 4 }), { nil: undefined }),
        ({ allow, ...rest }, peer, entries) => {
          const given: ClientAddresses = { ...rest, ...(allow ? { allow } : {}) };
          const forwardedFor = entries?.join(" , ");
          expect(takesByScript(given, peer, forwardedFor)).toBe(
            compileClientAddresses(given).takes(peer, () => forwardedFor),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
