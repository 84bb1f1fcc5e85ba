/** Textual IP addresses as Go's net.ParseIP reads them: no zone, no leading zeros in IPv4. */
const octet = /^(?:0|[1-9][0-9]{0,2})$/;
const hexGroup = /^[0-9a-fA-F]{1,4}$/;

export function isIPv4(text: string): boolean {
  if (text.length > 15) return false;
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => octet.test(part) && Number(part) <= 255);
}

export function isIPv6(text: string): boolean {
  if (text.length > 45 || !text.includes(":")) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const [head = "", tail] = halves;
  const headGroups = countGroups(head, tail === undefined);
  const tailGroups = tail === undefined ? 0 : countGroups(tail, true);
  if (headGroups === undefined || tailGroups === undefined) return false;
  const groups = headGroups + tailGroups;
  return tail === undefined ? groups === 8 : groups < 8;
}

/** The number of 16-bit groups in one side of `::`; an embedded IPv4 address, allowed at the very end, is two. */
function countGroups(text: string, isEnd: boolean): number | undefined {
  if (text === "") return 0;
  const parts = text.split(":");
  let groups = 0;
  for (const [index, part] of parts.entries()) {
    if (hexGroup.test(part)) groups += 1;
    else if (isEnd && index === parts.length - 1 && isIPv4(part)) groups += 2;
    else return undefined;
  }
  return groups;
}

export function isIPAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text);
}

/** Of IP addresses and host names. IPv6 has several ways to write an address. */
export function isSameAddress(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}

function canonical(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]/`).hostname : address.toLowerCase();
}
