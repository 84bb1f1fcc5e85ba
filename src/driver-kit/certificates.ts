import {
  alternativeNames,
  authorityConstraint,
  authorityKeyIdentifier,
  commonName,
  exportKey,
  extendedKeyUsage,
  makeCertificate as signCertificate,
  keyUsage,
  makeKeys,
  noAuthority,
  subjectKeyIdentifier,
  type KeyAlgorithm,
  type KeyPair,
} from "../certificates/certificate.ts";

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
  readonly keys: KeyPair;
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

const day = 24 * 60 * 60 * 1000;
let made = 0;

export async function makeCa(options: AuthorityOptions = {}): Promise<MadeAuthority> {
  const name = options.name ?? `Test CA ${++made}`;
  const keys = await makeKeys(options.algorithm);
  const certificate = signed({
    name,
    keys,
    isPlain: options.isPlain ?? false,
    ...(options.parent ? { issuer: options.parent } : {}),
    validity: options,
    extensions: [authorityConstraint(options.pathLength), keyUsage("keyCertSign", "cRLSign")],
  });
  return {
    certificate,
    chain: options.parent ? certificate + options.parent.chain : "",
    privateKey: exportKey(keys),
    name,
    keys,
    isPlain: options.isPlain ?? false,
  };
}

export async function makeCertificate(options: CertificateOptions = {}): Promise<MadeCertificate> {
  const { names = [], uris = [], clientAuth = false, serverAuth = !clientAuth } = options;
  const keys = await makeKeys(options.algorithm);
  const certificate = signed({
    name: options.commonName ?? names[0] ?? `Test certificate ${++made}`,
    keys,
    isPlain: options.ca?.isPlain ?? false,
    ...(options.ca ? { issuer: options.ca } : {}),
    validity: options,
    extensions: [
      noAuthority(),
      extendedKeyUsage(
        ...(serverAuth ? (["serverAuth"] as const) : []),
        ...(clientAuth ? (["clientAuth"] as const) : []),
      ),
      ...(names.length + uris.length > 0 ? [alternativeNames({ names, uris })] : []),
    ],
  });
  return { certificates: certificate + (options.ca?.chain ?? ""), privateKey: exportKey(keys) };
}

interface Signing {
  readonly name: string;
  readonly keys: KeyPair;
  readonly issuer?: MadeAuthority;
  readonly isPlain: boolean;
  readonly validity: Validity;
  readonly extensions: readonly Buffer[];
}

function signed({ name, keys, issuer, isPlain, validity, extensions }: Signing): string {
  const now = Date.now();
  const signer = issuer?.keys ?? keys;
  const identifiers = [subjectKeyIdentifier(keys.publicKey), authorityKeyIdentifier(signer.publicKey)];
  return signCertificate({
    subject: commonName(name),
    publicKey: keys.publicKey,
    issuer: commonName(issuer?.name ?? name),
    signingKey: signer.privateKey,
    notBefore: new Date(validity.notYetValid ? now + day : now - 30 * day),
    notAfter: new Date(validity.expired ? now - day : now + 365 * day),
    extensions: [...extensions, ...(isPlain ? [] : identifiers)],
  });
}
