/*
 * Which clients a rule takes, by their address: `client-addresses.ts` of the model says how, this does the same. Ranges come as 32 hexadecimal
 * digits and a length.
 */
const digits = /^[0-9A-Fa-f]{1,4}$/;
const decimal = /^(?:0|[1-9][0-9]{0,2})$/;
const mapped = "00000000000000000000ffff";

function hexOf(number, length) {
  return ("000" + number.toString(16)).slice(-length);
}

function parseShort(text) {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let hex = "";
  for (let index = 0; index < 4; index++) {
    if (!decimal.test(parts[index]) || Number(parts[index]) > 255) return undefined;
    hex += hexOf(Number(parts[index]), 2);
  }
  return hex;
}

/** The last group may be an IPv4 address where the text ends there. */
function parseGroups(text, isEnd) {
  if (text === "") return "";
  const groups = text.split(":");
  let hex = "";
  for (let index = 0; index < groups.length; index++) {
    if (digits.test(groups[index])) {
      hex += hexOf(parseInt(groups[index], 16), 4);
      continue;
    }
    const short = isEnd && index === groups.length - 1 ? parseShort(groups[index]) : undefined;
    if (short === undefined) return undefined;
    hex += short;
  }
  return hex;
}

/** 32 digits, or `undefined` for what is no address. */
function parseAddress(text) {
  const zone = text.indexOf("%");
  const plain = zone < 0 ? text : text.slice(0, zone);
  if (plain.indexOf(":") < 0) {
    const short = zone < 0 ? parseShort(plain) : undefined;
    return short === undefined ? undefined : mapped + short;
  }
  const halves = plain.split("::");
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0], halves.length === 1);
  const tail = halves.length === 1 ? "" : parseGroups(halves[1], true);
  if (head === undefined || tail === undefined) return undefined;
  const missing = 32 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 4) return undefined;
  return head + "0".repeat(missing) + tail;
}

function isInRange(address, range) {
  const slash = range.indexOf("/");
  if (slash < 0) return false;
  const length = Number(range.slice(slash + 1));
  // The families stay apart.
  if (length < 96 && address.startsWith(mapped)) return false;
  const whole = Math.floor(length / 4);
  if (address.slice(0, whole) !== range.slice(0, whole)) return false;
  const rest = length % 4;
  if (rest === 0) return true;
  const top = (text) => parseInt(text[whole], 16) >> (4 - rest);
  return top(address) === top(range);
}

function isIn(address, ranges) {
  return ranges.some((range) => isInRange(address, range));
}

function clientOf(peer, trusted, forwardedFor) {
  let address = parseAddress(peer);
  if (address === undefined || forwardedFor === undefined || !isIn(address, trusted)) return address;
  const entries = forwardedFor.split(",");
  for (let index = entries.length - 1; index >= 0; index--) {
    address = parseAddress(entries[index].trim());
    if (address === undefined || !isIn(address, trusted)) return address;
  }
  return address;
}

/** `forwardedFor`: the values of X-Forwarded-For as they came, joined by commas. */
function takes(given, peer, forwardedFor) {
  if (given.deny.indexOf("unreadable") >= 0) return false;
  const address = clientOf(peer, given.trusted, forwardedFor);
  if (address === undefined || isIn(address, given.deny)) return false;
  return given.allow === undefined || isIn(address, given.allow);
}

export default { takes };
