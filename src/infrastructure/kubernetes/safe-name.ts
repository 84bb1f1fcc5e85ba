import { createHash } from "node:crypto";

/**
 * The text itself if it fits; else its beginning and a hash of the whole, so that two long names which begin alike
 * stay two. Names of Services and values of labels have 63 characters at most.
 */
export function safeName(text: string, length = 63): string {
  if (text.length <= length) return text;
  const hash = shortHash(text);
  return `${text.slice(0, length - hash.length - 1).replace(/[^a-zA-Z0-9]+$/, "")}-${hash}`;
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}

/** A DNS label: what Services and their ports are called. A leading digit or a dot is fine in a Gateway's name, not here. */
export function dnsLabel(text: string, length = 63): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9-]/g, "-");
  const label = /^[a-z]/.test(plain) ? plain : `g-${plain}`;
  // What was changed gets the hash of what it was, for `a.b` and `a-b` are two.
  return label === text ? safeName(label, length) : safeName(`${label}-${shortHash(text)}`, length);
}
