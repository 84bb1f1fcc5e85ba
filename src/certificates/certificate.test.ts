import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  alternativeNames,
  authorityConstraint,
  authorityKeyIdentifier,
  commonName,
  extendedKeyUsage,
  keyUsage,
  makeCertificate,
  makeKeys,
  noAuthority,
  subjectKeyIdentifier,
  subjectOf,
  type CertificateContent,
  type KeyAlgorithm,
} from "./certificate.ts";
import { objectIdentifier, sequence, setOf, utf8String } from "./der.ts";

const hour = 3_600_000;

async function make(more: Partial<CertificateContent> = {}, algorithm?: KeyAlgorithm) {
  const keys = await makeKeys(algorithm);
  const pem = makeCertificate({
    subject: commonName("somebody"),
    publicKey: keys.publicKey,
    issuer: commonName("somebody"),
    signingKey: keys.privateKey,
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + hour),
    extensions: [noAuthority()],
    ...more,
  });
  return { keys, certificate: new X509Certificate(pem) };
}

// What a certificate says is what OpenSSL reads, which Node's X509Certificate asks.
describe("a certificate", () => {
  it.each<KeyAlgorithm>(["ec", "rsa", "short rsa"])(
    "is signed by a key of the kind %s",
    async (algorithm) => {
      const { keys, certificate } = await make({}, algorithm);
      expect(certificate.verify(keys.publicKey)).toBe(true);
      expect(certificate.verify((await makeKeys(algorithm)).publicKey)).toBe(false);
      expect(certificate.checkPrivateKey(keys.privateKey)).toBe(true);
    },
  );

  it("is signed by an authority, which it names by name and by key", async () => {
    const keys = await makeKeys();
    const { certificate: authority } = await make({
      subject: commonName("Zertifizierungsstelle Ö"),
      publicKey: keys.publicKey,
      issuer: commonName("Zertifizierungsstelle Ö"),
      signingKey: keys.privateKey,
      extensions: [
        authorityConstraint(0),
        keyUsage("keyCertSign", "cRLSign"),
        subjectKeyIdentifier(keys.publicKey),
      ],
    });
    const { certificate } = await make({
      issuer: subjectOf(authority),
      signingKey: keys.privateKey,
      extensions: [noAuthority(), authorityKeyIdentifier(authority.publicKey)],
    });
    expect(authority.ca).toBe(true);
    expect(authority.subject).toBe("CN=Zertifizierungsstelle Ö");
    expect(certificate.ca).toBe(false);
    expect(certificate.checkIssued(authority)).toBe(true);
    expect(certificate.verify(authority.publicKey)).toBe(true);
  });

  it("names an authority of somebody else's as that one names itself", async () => {
    const organisation = sequence(setOf(sequence(objectIdentifier("2.5.4.10"), utf8String("Some people"))));
    const { certificate: authority } = await make({ subject: organisation });
    expect(subjectOf(authority).equals(organisation)).toBe(true);
    const { certificate } = await make({ issuer: subjectOf(authority) });
    expect(certificate.issuer).toBe("O=Some people");
  });

  it("is for the names, addresses and URIs that it says, and no others", async () => {
    const addresses = [
      "192.0.2.7",
      "::1",
      "2001:db8::8:800:200c:417a",
      "fe80:1:2:3:4:5:6:7",
      "::ffff:192.0.2.9",
    ];
    const names = ["a.example.com", "*.b.example.com", ...addresses];
    const uris = ["spiffe://example.com/one"];
    const { certificate } = await make({ extensions: [noAuthority(), alternativeNames({ names, uris })] });
    expect(certificate.checkHost("a.example.com")).toBe("a.example.com");
    expect(certificate.checkHost("x.b.example.com")).toBe("*.b.example.com");
    expect(certificate.checkHost("b.example.com")).toBeUndefined();
    for (const address of addresses) expect(certificate.checkIP(address)).toBe(address);
    expect(certificate.checkIP("192.0.2.8")).toBeUndefined();
    expect(certificate.checkIP("2001:db8::8:800:200c:417b")).toBeUndefined();
    expect(certificate.subjectAltName).toContain("URI:spiffe://example.com/one");
  });

  it("does not make another name of one that cannot stand in it", () => {
    expect(() => alternativeNames({ names: ["bücher.example"] })).toThrow("bücher.example");
    expect(() => alternativeNames({ uris: ["spiffe://a\0.example"] })).toThrow("cannot stand");
  });

  it("is for what it says", async () => {
    const { certificate } = await make({
      extensions: [noAuthority(), keyUsage("digitalSignature"), extendedKeyUsage("serverAuth", "clientAuth")],
    });
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
  });

  it.each([
    ["2026-01-02T03:04:05Z", "2049-12-31T23:59:59Z"],
    ["2050-01-01T00:00:00Z", "2123-06-07T08:09:10Z"],
  ])("lasts from %s to %s", async (from, to) => {
    const { certificate } = await make({ notBefore: new Date(from), notAfter: new Date(to) });
    expect(Date.parse(certificate.validFrom)).toBe(Date.parse(from));
    expect(Date.parse(certificate.validTo)).toBe(Date.parse(to));
  });

  it("has a serial number of its own, positive and of 16 bytes", async () => {
    const serials = await Promise.all(Array.from({ length: 8 }, async () => (await make()).certificate));
    const numbers = serials.map(({ serialNumber }) => serialNumber);
    expect(new Set(numbers).size).toBe(8);
    for (const number of numbers) expect(number).toMatch(/^[4-7][0-9A-F]{31}$/);
  });
});
