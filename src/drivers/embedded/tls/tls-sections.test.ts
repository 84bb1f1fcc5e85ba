import { describe, expect, it } from "vitest";
import { CertificateTable } from "./certificate-table.ts";
import type { TerminatedServerName } from "./tls-section.ts";
import { TlsSections } from "./tls-sections.ts";

const name = (hostname: string, change: Partial<TerminatedServerName> = {}): TerminatedServerName => ({
  key: `shop/web/tcp/443|${hostname}`,
  listener: "shop/web/tcp/443",
  hostname,
  section: "Gateway/shop/web/https",
  action: { type: "http", certificates: ["Secret/shop/web"] },
  ...change,
});

describe("TlsSections", () => {
  it("gives names of one section, use and set of certificates one section", () => {
    const sections = new TlsSections(new CertificateTable(), 1000);
    expect(sections.retain(name("a.test"))).toBe(sections.retain(name("b.test")));
  });

  it.each([
    ["another section", { section: "Gateway/shop/web/other" }],
    ["another port", { listener: "shop/web/tcp/8443" }],
    ["other certificates", { action: { type: "http", certificates: ["Secret/shop/other"] } }],
    [
      "another use",
      { action: { type: "terminate", certificates: ["Secret/shop/web"], route: undefined, backends: [] } },
    ],
  ] as const)("never shares one with %s", (_what, change) => {
    const sections = new TlsSections(new CertificateTable(), 1000);
    expect(sections.retain(name("a.test"))).not.toBe(sections.retain(name("b.test", change)));
  });

  it("keeps a section as long as one of its names is there", () => {
    const sections = new TlsSections(new CertificateTable(), 1000);
    const first = sections.retain(name("a.test"));
    sections.retain(name("b.test"));
    sections.release(name("a.test"));
    expect(sections.retain(name("c.test"))).toBe(first);
    sections.release(name("b.test"));
    sections.release(name("c.test"));
    expect(sections.retain(name("a.test"))).not.toBe(first);
  });
});
