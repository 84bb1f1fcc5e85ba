import { describe, expect, it } from "vitest";
import { makeCa, makeCertificate } from "../../../../test/certificates.ts";
import { judgeCertificate } from "./certificate-table.ts";

const key = "Secret/default/web";
const problemOf = (certificates: string, privateKey?: string): string | undefined => {
  const verdict = judgeCertificate({
    key,
    certificates,
    ...(privateKey === undefined ? {} : { privateKey }),
  });
  return verdict.type === "unusable" ? verdict.problem : undefined;
};

describe("certificates", () => {
  it("are tried before NGINX gets them, and what is wrong is said without the key", async () => {
    const [good, other] = [
      await makeCertificate({ names: ["a.test"] }),
      await makeCertificate({ names: ["b.test"] }),
    ];
    expect(problemOf(good.certificates, good.privateKey)).toBeUndefined();
    expect(problemOf("no PEM", good.privateKey)).toMatch(/^Secret\/default\/web: there is no PEM block/);
    expect(problemOf(good.certificates, other.privateKey)).toMatch(/is not the one of the first certificate/);
    expect(problemOf(good.certificates, "nonsense")).toMatch(/cannot be read/);
    const encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n";
    expect(problemOf(good.certificates, encrypted)).toMatch(/encrypted/);
    const broken = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    expect(problemOf(good.certificates + broken, good.privateKey)).toMatch(/certificate 2 of 2/);
    expect(problemOf(good.certificates.repeat(300), good.privateKey)).toMatch(/too long/);
  });

  it("reach NGINX as certificates and one key, whatever else was in the Secret", async () => {
    const { certificates, privateKey } = await makeCertificate({ names: ["a.test"] });
    const verdict = judgeCertificate({
      key,
      certificates: `; evil\n${certificates.replaceAll("\n", "\r\n")}\n-----BEGIN RSA PRIVATE KEY-----\nxx\n-----END RSA PRIVATE KEY-----`,
      privateKey,
    });
    expect(verdict).toMatchObject({ type: "usable" });
    const { chain, privateKey: pem } = (verdict as { certificate: { chain: string; privateKey: string } })
      .certificate;
    expect(chain).not.toMatch(/evil|\r|PRIVATE/);
    expect(pem.match(/BEGIN/g)).toHaveLength(1);
  });

  it("have keys that NGINX takes, those of the chain too", async () => {
    const short = await makeCertificate({ names: ["a.test"], algorithm: "short rsa" });
    const good = await makeCertificate({ names: ["a.test"] });
    const long = await makeCertificate({ names: ["a.test"], algorithm: "rsa" });
    expect(problemOf(short.certificates, short.privateKey)).toMatch(/certificate 1 of 1 is too short/);
    expect(problemOf(good.certificates + short.certificates, good.privateKey)).toMatch(/2 of 2 is too short/);
    expect(problemOf(long.certificates, long.privateKey)).toBeUndefined();
  });

  it("that are bundles need no key", async () => {
    const { certificate } = await makeCa();
    expect(problemOf(certificate)).toBeUndefined();
    expect(problemOf("")).toMatch(/no PEM block/);
  });
});
