import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  makeCa,
  makeCertificate,
  type MadeAuthority,
  type MadeCertificate,
} from "../../../../test/certificates.ts";
import { pemBlocks } from "./pem.ts";
import { judgeCertificate } from "./usable-certificate.ts";

let ca: MadeAuthority;
let good: MadeCertificate;
let other: MadeCertificate;
let rsa: MadeCertificate;

beforeAll(async () => {
  ca = await makeCa();
  good = await makeCertificate({ names: ["a.test", "*.b.test"], ca });
  other = await makeCertificate({ names: ["b.test"], ca });
  rsa = await makeCertificate({ names: ["a.test"], ca, algorithm: "rsa" });
});

const judge = (certificates: string, privateKey?: string) =>
  judgeCertificate({
    key: "Secret/shop/web",
    certificates,
    ...(privateKey === undefined ? {} : { privateKey }),
  });

describe("judgeCertificate", () => {
  it("takes a pair, and knows its type and hosts", () => {
    const verdict = judge(good.certificates, good.privateKey);
    if (verdict.type !== "usable") throw new Error(verdict.problem);
    expect(verdict.certificate.keyType).toBe("ec");
    expect(["a.test", "x.b.test", "b.test", "c.test"].map(verdict.certificate.covers)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    [
      "CRLF line ends",
      () => [good.certificates.replaceAll("\n", "\r\n"), good.privateKey.replaceAll("\n", "\r\n")],
    ],
    [
      "text and other blocks around",
      () => [`Bag\n${good.privateKey}${good.certificates}# end`, good.privateKey],
    ],
    [
      "an expired certificate: clients judge that",
      async () => {
        const made = await makeCertificate({ names: ["a.test"], expired: true });
        return [made.certificates, made.privateKey];
      },
    ],
  ])("takes %s", async (_what, make) => {
    const [certificates, privateKey] = (await make()) as [string, string];
    expect(judge(certificates, privateKey).type).toBe("usable");
  });

  it("keeps nothing but certificates in the chain", () => {
    const verdict = judge(good.privateKey + good.certificates, good.privateKey);
    expect(verdict.type === "usable" && verdict.certificate.chain).toBe(good.certificates);
  });

  it.each([
    ["nothing", () => ["", good.privateKey], "no PEM block CERTIFICATE"],
    ["garbage in a block", () => [garbage, good.privateKey], "the first certificate cannot be read"],
    ["another's key", () => [good.certificates, other.privateKey], "not the one of the first certificate"],
    [
      "a key of another type",
      () => [rsa.certificates, good.privateKey],
      "not the one of the first certificate",
    ],
    ["no key", () => [good.certificates, "none"], "cannot be read"],
    ["an encrypted key", () => [good.certificates, encryptedKey()], "without a passphrase"],
    ["a huge chain", () => [good.certificates + ca.certificate.repeat(500), good.privateKey], "too long"],
    ["a cut block", () => [good.certificates.slice(0, 300), good.privateKey], "no PEM block CERTIFICATE"],
  ])("refuses %s", (_what, make, problem) => {
    const [certificates, privateKey] = make() as [string, string];
    const verdict = judge(certificates, privateKey);
    expect(verdict.type === "unusable" && verdict.problem).toContain(problem);
    expect(verdict.type === "unusable" && verdict.problem).toContain("Secret/shop/web");
  });

  it("takes bundles of CAs, also of a thousand, and refuses one with garbage", () => {
    expect(judge(ca.certificate.repeat(1000)).type).toBe("usable");
    const verdict = judge(ca.certificate + garbage);
    expect(verdict.type === "unusable" && verdict.problem).toContain("CA certificate 2 of 2");
  });
});

describe("pemBlocks", () => {
  it("takes time in proportion to the text", () => {
    const start = performance.now();
    expect(pemBlocks("-----BEGIN CERTIFICATE-----\n".repeat(100_000), ["CERTIFICATE"])).toEqual([]);
    expect(pemBlocks("-----BEGIN X-----\n".repeat(100_000), ["CERTIFICATE"])).toEqual([]);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

const garbage = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

function encryptedKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "x",
  }) as string;
}
