/*
 * A request's authority becomes a name, and the name becomes the list of configured names that would take it, most specific
 * first. The same rules as `hostname.ts` of the model, in the part of JavaScript that njs knows.
 */
const longestName = 253;
const regName = /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
const portSuffix = /^:[0-9]{0,5}$/;
const ipv4 = /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/;
const ipv6 = /^\[[0-9A-Fa-f:.]{2,45}\]$/;

function isPort(suffix) {
  return portSuffix.test(suffix) && Number(suffix.slice(1)) <= 65535;
}

/** The name without port and trailing dot, in lower case; `undefined` for what is no host. */
function normalize(authority) {
  const length = authority.length;
  if (length === 0 || length > longestName + 7) return undefined;
  const inBrackets = authority[0] === "[";
  const nameEnd = inBrackets ? authority.indexOf("]") + 1 : authority.indexOf(":");
  if (inBrackets && nameEnd === 0) return undefined;
  let name = nameEnd < 0 ? authority : authority.slice(0, nameEnd);
  if (nameEnd >= 0 && nameEnd < length && !isPort(authority.slice(nameEnd))) return undefined;
  if (inBrackets) return ipv6.test(name) ? name.toLowerCase() : undefined;
  if (name.endsWith(".")) name = name.slice(0, -1);
  return name.length <= longestName && regName.test(name) ? name.toLowerCase() : undefined;
}

function candidates(host) {
  const names = [host];
  const last = host.charCodeAt(host.length - 1);
  // Only what ends in a digit can be an address of IPv4.
  const isAddress = host[0] === "[" || (last >= 0x30 && last <= 0x39 && ipv4.test(host));
  if (host.length <= longestName && !isAddress) {
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
      names.push("*" + host.slice(dot));
    }
  }
  names.push("*");
  return names;
}

export default { normalize, candidates };
