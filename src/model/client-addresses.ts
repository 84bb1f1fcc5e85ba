/*
 * Which clients a rule takes, by their address.
 *
 * An address is 16 bytes; an IPv4 address is its mapped form `::ffff:a.b.c.d`. So `::ffff:10.0.0.1` is 10.0.0.1, and a range of one is a range of the other.
 * A range is the first `length` bits of such an address. The two families stay apart all the same: `::/0` is every IPv6 address, and no IPv4 address.
 *
 * The client's address, for `forwarded`: the walk begins at the peer. As long as the address is of a trusted proxy, the next one is what that proxy
 * said: the entries of X-Forwarded-For from the right. The first that is not trusted is the client; if all are, the leftmost. Whatever
 * stands to the left of it is anybody's word and is not looked at.
 */

/** 403 unless the client's address is in `allow` (absent: all are), and not in `deny`. */
export interface ClientAddresses {
  /** CIDRs or single addresses, IPv4 and IPv6. Empty: nobody. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /**
   * `peer`: whoever opened the connection. `forwarded`: whom the trusted proxies before this gateway say that they act for, by X-Forwarded-For.
   * A client can write anything into that header, so it is believed only as far as `trustedProxies` reach: without any, it is the peer.
   * An entry that is no address is refused.
   */
  readonly source: "peer" | "forwarded";
  /** CIDRs of the proxies before this gateway that add to X-Forwarded-For. `forwarded` only. */
  readonly trustedProxies?: readonly string[];
}

export interface AddressRange {
  /** 16 bytes; zero behind the first `length` bits. */
  readonly bytes: Uint8Array;
  /** Of 128. */
  readonly length: number;
}

/** `10.0.0.0/8`, `2001:db8::/32`, `10.0.0.1`, `::ffff:10.0.0.0/104`. Undefined: none of these. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const slash = text.indexOf("/");
  const bytes = parseAddress(slash < 0 ? text : text.slice(0, slash));
  if (!bytes) return undefined;
  const isShort = !text.includes(":");
  const digits = slash < 0 ? (isShort ? "32" : "128") : text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(digits)) return undefined;
  const given = Number(digits);
  if (given > (isShort ? 32 : 128)) return undefined;
  const length = isShort ? given + 96 : given;
  return { bytes: bytes.map((byte, index) => byte & maskOf(length, index)), length };
}

/** The address as text of its own family: `10.0.0.0/8`, never `::ffff:a00:0/104`. */
export function renderAddressRange({ bytes, length }: AddressRange): {
  readonly address: string;
  readonly length: number;
} {
  if (length >= 96 && isMapped(bytes)) return { address: bytes.subarray(12).join("."), length: length - 96 };
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((bytes[index * 2]! << 8) | bytes[index * 2 + 1]!).toString(16),
  );
  return { address: groups.join(":"), length };
}

/** For scripts that compare addresses: 32 hexadecimal digits and how many bits count. What cannot be read is a text that no range is. */
export function encodeAddressRange(text: string): string {
  const range = parseAddressRange(text);
  return range ? `${Buffer.from(range.bytes).toString("hex")}/${range.length}` : "unreadable";
}

/** 16 bytes, or undefined for what is no address. Zones (`fe80::1%eth0`) are left out: they say nothing to others. */
export function parseAddress(text: string): Uint8Array | undefined {
  const zone = text.indexOf("%");
  const plain = zone < 0 ? text : text.slice(0, zone);
  if (!plain.includes(":")) {
    if (zone >= 0) return undefined;
    const short = parseShort(plain);
    return short && Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...short);
  }
  return parseLong(plain);
}

/** Whether any of the ranges has the address. */
export function isInRanges(bytes: Uint8Array, ranges: readonly AddressRange[]): boolean {
  return ranges.some((range) => isInRange(bytes, range));
}

export interface CompiledClientAddresses {
  /** `forwardedFor`: the values of X-Forwarded-For as they came, joined by commas; asked for only if need be. */
  takes(peer: string, forwardedFor: () => string | undefined): boolean;
}

/** A range that cannot be read is nobody's in `allow` and `trustedProxies`, and everybody's in `deny`. */
export function compileClientAddresses(given: ClientAddresses): CompiledClientAddresses {
  const allow = given.allow && readRanges(given.allow);
  const deny = readRanges(given.deny ?? []);
  const deniesAll = deny.length < (given.deny?.length ?? 0);
  const trusted = given.source === "forwarded" ? readRanges(given.trustedProxies ?? []) : [];
  return {
    takes(peer, forwardedFor) {
      if (deniesAll) return false;
      const address = clientOf(peer, trusted, forwardedFor);
      if (!address || isInRanges(address, deny)) return false;
      return !allow || isInRanges(address, allow);
    },
  };
}

function clientOf(
  peer: string,
  trusted: readonly AddressRange[],
  forwardedFor: () => string | undefined,
): Uint8Array | undefined {
  let address = parseAddress(peer);
  if (!address || trusted.length === 0 || !isInRanges(address, trusted)) return address;
  const entries = forwardedFor()?.split(",") ?? [];
  for (let index = entries.length - 1; index >= 0; index--) {
    address = parseAddress(entries[index]!.trim());
    if (!address || !isInRanges(address, trusted)) return address;
  }
  return address;
}

function readRanges(texts: readonly string[]): AddressRange[] {
  return texts.flatMap((text) => parseAddressRange(text) ?? []);
}

function isInRange(bytes: Uint8Array, range: AddressRange): boolean {
  if (range.length < 96 && isMapped(bytes)) return false;
  for (let index = 0; index * 8 < range.length; index++) {
    if ((bytes[index]! & maskOf(range.length, index)) !== range.bytes[index]) return false;
  }
  return true;
}

/** The bits of a byte that belong to the first `length` of all. */
function maskOf(length: number, index: number): number {
  const bits = Math.min(8, Math.max(0, length - index * 8));
  return (0xff << (8 - bits)) & 0xff;
}

function isMapped(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
}

function parseShort(text: string): readonly number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte < 256) ? bytes : undefined;
}

function parseLong(text: string): Uint8Array | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = [readGroups(halves[0]!, halves.length === 1), readGroups(halves[1] ?? "", true)];
  if (!head || !tail) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return Uint8Array.from([...head, ...Array.from({ length: missing }, () => 0), ...tail]);
}

/** The bytes of groups between colons; the last may be an IPv4 address where the text ends there. */
function readGroups(text: string, isEnd: boolean): readonly number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const short = isEnd && index === groups.length - 1 ? parseShort(group) : undefined;
    if (!short) return undefined;
    bytes.push(...short);
  }
  return bytes;
}
