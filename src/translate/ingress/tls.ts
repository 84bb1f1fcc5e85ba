// Spec, IngressTLS: the hosts that a Secret has a certificate for; without hosts, all of them. Without a Secret the Gateway's own certificate is shown.

import type { Ingress } from "../../resources/index.ts";
import type { LayerListener } from "../layers.ts";

export interface JudgedTls {
  readonly listeners: readonly Pick<LayerListener, "hostname" | "certificates">[];
  /** Lower-case hosts that are to be had with TLS; `*` for all. */
  readonly covered: readonly string[];
}

export function judgeTls({ metadata, spec }: Ingress): JudgedTls {
  const { namespace } = metadata;
  const certificates = new Map<string, LayerListener["certificates"]>();
  const covered = new Set<string>();
  for (const { hosts = [], secretName = "" } of spec.tls ?? []) {
    const names = hosts.filter((host) => host !== "").map((host) => host.toLowerCase());
    for (const host of names.length > 0 ? names : ["*"]) {
      covered.add(host);
      if (secretName === "") continue;
      const known = certificates.get(host) ?? [];
      if (!known.some(({ name }) => name === secretName))
        certificates.set(host, [...known, { namespace, name: secretName }]);
    }
  }
  return {
    listeners: [...certificates].map(([hostname, own]) => ({ hostname, certificates: own })),
    covered: [...covered],
  };
}

/** A wildcard stands for one label. */
export function coversHost({ covered }: JudgedTls, hostname: string): boolean {
  return ["*", hostname, hostname.replace(/^[^.]+\./, "*.")].some((name) => covered.includes(name));
}
