/*
 * Key pairs and CA bundles from Secrets and ConfigMaps: read once per object, judged as strictly as the proxies will
 * judge them, so that a bad one is refused here with a sentence instead of there with a stack trace. Expiry is not looked at:
 * it depends on the clock, and an expired certificate is for clients to refuse.
 */
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import type { Collection, Graph } from "../incremental/index.ts";
import type { Certificate } from "../model/index.ts";
import type { ConfigMap, Secret } from "../resources/index.ts";

/** A usable certificate, or what is wrong with the object that should hold it. */
export type Judged<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const mostCertificates = 64;
const mostCharacters = 1024 * 1024;

export function keyPairs(graph: Graph, secrets: Collection<Secret>): Collection<Judged<Certificate>> {
  return graph.map("key pairs", secrets, (secret, _read, key) => judgeKeyPair(secret, `Secret/${key}`));
}

export function judgeKeyPair(secret: Secret, key: string): Judged<Certificate> {
  const chain = secretText(secret, "tls.crt");
  const privateKey = secretText(secret, "tls.key");
  if (chain === undefined) return bad("has no tls.crt");
  if (privateKey === undefined) return bad("has no tls.key");
  const certificates = judgeCertificates(chain);
  if (!certificates.ok) return bad(`tls.crt ${certificates.problem}`);
  const [leaf] = certificates.value;
  const parsedKey = parseKey(privateKey);
  if (typeof parsedKey === "string") return bad(`tls.key ${parsedKey}`);
  if (!leaf?.checkPrivateKey(parsedKey))
    return bad("tls.key is not the key of the first certificate in tls.crt");
  return {
    ok: true,
    value: {
      key,
      certificates: pemOf(certificates.value),
      // As Node writes it: extra blocks and comments in the user's text never reach a proxy.
      privateKey: parsedKey.export({ type: "pkcs8", format: "pem" }).toString(),
    },
  };
}

/** The CA certificates under `entry` of a ConfigMap or Secret. */
export function judgeCaBundle(source: ConfigMap | Secret, entry: string, key: string): Judged<Certificate> {
  const text = source.kind === "Secret" ? secretText(source, entry) : configText(source, entry);
  if (text === undefined) return bad(`has no ${entry}`);
  const certificates = judgeCertificates(text);
  if (!certificates.ok) return bad(`${entry} ${certificates.problem}`);
  // A certificate that may not sign others is nobody's authority; trusting it would mean different things to different proxies.
  const authorities = certificates.value.filter(({ ca }) => ca);
  if (authorities.length === 0) return bad(`${entry} holds no CA certificate (basicConstraints CA:TRUE)`);
  return { ok: true, value: { key, certificates: pemOf(authorities) } };
}

/** Whether a chain of certificates leads from its first to one that `authorities` signed. PEM, as `judgeKeyPair` and `judgeCaBundle` write it. */
export function isSignedBy(chain: string, authorities: string): boolean {
  const [leaf, ...between] = parsed(chain);
  const roots = parsed(authorities);
  const reached = new Set(leaf ? [leaf] : []);
  // What is added on the way is looked at too.
  for (const certificate of reached) {
    if (roots.some((root) => issued(root, certificate))) return true;
    for (const issuer of between) if (issuer.ca && issued(issuer, certificate)) reached.add(issuer);
  }
  return false;
}

function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function parsed(pem: string): readonly X509Certificate[] {
  return (pem.match(block) ?? []).map((text) => new X509Certificate(text));
}

function bad(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

function configText({ data }: ConfigMap, entry: string): string | undefined {
  return data && Object.hasOwn(data, entry) ? data[entry] : undefined;
}

function secretText({ data }: Secret, entry: string): string | undefined {
  const encoded = data && Object.hasOwn(data, entry) ? data[entry] : undefined;
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString("latin1");
}

const block = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

function judgeCertificates(text: string): Judged<readonly X509Certificate[]> {
  if (text.length > mostCharacters) return bad("is larger than 1 MiB");
  const blocks = text.match(block) ?? [];
  if (blocks.length === 0) return bad("holds no PEM certificate (-----BEGIN CERTIFICATE-----)");
  if (blocks.length > mostCertificates)
    return bad(`holds ${blocks.length} certificates; at most ${mostCertificates} are taken`);
  const certificates: X509Certificate[] = [];
  for (const [index, pem] of blocks.entries()) {
    try {
      certificates.push(new X509Certificate(pem));
    } catch {
      return bad(`holds a certificate that cannot be read (number ${index + 1} of ${blocks.length})`);
    }
  }
  return { ok: true, value: certificates };
}

function pemOf(certificates: readonly X509Certificate[]): string {
  return certificates.map((certificate) => certificate.toString()).join("");
}

function parseKey(pem: string): KeyObject | string {
  if (pem.length > mostCharacters) return "is larger than 1 MiB";
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem)) {
    return "is encrypted with a passphrase; store it unencrypted";
  }
  try {
    return createPrivateKey(pem);
  } catch {
    return "holds no PEM private key that can be read";
  }
}
