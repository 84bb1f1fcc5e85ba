import type { Rule } from "./rule.ts";

/**
 * The rules for one hostname on one listener. The request's host picks a virtual host: exact name, then the
 * longest wildcard, then `*`. If none of its rules match, the next less specific virtual host of the same
 * section is tried, because the API gives precedence to the more specific hostname but does not end the search there.
 * Nothing left: 404.
 *
 * An API listener always has a virtual host for its own hostname, if need be with no rules: that is what keeps
 * listeners isolated from each other. A TLS connection whose server name belongs to another section than the virtual host
 * found is answered with 421.
 */
export interface VirtualHost {
  /** `<listener key>|<hostname>` */
  readonly key: string;
  readonly listener: string;
  /** Lower-case exact name, `*.suffix` or `*`. */
  readonly hostname: string;
  /** The API listener that owns the hostname: `<Kind>/<namespace>/<name>/<section>`. */
  readonly section: string;
  /** In order of precedence: the first that matches decides. */
  readonly rules: readonly Rule[];
}
