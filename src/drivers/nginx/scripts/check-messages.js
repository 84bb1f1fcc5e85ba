/* envoy.service.auth.v3: CheckRequest out, CheckResponse in, by the numbers of their fields. */
import protobuf from "./protobuf.js";

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// eslint-disable-next-line no-control-regex
const forbiddenValue = /[\x00-\x08\x0a-\x1f\x7f]/;

/** One frame of gRPC. */
function encode(given) {
  const http = [protobuf.text(1, given.id), protobuf.text(2, given.method)];
  const names = [];
  given.headers.forEach((pair) => {
    if (names.indexOf(pair[0]) >= 0) return;
    names.push(pair[0]);
    const values = given.headers.filter((other) => other[0] === pair[0]).map((other) => other[1]);
    http.push(protobuf.message(3, [protobuf.text(1, pair[0]), protobuf.text(2, values.join(","))]));
  });
  http.push(protobuf.text(4, given.path), protobuf.text(5, given.host), protobuf.text(6, given.scheme));
  http.push(protobuf.number(9, given.size), protobuf.text(10, given.protocol));
  if (given.body && given.body.length > 0)
    http.push(protobuf.bytes(isText(given.body) ? 11 : 12, given.body));
  const time = [
    protobuf.number(1, Math.floor(given.time / 1000)),
    protobuf.number(2, (given.time % 1000) * 1000000),
  ];
  const attributes = [
    peer(1, given.source),
    peer(2, given.destination),
    protobuf.message(4, [protobuf.message(1, time), protobuf.message(2, http)]),
  ];
  const message = protobuf.message(1, attributes);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function isText(body) {
  return Buffer.from(body.toString("utf8")).equals(body);
}

function peer(field, given) {
  const socketAddress = [protobuf.text(2, given.address), protobuf.number(3, given.port)];
  return protobuf.message(field, [protobuf.message(1, [protobuf.message(1, socketAddress)])]);
}

/** `{ isAllowed, headers, remove, responseHeaders }`, `{ status, headers, body }`, or `undefined`: not an answer. A yes must be said. */
function decode(frame) {
  if (frame.length < 5 || frame[0] !== 0 || frame.readUInt32BE(1) !== frame.length - 5) return undefined;
  const fields = protobuf.read(frame.slice(5));
  if (!fields) return undefined;
  const status = protobuf.last(fields, 1);
  const denied = protobuf.last(fields, 2);
  const ok = protobuf.last(fields, 3);
  if (!status && !ok) return undefined;
  const statusFields = status ? protobuf.read(status.bytes) : [];
  if (!statusFields) return undefined;
  const code = protobuf.last(statusFields, 1);
  return (!code || code.value === 0) && !denied ? decodeOk(ok) : decodeDenied(denied);
}

function decodeOk(ok) {
  const fields = ok ? protobuf.read(ok.bytes) : [];
  if (!fields) return undefined;
  const headers = headerOptions(fields, 2);
  const responseHeaders = headerOptions(fields, 6);
  if (!headers || !responseHeaders) return undefined;
  const remove = fields
    .filter((field) => field.number === 5)
    .map((field) => field.bytes.toString("utf8").toLowerCase());
  return { isAllowed: true, headers: headers, remove: remove, responseHeaders: responseHeaders };
}

function decodeDenied(denied) {
  const fields = denied ? protobuf.read(denied.bytes) : [];
  if (!fields) return undefined;
  const given = protobuf.last(fields, 1);
  const statusFields = protobuf.read(given ? given.bytes : Buffer.alloc(0));
  const headers = headerOptions(fields, 2);
  if (!statusFields || !headers) return undefined;
  const code = protobuf.last(statusFields, 1);
  const status = code ? code.value : 0;
  const body = protobuf.last(fields, 3);
  return {
    isAllowed: false,
    // A no that looks like a yes to the client is still a no.
    status: status >= 300 && status <= 599 ? status : 403,
    headers: headers,
    body: body ? body.bytes.toString("utf8") : "",
  };
}

function headerOptions(fields, number) {
  const options = [];
  const given = fields.filter((field) => field.number === number);
  for (let index = 0; index < given.length; index++) {
    const option = protobuf.read(given[index].bytes);
    const inner = option ? protobuf.last(option, 1) : undefined;
    const header = protobuf.read(inner ? inner.bytes : Buffer.alloc(0));
    if (!option || !header) return undefined;
    const nameField = protobuf.last(header, 1);
    const valueField = protobuf.last(header, 3) || protobuf.last(header, 2);
    const name = nameField ? nameField.bytes.toString("utf8").toLowerCase() : "";
    const value = valueField ? valueField.bytes.toString("utf8") : "";
    if (!token.test(name) || forbiddenValue.test(value)) return undefined;
    const flag = protobuf.last(option, 2);
    const wrapped = flag ? protobuf.read(flag.bytes) : undefined;
    const action = protobuf.last(option, 3);
    const isSaid = wrapped ? protobuf.last(wrapped, 1) : undefined;
    options.push({
      name: name,
      value: value,
      // Beside what is there, or in its place.
      append: wrapped
        ? isSaid !== undefined && isSaid.value === 1
        : action !== undefined && action.value === 0,
    });
  }
  return options;
}

export default { encode, decode };
