// DNS messages, as far as a server of A, AAAA, SRV and CNAME needs them.

export const types = { A: 1, CNAME: 5, AAAA: 28, SRV: 33 };
const ttl = 5;

/** The question of a query: { id, flags, name (lower case, no final dot), type, question (its bytes) }; or undefined. */
export function parseQuery(message) {
  try {
    if (message.length < 17 || message.readUInt16BE(4) !== 1 || message[2] & 0x80) return undefined;
    const labels = [];
    let at = 12;
    for (let length = message[at]; length > 0; length = message[at]) {
      if (length > 63) return undefined;
      labels.push(message.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = message.readUInt16BE(at + 1);
    const question = message.subarray(12, at + 5);
    return {
      id: message.readUInt16BE(0),
      flags: message.readUInt16BE(2),
      name: labels.join(".").toLowerCase(),
      type,
      question,
    };
  } catch {
    return undefined;
  }
}

/** records: [{ type: "A", data }], data: an address, a name, or { port, target } of SRV; undefined: no such name. */
export function renderAnswer({ id, flags, question }, records) {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  // An authoritative answer, recursion as asked for; NXDOMAIN is 3.
  header.writeUInt16BE(0x8480 | (flags & 0x0100) | (records ? 0 : 3), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records?.length ?? 0, 6);
  return Buffer.concat([header, question, ...(records ?? []).map(renderRecord)]);
}

function renderRecord({ type, data }) {
  const bytes = renderData(type, data);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the question's name
  head.writeUInt16BE(types[type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

function renderData(type, data) {
  if (type === "A") return Buffer.from(data.split(".").map(Number));
  if (type === "AAAA") return renderIpv6(data);
  if (type === "CNAME") return renderName(data);
  const head = Buffer.alloc(6);
  head.writeUInt16BE(100, 2);
  head.writeUInt16BE(data.port, 4);
  return Buffer.concat([head, renderName(data.target)]);
}

function renderIpv6(address) {
  const [left, right] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const groups = right ? [...left, ...Array(8 - left.length - right.length).fill("0"), ...right] : left;
  const bytes = Buffer.alloc(16);
  groups.forEach((group, index) => bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2));
  return bytes;
}

function renderName(name) {
  const labels = name.split(".").filter(Boolean);
  return Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}
