/*
 * How health checks speak TLS: as requests to the backend do. What is made of CAs is kept as long as they are the same.
 */
import type tls from "node:tls";
import type { Backend, BackendTls } from "../model/index.ts";
import { createTlsClient } from "./backend-tls.ts";

type CheckTlsOptions = tls.ConnectionOptions | "nobody is trusted";

/** PEM. */
export interface KnownCertificate {
  readonly chain: string;
  readonly privateKey?: string;
}

interface Made {
  readonly settings: BackendTls;
  /** Chains and keys. */
  readonly texts: readonly (string | undefined)[];
  readonly options: CheckTlsOptions;
}

export class CheckTls {
  readonly #certificateOf: (key: string) => KnownCertificate | undefined;
  readonly #made = new Map<string, Made>();

  constructor(certificateOf: (key: string) => KnownCertificate | undefined) {
    this.#certificateOf = certificateOf;
  }

  /** Undefined: the backend is spoken to in the clear. */
  optionsFor({ key, tls: settings }: Backend): CheckTlsOptions | undefined {
    if (!settings) return undefined;
    const known = this.#made.get(key);
    const texts = namesOf(settings).flatMap((name) => {
      const certificate = this.#certificateOf(name);
      return [certificate?.chain, certificate?.privateKey];
    });
    const isSame = known?.settings === settings && known.texts.every((text, index) => text === texts[index]);
    if (isSame) return known.options;
    const options = this.#make(settings);
    this.#made.set(key, { settings, texts, options });
    return options;
  }

  forget(key: string): void {
    this.#made.delete(key);
  }

  /** CAs that are missing are left out: none left means that no backend can be trusted, never that every one is. */
  #make({ hostname, trusted, subjectAltNames, clientCertificate }: BackendTls): CheckTlsOptions {
    const shown = clientCertificate === undefined ? undefined : this.#certificateOf(clientCertificate);
    try {
      const client = createTlsClient({
        ...(hostname === undefined ? {} : { hostname }),
        subjectAltNames,
        trusted:
          trusted === "system" ? trusted : trusted.flatMap((name) => this.#certificateOf(name)?.chain ?? []),
        ...(shown?.privateKey === undefined
          ? {}
          : { clientCertificate: { certificates: shown.chain, privateKey: shown.privateKey } }),
      });
      return client?.options ?? "nobody is trusted";
    } catch {
      return "nobody is trusted";
    }
  }
}

function namesOf({ trusted, clientCertificate }: BackendTls): readonly string[] {
  return [
    ...(trusted === "system" ? [] : trusted),
    ...(clientCertificate === undefined ? [] : [clientCertificate]),
  ];
}
