/** A certificate chain with its key, or a bundle of CA certificates. Never logged, never in a dump. */
export interface Certificate {
  /** `<Kind>/<namespace>/<name>` of the Secret or ConfigMap, with `/<key>` where a bundle is meant. */
  readonly key: string;
  /** PEM, leaf first. */
  readonly certificates: string;
  /** PEM; absent for CA bundles. */
  readonly privateKey?: string;
}
