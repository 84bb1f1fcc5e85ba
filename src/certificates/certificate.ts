/*
 * Certificates (RFC 5280) made on the spot: for the channel between a controller and its proxies, for trying things out, for tests. What
 * they say is a handful of fields, so they are written by hand: a package that can read and write all there is took a quarter of a
 * second of processor time and 40 MB at each start.
 */
import {
  createHash,
  createPublicKey,
  generateKeyPair,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from "node:crypto";
import { isIP, SocketAddress } from "node:net";
import { promisify } from "node:util";
import {
  bitString,
  contentOf,
  explicit,
  implicit,
  integer,
  isTrue,
  itemsOf,
  namedBits,
  nothing,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  time,
  utf8String,
} from "./der.ts";

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** `short rsa`: of 1024 bits, which few take. */
export type KeyAlgorithm = "ec" | "rsa" | "short rsa";

const generate = promisify(generateKeyPair);

export function makeKeys(algorithm: KeyAlgorithm = "ec"): Promise<KeyPair> {
  if (algorithm === "ec") return generate("ec", { namedCurve: "P-256" });
  return generate("rsa", { modulusLength: algorithm === "rsa" ? 2048 : 1024 });
}

/** PEM, PKCS #8. */
export function exportKey({ privateKey }: Pick<KeyPair, "privateKey">): string {
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

export interface CertificateContent {
  /** Whose it is. */
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  /** Who signs it, and with what. */
  readonly issuer: Buffer;
  readonly signingKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Buffer[];
}

/** PEM. */
export function makeCertificate(content: CertificateContent): string {
  const { subject, publicKey, issuer, signingKey, notBefore, notAfter, extensions } = content;
  const algorithm = signatureAlgorithm(signingKey);
  const signed = sequence(
    explicit(0, integer(Buffer.of(2))), // version 3
    integer(serialNumber()),
    algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    spkiOf(publicKey),
    explicit(3, sequence(...extensions)),
  );
  const certificate = sequence(signed, algorithm, bitString(sign("sha256", signed, signingKey)));
  const lines = certificate.toString("base64").replace(/.{1,64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`;
}

/** A name that is nothing but a common name. */
export function commonName(text: string): Buffer {
  return sequence(setOf(sequence(objectIdentifier("2.5.4.3"), utf8String(text))));
}

/** The subject of a certificate, byte for byte: what it signs must name it so. */
export function subjectOf({ raw }: X509Certificate): Buffer {
  const [signed] = itemsOf(raw);
  const fields = itemsOf(signed!);
  // The version comes first, unless it is the oldest.
  const hasVersion = fields[0]![0] === 0xa0;
  return fields[hasVersion ? 5 : 4]!;
}

/** An authority; `pathLength`: how many more there may be below it. */
export function authorityConstraint(pathLength?: number): Buffer {
  const limit = pathLength === undefined ? [] : [integer(Buffer.of(pathLength))];
  return extension("2.5.29.19", sequence(isTrue(), ...limit), { isCritical: true });
}

export function noAuthority(): Buffer {
  return extension("2.5.29.19", sequence(), { isCritical: true });
}

const usageBits = { digitalSignature: 0, keyCertSign: 5, cRLSign: 6 } as const;

export function keyUsage(...usages: readonly (keyof typeof usageBits)[]): Buffer {
  return extension("2.5.29.15", namedBits(usages.map((usage) => usageBits[usage])), { isCritical: true });
}

const purposes = { serverAuth: "1.3.6.1.5.5.7.3.1", clientAuth: "1.3.6.1.5.5.7.3.2" } as const;

export function extendedKeyUsage(...usages: readonly (keyof typeof purposes)[]): Buffer {
  return extension("2.5.29.37", sequence(...usages.map((usage) => objectIdentifier(purposes[usage]))));
}

export interface AlternativeNames {
  /** DNS names and IP addresses. */
  readonly names?: readonly string[];
  readonly uris?: readonly string[];
}

export function alternativeNames({ names = [], uris = [] }: AlternativeNames): Buffer {
  return extension(
    "2.5.29.17",
    sequence(
      ...names.map((name) => (isIP(name) === 0 ? implicit(2, ascii(name)) : implicit(7, addressBytes(name)))),
      ...uris.map((uri) => implicit(6, ascii(uri))),
    ),
  );
}

export function subjectKeyIdentifier(key: KeyObject): Buffer {
  return extension("2.5.29.14", octetString(keyIdentifier(key)));
}

export function authorityKeyIdentifier(key: KeyObject): Buffer {
  return extension("2.5.29.35", sequence(implicit(0, keyIdentifier(key))));
}

function extension(id: string, content: Buffer, { isCritical = false } = {}): Buffer {
  return sequence(objectIdentifier(id), ...(isCritical ? [isTrue()] : []), octetString(content));
}

function signatureAlgorithm({ asymmetricKeyType }: KeyObject): Buffer {
  switch (asymmetricKeyType) {
    case "ec":
      return sequence(objectIdentifier("1.2.840.10045.4.3.2"));
    case "rsa":
      return sequence(objectIdentifier("1.2.840.113549.1.1.11"), nothing());
    default:
      throw new TypeError(`a key of the type ${String(asymmetricKeyType)} cannot sign certificates here`);
  }
}

/** RFC 5280, 4.2.1.2: the first way. */
function keyIdentifier(key: KeyObject): Buffer {
  const [, bits] = itemsOf(spkiOf(key));
  // The first byte says that there are no bits left over.
  return createHash("sha1").update(contentOf(bits!).subarray(1)).digest();
}

function spkiOf(key: KeyObject): Buffer {
  const shown = key.type === "private" ? createPublicKey(key) : key;
  return shown.export({ type: "spki", format: "der" });
}

/** RFC 5280: positive, at most 20 bytes. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
}

function ascii(text: string): Buffer {
  // Anything else would become another name.
  if (/[^\x20-\x7e]/.test(text)) throw new RangeError(`${text} cannot stand in a certificate as it is`);
  return Buffer.from(text, "latin1");
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail] = new SocketAddress({ address, family: "ipv6" }).address.split("::");
  const [before, after] = [head, tail ?? ""].map(groupBytes);
  const bytes = Buffer.alloc(16);
  bytes.set(before!);
  bytes.set(after!, 16 - after!.length);
  return bytes;
}

/** Of `2001:db8`, also where the last is an IPv4 address. */
function groupBytes(groups: string): readonly number[] {
  return groups
    .split(":")
    .filter(Boolean)
    .flatMap((group) => {
      if (group.includes(".")) return group.split(".").map(Number);
      const number = Number.parseInt(group, 16);
      return [number >> 8, number & 0xff];
    });
}
