/*
 * Hostnames: how a request's authority becomes a name, and which of the configured names takes it.
 *
 * Configured names are `a.example.com` (exact), `*.example.com` (one or more labels in front) and `*`.
 * The order of specificity is: the exact name, then wildcards from the longest suffix to the shortest, then `*`.
 * A lookup walks the dots of the host from left to right and asks one map per dot: its cost is the number of labels,
 * however many names are configured. No name is longer than 253 characters (RFC 1035), so longer hosts are not walked.
 */

const longestName = 253;
const regName = /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
const portSuffix = /^:[0-9]{0,5}$/;
const ipv4 = /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/;
const ipv6 = /^\[[0-9A-Fa-f:.]{2,45}\]$/;

/**
 * The name in a Host header or `:authority`: without port and trailing dot, lower-case, IPv6 literals in brackets.
 * `undefined` for what is no host: user information, spaces, characters that no name has (`*` among them, so that a
 * request cannot ask for a wildcard by its own name), empty labels, ports that are no ports.
 */
export function normalizeHost(authority: string): string | undefined {
  const length = authority.length;
  if (length === 0 || length > longestName + 7) return undefined;
  const inBrackets = authority.charCodeAt(0) === 0x5b;
  const nameEnd = inBrackets ? authority.indexOf("]") + 1 : authority.indexOf(":");
  if (inBrackets && nameEnd === 0) return undefined;
  let name = nameEnd < 0 ? authority : authority.slice(0, nameEnd);
  if (nameEnd >= 0 && nameEnd < length && !isPort(authority.slice(nameEnd))) return undefined;
  if (inBrackets) return ipv6.test(name) ? name.toLowerCase() : undefined;
  if (name.endsWith(".")) name = name.slice(0, -1);
  // Lower-cased last: there are letters outside ASCII whose lower case is an ASCII letter.
  return name.length <= longestName && regName.test(name) ? name.toLowerCase() : undefined;
}

function isPort(suffix: string): boolean {
  return portSuffix.test(suffix) && Number(suffix.slice(1)) <= 65535;
}

/** An address instead of a name: wildcards other than `*` never take it. */
export function isAddressLiteral(host: string): boolean {
  return host.charCodeAt(0) === 0x5b || ipv4.test(host);
}

/** The configured names that would take `host` (as `normalizeHost` gives it), most specific first. */
export function hostnameCandidates(host: string): string[] {
  const candidates = [host];
  if (host.length <= longestName && !isAddressLiteral(host)) {
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
      candidates.push(`*${host.slice(dot)}`);
    }
  }
  candidates.push("*");
  return candidates;
}

export function matchesHostname(pattern: string, host: string): boolean {
  if (pattern === "*" || pattern === host) return true;
  if (!pattern.startsWith("*.")) return false;
  return host.length >= pattern.length && host.endsWith(pattern.slice(1)) && !isAddressLiteral(host);
}

/** Sorts configured names by specificity: exact before wildcard, longer before shorter, `*` last, then by name. */
export function compareHostnames(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || b.length - a.length || (a < b ? -1 : a > b ? 1 : 0);
}

function rankOf(hostname: string): number {
  return hostname === "*" ? 2 : hostname.startsWith("*.") ? 1 : 0;
}

/** Values by configured hostname, found by a request's host. */
export class HostTable<T> {
  readonly #exact = new Map<string, T>();
  /** By suffix with its leading dot: `.example.com`. */
  readonly #wildcards = new Map<string, T>();
  #any: { readonly value: T } | undefined;

  get size(): number {
    return this.#exact.size + this.#wildcards.size + (this.#any ? 1 : 0);
  }

  set(hostname: string, value: T): void {
    if (hostname === "*") this.#any = { value };
    else if (hostname.startsWith("*.")) this.#wildcards.set(hostname.slice(1), value);
    else this.#exact.set(hostname, value);
  }

  /** The value of exactly this configured name. */
  get(hostname: string): T | undefined {
    if (hostname === "*") return this.#any?.value;
    return hostname.startsWith("*.") ? this.#wildcards.get(hostname.slice(1)) : this.#exact.get(hostname);
  }

  delete(hostname: string): boolean {
    if (hostname !== "*") {
      return hostname.startsWith("*.")
        ? this.#wildcards.delete(hostname.slice(1))
        : this.#exact.delete(hostname);
    }
    const had = this.#any !== undefined;
    this.#any = undefined;
    return had;
  }

  /** The most specific value that takes `host`. */
  find(host: string): T | undefined {
    const exact = this.#exact.get(host);
    if (exact !== undefined) return exact;
    if (this.#walksWildcards(host)) {
      for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
        const value = this.#wildcards.get(host.slice(dot));
        if (value !== undefined) return value;
      }
    }
    return this.#any?.value;
  }

  /** All values that take `host`, most specific first. */
  *findAll(host: string): Generator<T, void, undefined> {
    const exact = this.#exact.get(host);
    if (exact !== undefined) yield exact;
    if (this.#walksWildcards(host)) {
      for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
        const value = this.#wildcards.get(host.slice(dot));
        if (value !== undefined) yield value;
      }
    }
    if (this.#any) yield this.#any.value;
  }

  #walksWildcards(host: string): boolean {
    return this.#wildcards.size > 0 && host.length <= longestName && !isAddressLiteral(host);
  }
}
