/** The preface and an empty SETTINGS frame: how a client begins. */
export const http2Bytes = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(4, 0, 0, Buffer.alloc(0)),
]);

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const endStream = 1;
const endHeaders = 4;

/** HEADERS that end the stream. */
export function headersFrame(
  stream: number,
  fields: readonly Buffer[],
  flags = endStream | endHeaders,
): Buffer {
  return frame(1, flags, stream, Buffer.concat(fields));
}

/** A header field without indexing and without Huffman coding: any bytes can be sent as name and value. */
export function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "latin1");
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  length.push(rest);
  return Buffer.concat([Buffer.from(length), bytes]);
}

export function requestFields(path = "/", authority = "a.test"): Buffer[] {
  return [
    literal(":method", "GET"),
    literal(":scheme", "http"),
    literal(":path", path),
    literal(":authority", authority),
  ];
}
