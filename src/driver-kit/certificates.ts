import "../certificates/decorator-metadata.ts";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

x509.cryptoProvider.set(webcrypto as never);

/** Spread into a model `Certificate`: `{ key: "Secret/default/web", ...(await makeCertificate({ names: ["a.test"] })) }`. */
export interface MadeCertificate {
  /** PEM: the certificate, then the intermediate authorities above it. */
  readonly certificates: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
}

export interface MadeAuthority {
  /** PEM of the authority itself. */
  readonly certificate: string;
  /** PEM of the authority and the intermediate ones above it, without the root. */
  readonly chain: string;
  readonly privateKey: string;
  readonly name: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly isPlain: boolean;
}

export interface Validity {
  /** Ended yesterday. */
  readonly expired?: boolean;
  /** Begins tomorrow. */
  readonly notYetValid?: boolean;
}

export interface AuthorityOptions extends Validity {
  readonly name?: string;
  /** An authority above; absent: self-signed. */
  readonly parent?: MadeAuthority;
  readonly pathLength?: number;
  readonly algorithm?: "ec" | "rsa";
  /** What it signs does not say by which key, so only the name tells who signed it. */
  readonly isPlain?: boolean;
}

export interface CertificateOptions extends Validity {
  /** DNS names; the first is the common name too. IP addresses are told apart. */
  readonly names?: readonly string[];
  readonly uris?: readonly string[];
  /** Common name, where it should differ from the first of `names`. */
  readonly commonName?: string;
  /** Absent: self-signed. */
  readonly ca?: MadeAuthority;
  /** May be shown by a client. */
  readonly clientAuth?: boolean;
  /** May be shown by a server. Default: unless `clientAuth`. */
  readonly serverAuth?: boolean;
  readonly algorithm?: KeyAlgorithm;
}

/** `short rsa`: of 1024 bits, which few take. */
type KeyAlgorithm = "ec" | "rsa" | "short rsa";

const day = 24 * 60 * 60 * 1000;
let made = 0;

export async function makeCa(options: AuthorityOptions = {}): Promise<MadeAuthority> {
  const name = options.name ?? `Test CA ${++made}`;
  const keys = await makeKeys(options.algorithm ?? "ec");
  const certificate = await sign({
    name,
    keys,
    isPlain: options.isPlain ?? false,
    ...(options.parent ? { issuer: options.parent } : {}),
    validity: options,
    extensions: [
      new x509.BasicConstraintsExtension(true, options.pathLength, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    certificate,
    chain: options.parent ? certificate + options.parent.chain : "",
    privateKey: await exportKey(keys),
    name,
    keys,
    isPlain: options.isPlain ?? false,
  };
}

export async function makeCertificate(options: CertificateOptions = {}): Promise<MadeCertificate> {
  const { names = [], uris = [], clientAuth = false, serverAuth = !clientAuth } = options;
  const keys = await makeKeys(options.algorithm ?? "ec");
  const usages = [
    ...(serverAuth ? [x509.ExtendedKeyUsage.serverAuth] : []),
    ...(clientAuth ? [x509.ExtendedKeyUsage.clientAuth] : []),
  ];
  const alternatives = [
    ...names.map((value) => ({ type: isAddress(value) ? ("ip" as const) : ("dns" as const), value })),
    ...uris.map((value) => ({ type: "url" as const, value })),
  ];
  const certificate = await sign({
    name: options.commonName ?? names[0] ?? `Test certificate ${++made}`,
    keys,
    isPlain: options.ca?.isPlain ?? false,
    ...(options.ca ? { issuer: options.ca } : {}),
    validity: options,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension(usages),
      ...(alternatives.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternatives)] : []),
    ],
  });
  return { certificates: certificate + (options.ca?.chain ?? ""), privateKey: await exportKey(keys) };
}

interface Signing {
  readonly name: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly issuer?: MadeAuthority;
  readonly isPlain: boolean;
  readonly validity: Validity;
  readonly extensions: readonly x509.Extension[];
}

async function sign({ name, keys, issuer, isPlain, validity, extensions }: Signing): Promise<string> {
  const now = Date.now();
  const signer = issuer?.keys ?? keys;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: Buffer.from(webcrypto.getRandomValues(new Uint8Array(12)))
      .toString("hex")
      .replace(/^./, "1"),
    subject: [{ CN: [name] }],
    issuer: [{ CN: [issuer?.name ?? name] }],
    notBefore: new Date(validity.notYetValid ? now + day : now - 30 * day),
    notAfter: new Date(validity.expired ? now - day : now + 365 * day),
    signingAlgorithm: { name: signer.privateKey.algorithm.name, hash: "SHA-256" } as EcdsaLike,
    publicKey: keys.publicKey as never,
    signingKey: signer.privateKey as never,
    extensions: [
      ...extensions,
      ...(isPlain
        ? []
        : [
            await x509.SubjectKeyIdentifierExtension.create(keys.publicKey as never),
            await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey as never),
          ]),
    ],
  });
  return certificate.toString("pem").trim() + "\n";
}

interface EcdsaLike {
  readonly name: string;
  readonly hash: string;
}

function makeKeys(algorithm: KeyAlgorithm): Promise<webcrypto.CryptoKeyPair> {
  const parameters =
    algorithm === "ec"
      ? { name: "ECDSA", namedCurve: "P-256" }
      : {
          name: "RSASSA-PKCS1-v1_5",
          hash: "SHA-256",
          modulusLength: algorithm === "rsa" ? 2048 : 1024,
          publicExponent: new Uint8Array([1, 0, 1]),
        };
  return webcrypto.subtle.generateKey(parameters, true, [
    "sign",
    "verify",
  ]) as Promise<webcrypto.CryptoKeyPair>;
}

async function exportKey(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/.{1,64}/g, "$&\n")}-----END PRIVATE KEY-----\n`;
}

const isAddress = (name: string): boolean => name.includes(":") || /^[0-9]+(\.[0-9]+){3}$/.test(name);
