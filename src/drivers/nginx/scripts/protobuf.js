/* Protocol buffers, as far as the messages of an authorization server need them. Messages are written from their fields, innermost first. */

/** Up to 2^53; negative ones as protocol buffers have them, in ten bytes. */
function varint(value) {
  const bytes = [];
  if (value < 0) return [255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
  while (value > 127) {
    bytes.push((value % 128) | 128);
    value = Math.floor(value / 128);
  }
  bytes.push(value);
  return bytes;
}

function bytes(number, content) {
  return Buffer.concat([Buffer.from([(number << 3) | 2].concat(varint(content.length))), content]);
}

/** Nothing for an empty text. */
function text(number, value) {
  return value === "" ? Buffer.alloc(0) : bytes(number, Buffer.from(value));
}

/** Nothing for 0; -1 is the only negative number that is used. */
function number(field, value) {
  return value === 0 ? Buffer.alloc(0) : Buffer.from([field << 3].concat(varint(value)));
}

function message(field, parts) {
  return bytes(field, Buffer.concat(parts));
}

/** The fields of a message as `{ number, value, bytes }`, or `undefined` if it is none. Numbers beyond 2^53 are not read right. */
function read(content) {
  const fields = [];
  let at = 0;
  const readVarint = () => {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count++) {
      if (at >= content.length) return undefined;
      const byte = content[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    return undefined;
  };
  while (at < content.length) {
    const key = readVarint();
    if (key === undefined || key < 8) return undefined;
    const field = { number: Math.floor(key / 8), value: 0, bytes: Buffer.alloc(0) };
    const type = key % 8;
    if (type === 0) {
      field.value = readVarint();
      if (field.value === undefined) return undefined;
    } else {
      const length = type === 2 ? readVarint() : type === 1 ? 8 : type === 5 ? 4 : undefined;
      if (length === undefined || at + length > content.length) return undefined;
      field.bytes = content.slice(at, at + length);
      at += length;
    }
    fields.push(field);
  }
  return fields;
}

/** The last one counts, as protocol buffers have it. */
function last(fields, wanted) {
  const found = fields.filter((field) => field.number === wanted);
  return found[found.length - 1];
}

export default { bytes, text, number, message, read, last };
