/*
 * The two messages of envoy.service.auth.v3.Authorization/Check, as far as an authorization server for the cases needs them:
 * a reader of what is asked and a writer of yes and no. Fields by their numbers in the published definitions.
 */
export interface CheckedRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** CheckRequest.attributes (1) .request (4) .http (2) */
export function readCheckRequest(message: Buffer): CheckedRequest {
  const http = nested(nested(nested(message, 1), 4), 2);
  const headers = new Map<string, string>();
  for (const entry of fieldsOf(http)) {
    if (entry.number === 3) headers.set(text(entry.bytes, 1), text(entry.bytes, 2));
  }
  return {
    method: text(http, 2),
    path: text(http, 4),
    host: text(http, 5),
    headers,
    body: text(http, 11) || text(http, 12),
  };
}

export type Headers = Readonly<Record<string, string>>;

/** Yes; the headers go into the request to the backend. */
export function allowed(headers: Headers = {}): Buffer {
  return Buffer.concat([lengthDelimited(1, number(1, 0)), lengthDelimited(3, headerOptions(headers))]);
}

/** No, and the answer that the client gets. */
export function denied(status: number, headers: Headers = {}, body = ""): Buffer {
  const permissionDenied = 7;
  const response = [lengthDelimited(1, number(1, status)), headerOptions(headers)];
  if (body !== "") response.push(lengthDelimited(3, Buffer.from(body)));
  return Buffer.concat([
    lengthDelimited(1, number(1, permissionDenied)),
    lengthDelimited(2, Buffer.concat(response)),
  ]);
}

/** HeaderValueOption.header (1), in field 2 of both answers; append (2) is false: in place of what is there. */
function headerOptions(headers: Headers): Buffer {
  const options = Object.entries(headers).map(([name, value]) => {
    const header = Buffer.concat([
      lengthDelimited(1, Buffer.from(name)),
      lengthDelimited(2, Buffer.from(value)),
    ]);
    return lengthDelimited(2, Buffer.concat([lengthDelimited(1, header), lengthDelimited(2, number(1, 0))]));
  });
  return Buffer.concat(options);
}

function lengthDelimited(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}

interface Field {
  readonly number: number;
  /** Of length-delimited fields; empty for others. */
  readonly bytes: Buffer;
}

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const next = () => {
    let value = 0;
    for (let scale = 1; at < message.length; scale *= 128) {
      const byte = message[at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < message.length) {
    const tag = next();
    const type = tag % 8;
    let bytes: Buffer = Buffer.alloc(0);
    if (type === 2) {
      const length = next();
      bytes = message.subarray(at, at + length);
      at += length;
    } else if (type === 0) next();
    else at += type === 1 ? 8 : 4;
    fields.push({ number: Math.floor(tag / 8), bytes });
  }
  return fields;
}

function nested(message: Buffer, field: number): Buffer {
  return fieldsOf(message).findLast((found) => found.number === field)?.bytes ?? Buffer.alloc(0);
}

function text(message: Buffer, field: number): string {
  return nested(message, field).toString("utf8");
}
