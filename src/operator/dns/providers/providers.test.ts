import { describe, expect, it } from "vitest";
import { DnsError } from "../provider.ts";
import { loadProvider } from "./index.ts";

describe("the list of providers", () => {
  it(
    "has one for each cloud and for dynamic update, and none of another name",
    { timeout: 120_000 },
    async () => {
      for (const name of ["alibaba", "aws", "azure", "google", "ibm", "rfc2136"]) {
        expect(await loadProvider(name)).toHaveProperty("createProvider");
      }
      expect(loadProvider("toString")).toBeUndefined();
      expect(loadProvider("elsewhere")).toBeUndefined();
    },
  );

  it("says what to install if a provider's packages are missing", async () => {
    const missing = "@example/not-installed";
    const rows = {
      one: { load: () => import(/* @vite-ignore */ missing), packages: [missing, "@example/another"] },
    };
    const error = await loadProvider("one", rows)?.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DnsError);
    expect(error).toMatchObject({
      message: expect.stringContaining("npm install @example/not-installed @example/another"),
    });
  });

  it("hides no other failure behind that", async () => {
    const rows = { one: { load: () => Promise.reject(new SyntaxError("bad")), packages: ["@example/one"] } };
    await expect(loadProvider("one", rows)).rejects.toThrow("bad");
  });
});
