/*
 * TLS to a backend: who it must be, and how it is checked.
 *
 * The chain must end in one of the given CAs (with none given, nothing is good). Then a name must fit: one of
 * `subjectAltNames` if there are any, else `hostname` if there is one. Only subject alternative names count; a common name never does.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import tls from "node:tls";
import type { SubjectAltName } from "../model/index.ts";

/** `BackendTls` of the model with its references replaced by PEM. */
export interface UpstreamTls {
  readonly hostname?: string;
  /** PEM bundles. Empty: no backend is good. */
  readonly trusted: readonly string[] | "system";
  readonly subjectAltNames: readonly SubjectAltName[];
  readonly clientCertificate?: { readonly certificates: string; readonly privateKey: string };
}

/** Made once per backend: parsing CAs is what costs. */
export interface TlsClient {
  readonly options: tls.ConnectionOptions;
}

/** Throws if the PEM material is unusable. `undefined`: nothing is trusted, so there is nobody to connect to. */
export function createTlsClient(settings: UpstreamTls): TlsClient | undefined {
  if (settings.trusted !== "system" && settings.trusted.length === 0) return undefined;
  const { clientCertificate } = settings;
  const secureContext = tls.createSecureContext({
    ca: settings.trusted === "system" ? systemRoots() : [...settings.trusted],
    minVersion: "TLSv1.2",
    ...(clientCertificate ? { cert: clientCertificate.certificates, key: clientCertificate.privateKey } : {}),
  });
  return {
    options: {
      secureContext,
      // Empty, so that nobody puts the host in its place.
      servername: settings.hostname ?? "",
      rejectUnauthorized: true,
      checkServerIdentity: (_name, peer) => judgeIdentity(settings, peer.raw),
    },
  };
}

/** An error if the certificate is not the backend's. */
export function judgeIdentity(settings: UpstreamTls, der: Buffer): Error | undefined {
  const { hostname, subjectAltNames: wanted } = settings;
  if (hostname === undefined && wanted.length === 0) return undefined;
  const certificate = new X509Certificate(der);
  if (hostname !== undefined && wanted.length === 0) {
    return namesHost(certificate, hostname)
      ? undefined
      : new Error(`the backend's certificate is not for ${hostname}`);
  }
  const names = subjectAltNamesOf(certificate.subjectAltName ?? "");
  const found = wanted.some(({ type, value }) =>
    type === "uri"
      ? names.some((name) => name.type === "URI" && name.value === value)
      : namesHost(certificate, value) || namesWildcard(names, value),
  );
  if (found) return undefined;
  return new Error(
    `the backend's certificate has none of the subject alternative names ${wanted.map(({ value }) => value).join(", ")}`,
  );
}

function namesHost(certificate: X509Certificate, host: string): boolean {
  return certificate.checkHost(host, { subject: "never", partialWildcards: false }) !== undefined;
}

/** `*.example.com` as a demand: any name of the certificate directly below example.com, or that very wildcard. */
function namesWildcard(names: readonly AlternativeName[], wanted: string): boolean {
  if (!wanted.startsWith("*.")) return false;
  const suffix = wanted.slice(1).toLowerCase();
  return names.some(({ type, value }) => {
    const name = value.toLowerCase();
    return type === "DNS" && name.endsWith(suffix) && name.indexOf(".") === name.length - suffix.length;
  });
}

interface AlternativeName {
  readonly type: string;
  readonly value: string;
}

/**
 * Node shows them as `DNS:a.test, URI:spiffe://a/b`; a value that could be mistaken for a separator is a JSON string,
 * so splitting has to respect quotes.
 */
export function subjectAltNamesOf(text: string): readonly AlternativeName[] {
  const names: AlternativeName[] = [];
  const form = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/gy;
  for (let part = form.exec(text); part; part = form.exec(text)) {
    const value = part[2]!;
    names.push({ type: part[1]!, value: value.startsWith('"') ? (JSON.parse(value) as string) : value });
  }
  return names;
}

const bundlesOfSystems = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

let roots: string[] | undefined;

/** The machine's own CAs: as this Node knows them, from the usual files, or those that come with Node. */
function systemRoots(): string[] {
  if (roots) return roots;
  const known = (tls as { getCACertificates?: (type: "system") => string[] }).getCACertificates?.("system");
  if (known && known.length > 0) return (roots = known);
  const given = process.env["SSL_CERT_FILE"];
  for (const path of given === undefined ? bundlesOfSystems : [given, ...bundlesOfSystems]) {
    try {
      return (roots = [readFileSync(path, "utf8")]);
    } catch {
      // Not on this system; the next one may be.
    }
  }
  return (roots = [...tls.rootCertificates]);
}
