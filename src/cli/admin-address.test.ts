import { describe, expect, it } from "vitest";
import { formatAdminAddress, readAdminAddress } from "./admin-address.ts";

describe("where the admin endpoint listens", () => {
  it.each([
    ["127.0.0.1:19000", { address: "127.0.0.1", port: 19000 }],
    ["0.0.0.0:80", { address: "0.0.0.0", port: 80 }],
    ["[::1]:19001", { address: "::1", port: 19001 }],
    ["localhost:19000", { address: "127.0.0.1", port: 19000 }],
    [":19002", { address: "127.0.0.1", port: 19002 }],
    ["19003", { address: "127.0.0.1", port: 19003 }],
    ["127.0.0.1:0", { address: "127.0.0.1", port: 0 }],
  ])("%s", (text, address) => {
    expect(readAdminAddress(text)).toEqual({ outcome: "address", address });
  });

  it.each(["", "example.com:1", "127.0.0.1", "127.0.0.1:99999", "::1:19000", "[::1]", "1.2.3:4", "a b:1"])(
    "is not %j",
    (text) => {
      expect(readAdminAddress(text).outcome).toBe("malformed");
    },
  );

  it("can be off", () => {
    expect(readAdminAddress("off")).toEqual({ outcome: "off" });
  });

  it("is written so that it can be read again", () => {
    for (const address of [
      { address: "::1", port: 1 },
      { address: "127.0.0.1", port: 2 },
    ]) {
      expect(readAdminAddress(formatAdminAddress(address))).toEqual({ outcome: "address", address });
    }
  });
});
