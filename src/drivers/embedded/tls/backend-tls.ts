import tls from "node:tls";
import type { BackendTls, SubjectAltName } from "../../../model/index.ts";
import type { CertificateTable } from "./certificate-table.ts";
import type { UsableCertificate } from "./usable-certificate.ts";

type BackendTlsOptions = Pick<
  tls.ConnectionOptions,
  "servername" | "secureContext" | "checkServerIdentity"
> & {
  readonly rejectUnauthorized: true;
};

/**
 * How to speak TLS to a backend. Always verified: CAs that are missing make every connection fail, never succeed.
 * The context is built again only when one of the certificates was replaced.
 */
export class BackendTlsContext {
  readonly #backendTls: BackendTls;
  readonly #certificates: CertificateTable;
  #built: { readonly from: readonly unknown[]; readonly options: BackendTlsOptions } | undefined;

  constructor(backendTls: BackendTls, certificates: CertificateTable) {
    this.#backendTls = backendTls;
    this.#certificates = certificates;
  }

  get options(): BackendTlsOptions {
    const { trusted, clientCertificate } = this.#backendTls;
    const authorities = trusted === "system" ? [] : this.#certificates.all(trusted);
    const shown = clientCertificate === undefined ? undefined : this.#certificates.get(clientCertificate);
    const from = [shown, ...authorities];
    if (
      this.#built?.from.length !== from.length ||
      from.some((part, index) => part !== this.#built?.from[index])
    ) {
      this.#built = { from, options: this.#build(authorities, shown) };
    }
    return this.#built.options;
  }

  #build(authorities: readonly UsableCertificate[], shown: UsableCertificate | undefined): BackendTlsOptions {
    const { hostname, trusted, subjectAltNames } = this.#backendTls;
    const secureContext = tls.createSecureContext({
      ...(trusted === "system" ? {} : { ca: authorities.map(({ chain }) => chain) }),
      ...(shown?.privateKey === undefined ? {} : { cert: shown.chain, key: shown.privateKey }),
      minVersion: "TLSv1.2",
    });
    return {
      servername: hostname,
      secureContext,
      rejectUnauthorized: true,
      checkServerIdentity:
        subjectAltNames.length === 0
          ? (_host, certificate) => tls.checkServerIdentity(hostname, certificate)
          : (_host, certificate) => judgeIdentity(subjectAltNames, certificate.subjectaltname ?? ""),
    };
  }
}

/** One of the names must be in the certificate. The common name does not count. */
function judgeIdentity(wanted: readonly SubjectAltName[], present: string): Error | undefined {
  const names = parseAltNames(present);
  const found = wanted.some(({ type, value }) =>
    names.some((name) =>
      type === "uri"
        ? name.type === "URI" && name.value === value
        : name.type === "DNS" && coversHost(name.value.toLowerCase(), value.toLowerCase()),
    ),
  );
  if (found) return undefined;
  const list = wanted.map(({ value }) => value).join(", ");
  return Object.assign(new Error(`the backend's certificate names none of: ${list}`), {
    code: "ERR_TLS_CERT_ALTNAME_INVALID",
  });
}

/** A wildcard in a certificate stands for exactly one label (RFC 6125). */
function coversHost(name: string, host: string): boolean {
  if (!name.startsWith("*.")) return name === host;
  const dot = host.indexOf(".");
  return dot > 0 && host.slice(dot) === name.slice(1);
}

/**
 * Node lists alternative names as `DNS:a.test, URI:spiffe://x`. Values in which a comma or a quote could
 * be mistaken are JSON strings (Node's answer to CVE-2021-44532), so a name cannot smuggle in another.
 */
function parseAltNames(list: string): { type: string; value: string }[] {
  const names: { type: string; value: string }[] = [];
  const entry = /(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)/y;
  for (let match = entry.exec(list); match; match = entry.exec(list)) {
    const [, type, value] = match as unknown as [string, string, string];
    names.push({ type, value: value.startsWith('"') ? (JSON.parse(value) as string) : value });
  }
  return names;
}
