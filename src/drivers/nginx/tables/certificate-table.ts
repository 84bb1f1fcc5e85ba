/* Certificates that were tried, as files that NGINX reads: chain and key in one, named after their content. */
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { Certificate } from "../../../model/index.ts";
import type { DataFolder } from "../data/data-folder.ts";
import { identifierOf } from "../data/identifier.ts";

export interface UsableCertificate {
  readonly key: string;
  /** PEM of certificates and nothing else. */
  readonly chain: string;
  readonly privateKey?: string;
  /** A server can show one certificate of each type. */
  readonly keyType?: string;
  /** Name of the file, for those with a key. */
  readonly file: string;
}

export type CertificateVerdict =
  | { readonly type: "usable"; readonly certificate: UsableCertificate }
  | { readonly type: "unusable"; readonly problem: string };

const longestChain = 100 * 1024;
const pemBlock = /-----BEGIN (?:X509 )?CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END (?:X509 )?CERTIFICATE-----/g;

/** Says what is wrong in words for the owner of the Secret. Never quotes the key, nor OpenSSL on it. */
export function judgeCertificate({ key, certificates, privateKey }: Certificate): CertificateVerdict {
  const blocks = certificates.match(pemBlock) ?? [];
  const chain = blocks.map((block) => `${block.replaceAll("\r", "")}\n`).join("");
  const problem = problemOf(blocks, chain, privateKey);
  if (problem !== undefined) return { type: "unusable", problem: `${key}: ${problem}` };
  if (privateKey === undefined) return { type: "usable", certificate: { key, chain, file: "" } };
  const parsed = createPrivateKey(privateKey);
  // Written anew: nothing but one block with the key gets into the file.
  const pem = parsed.export({ type: "pkcs8", format: "pem" }) as string;
  const file = identifierOf(chain + pem);
  const keyType = parsed.asymmetricKeyType ?? "unknown";
  return { type: "usable", certificate: { key, chain, privateKey: pem, keyType, file } };
}

function problemOf(
  blocks: readonly string[],
  chain: string,
  privateKey: string | undefined,
): string | undefined {
  if (blocks.length === 0) return "there is no PEM block CERTIFICATE in it";
  const parsed = blocks.map(parse);
  const unreadable = parsed.indexOf(undefined);
  if (unreadable >= 0) return `certificate ${unreadable + 1} of ${blocks.length} cannot be read`;
  if (privateKey === undefined) return undefined;
  const weak = parsed.findIndex((certificate) => isWeak(certificate!.publicKey));
  if (weak >= 0) {
    return `the key of certificate ${weak + 1} of ${blocks.length} is too short; RSA keys need 2048 bits, EC keys 224`;
  }
  if (chain.length > longestChain) return `the chain of ${blocks.length} certificates is too long`;
  if (/BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(privateKey)) {
    return "the private key is encrypted; store it without a passphrase";
  }
  try {
    const key = createPrivateKey(privateKey);
    if (!parsed[0]!.checkPrivateKey(key)) {
      return "the private key is not the one of the first certificate; put the server's certificate first";
    }
  } catch {
    return "the private key cannot be read; it must be one PEM block";
  }
  try {
    createSecureContext({ cert: chain, key: privateKey, ca: [] });
  } catch (error) {
    return `TLS refuses it: ${(error as Error).message}`;
  }
  return undefined;
}

/** OpenSSL's second level of security, which is NGINX's: all handshakes with such a key fail. Node has the first. */
function isWeak({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = "" } = asymmetricKeyDetails;
  if (asymmetricKeyType === "ec") return Number(/\d{3}/.exec(namedCurve)?.[0] ?? 0) < 224;
  return modulusLength > 0 && modulusLength < 2048;
}

function parse(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}

export class CertificateTable {
  readonly #data: DataFolder;
  readonly #usable = new Map<string, UsableCertificate>();

  constructor(data: DataFolder) {
    this.#data = data;
  }

  get(key: string): UsableCertificate | undefined {
    return this.#usable.get(key);
  }

  set(certificate: UsableCertificate): void {
    const { key, chain, privateKey, file } = certificate;
    if (privateKey !== undefined) this.#data.hold(`certificate/${file}`, () => chain + privateKey);
    this.#release(key);
    this.#usable.set(key, certificate);
  }

  delete(key: string): void {
    this.#release(key);
    this.#usable.delete(key);
  }

  #release(key: string): void {
    const known = this.#usable.get(key);
    if (known?.privateKey !== undefined) this.#data.release(`certificate/${known.file}`);
  }

  /** Files that may be shown for a server name: of each type of key the first, among those for the host if there are any. */
  filesFor(keys: readonly string[], hostname: string): readonly string[] {
    const all = keys.flatMap((key) => this.#usable.get(key) ?? []).filter(({ privateKey }) => privateKey);
    const covering =
      all.length > 1 && !hostname.startsWith("*")
        ? all.filter(({ chain }) => new X509Certificate(chain).checkHost(hostname) !== undefined)
        : [];
    const byType = new Map<string, string>();
    for (const { keyType = "", file } of covering.length > 0 ? covering : all) {
      if (!byType.has(keyType)) byType.set(keyType, file);
    }
    return [...byType.values()].slice(0, 2);
  }

  /** The chains of several bundles as one; empty if none can be used. */
  bundle(keys: readonly string[]): string {
    return keys.map((key) => this.#usable.get(key)?.chain ?? "").join("");
  }
}
