/*
 * What the DNSRecord of a hostname is called: `<gateway>-<hash>-wildcard`, whether or not the hostname is one.
 *
 *   hash   FNV-1a of 32 bits over the hostname, in decimal digits, each written as a letter that spells no words
 *
 * OpenShift's design hashes the hostname as it stands in the listener; what was shipped puts a dot behind it first. Two hostnames of one Gateway whose hashes are
 * equal can be made on purpose; the second then has a longer hash.
 */
import { createHash } from "node:crypto";

/** Of Kubernetes' generated names: without vowels, and without what is mistaken for one. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const longestName = 253;

export function hashHostname(hostname: string): string {
  return encodeSafely(String(fnv1a(hostname)));
}

/** Hostname → the name of its DNSRecord; each has its own. */
export function recordNames(
  gateway: string,
  hostnames: readonly string[],
  { hashesDot }: { readonly hashesDot: boolean },
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const hostname of hostnames.toSorted()) {
    const hashed = hashesDot ? `${hostname}.` : hostname;
    const first = recordName(gateway, hashHostname(hashed));
    const name = taken.has(first) ? recordName(gateway, longHash(hashed)) : first;
    taken.add(name);
    names.set(hostname, name);
  }
  return names;
}

function recordName(gateway: string, hash: string): string {
  const ending = `-${hash}-wildcard`;
  if (gateway.length + ending.length <= longestName) return `${gateway}${ending}`;
  const distinct = `-${longHash(gateway)}${ending}`;
  return `${gateway.slice(0, longestName - distinct.length).replace(/[^a-z0-9]+$/, "")}${distinct}`;
}

function longHash(text: string): string {
  const digest = createHash("sha256").update(text).digest();
  return encodeSafely(digest.subarray(0, 8).readBigUInt64BE().toString());
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function encodeSafely(text: string): string {
  return [...Buffer.from(text)].map((byte) => alphabet[byte % alphabet.length]).join("");
}
