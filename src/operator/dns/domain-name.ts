/** Names as the DNS knows them: lower-case, in ASCII form, without a dot at the end. */
import { domainToASCII } from "node:url";

const label = /^[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?$/;
const longestName = 253;

/** Undefined: no name can be so. `*.` may come first. */
export function parseDomainName(text: string): string | undefined {
  const undotted = text.endsWith(".") ? text.slice(0, -1) : text;
  const isWildcard = undotted.startsWith("*.");
  const rest = isWildcard ? undotted.slice(2) : undotted;
  // What is ASCII already need not be a URL's host: those have no underscores.
  const ascii = /^[\x20-\x7e]*$/.test(rest) ? rest.toLowerCase() : domainToASCII(rest);
  const name = isWildcard ? `*.${ascii}` : ascii;
  const isName = name.length <= longestName && ascii.split(".").every((part) => label.test(part));
  return isName ? name : undefined;
}

/** In the domain, or the domain itself. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
