/*
 * The head of a request, read once: what routing asks, and what goes on to the backend. NGINX has refused what is malformed; what is left
 * to refuse here is what is well formed and still ambiguous.
 */
import hostnames from "./hostnames.js";
import targets from "./targets.js";

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// eslint-disable-next-line no-control-regex
const forbiddenValue = /[\x00-\x08\x0a-\x1f\x7f]/;
const requestIdForm = /^[A-Za-z0-9._~:+/=@-]{1,128}$/;
const grpcContent = /^application\/grpc(?:$|[+; ])/;
const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/** Not for the backend as they came: they concern the connection, frame the body, or are said by the gateway. */
const notForwarded = {
  host: true,
  "content-length": true,
  "transfer-encoding": true,
  connection: true,
  upgrade: true,
  te: true,
  expect: true,
  "x-forwarded-for": true,
  "x-request-id": true,
  "http2-settings": true,
  "keep-alive": true,
  "proxy-connection": true,
  trailer: true,
  "x-forwarded-client-cert": true,
  "x-forwarded-host": true,
  "x-forwarded-proto": true,
};

/**
 * What nearly all requests are like, told by one look, because each look of an expression costs njs as much as a hundred steps: a plain
 * target, a host in lower case, names that are tokens, values without control characters. All else takes the longer way.
 */
const usual =
  // eslint-disable-next-line no-control-regex
  /^[A-Za-z0-9_.~!$&'()*+,;=:@/?-]*\n[a-z0-9_][a-z0-9_.-]*(?::[0-9]{1,5})?\n[!#$%&'*+\-.^_`|~0-9A-Za-z]*\n[^\x00-\x08\x0a-\x1f\x7f]*$/;

/** The request, or what is wrong with it. */
function read(r) {
  const v = r.variables;
  const raw = r.rawHeadersIn;
  const uri = v.request_uri;
  const line = v.request || "";
  let authority = v.http_host;
  if (line[line.indexOf(" ") + 1] !== "/") {
    const absolute = absoluteForm.exec(line.slice(line.indexOf(" ") + 1));
    if (!absolute) return refused("the target is neither a path nor an http or https URL");
    authority = absolute[1];
  }
  if (authority === undefined || authority === "") return refused("there is no Host header");

  const headers = [];
  const forwardable = [];
  let names = "";
  let values = "";
  let cookieAt = -1;
  let connection;
  let upgrade;
  let forwardedFor;
  let requestId;
  let contentType;
  for (let index = 0; index < raw.length; index++) {
    const name = raw[index][0].toLowerCase();
    const given = raw[index][1];
    // NGINX takes spaces away from around a value, but no tabs (RFC 9110 5.5), and nothing of HTTP/2, which must have none (RFC 9113 8.2.1).
    const value = hasBlanksAround(given) ? given.replace(/^[\t ]+|[\t ]+$/g, "") : given;
    if (value !== given && r.httpVersion === "2.0") return refused("a header has blanks around its value");
    names += name;
    values += value;
    if (name === "cookie") {
      // HTTP/2 may send a cookie in pieces; HTTP/1.1 must not (RFC 9113 8.2.3).
      if (cookieAt >= 0) {
        forwardable[cookieAt][1] += "; " + value;
        continue;
      }
      cookieAt = forwardable.length;
      forwardable.push([name, value]);
      headers.push(forwardable[cookieAt]);
      continue;
    }
    const pair = [name, value];
    headers.push(pair);
    // By which the driver talks to its own bridge.
    if (name.startsWith("x-gatewright-")) continue;
    if (notForwarded[name] !== true) {
      forwardable.push(pair);
      if (name === "content-type" && contentType === undefined) contentType = value;
      continue;
    }
    if (name === "connection") connection = connection === undefined ? value : connection + "," + value;
    else if (name === "upgrade") upgrade = upgrade === undefined ? value : upgrade + ", " + value;
    else if (name === "x-forwarded-for") {
      forwardedFor = forwardedFor === undefined ? value : forwardedFor + ", " + value;
    } else if (name === "x-request-id" && requestId === undefined) requestId = value;
  }

  let path;
  let query = "";
  let search = "";
  let host;
  if (isUsual(uri, authority, names, values)) {
    const mark = uri.indexOf("?");
    path = mark < 0 ? uri : uri.slice(0, mark);
    search = mark < 0 ? "" : uri.slice(mark);
    query = search.slice(1);
    const colon = authority.indexOf(":");
    host = colon < 0 ? authority : authority.slice(0, colon);
  } else {
    const target = targets.normalize(uri[0] === "/" ? uri : "/" + uri);
    if (target === undefined) return refused("the path is malformed or ambiguous");
    host = hostnames.normalize(authority);
    if (host === undefined) return refused("the Host header is malformed");
    if (!isSafe(headers)) return refused("a header is malformed");
    path = target.path;
    query = target.query;
    search = target.search;
  }

  const tokens = connection === undefined || connection === "keep-alive" ? [] : tokensOf(connection);
  return {
    method: v.request_method,
    host: host,
    authority: authority,
    path: path,
    query: query,
    search: search,
    isSecure: v.https === "on",
    isGrpc:
      contentType !== undefined &&
      contentType.startsWith("application/grpc") &&
      grpcContent.test(contentType),
    upgrade: isWebSocket(upgrade) && tokens.indexOf("upgrade") >= 0 ? "websocket" : undefined,
    headers: headers,
    forwardable:
      tokens.length === 0 ? forwardable : forwardable.filter((pair) => tokens.indexOf(pair[0]) < 0),
    forwardedFor: forwardedFor,
    requestId: requestId !== undefined && requestIdForm.test(requestId) ? requestId : newRequestId(v),
    header: (name) => (name === "host" ? authority : valueOf(headers, name)),
  };
}

/** NGINX has the digits of one. */
function newRequestId(v) {
  const digits = v.request_id;
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map((part) => digits.slice(part[0], part[1]))
    .join("-");
}

function isUsual(uri, authority, names, values) {
  const mark = uri.indexOf("?");
  const path = mark < 0 ? uri : uri.slice(0, mark);
  const colon = authority.indexOf(":");
  return (
    usual.test(uri + "\n" + authority + "\n" + names + "\n" + values) &&
    uri[0] === "/" &&
    path.indexOf("//") < 0 &&
    path.indexOf("/.") < 0 &&
    authority.indexOf("..") < 0 &&
    authority.indexOf(".:") < 0 &&
    !authority.endsWith(".") &&
    authority.length <= 250 &&
    !(colon >= 0 && authority.length - colon === 6 && authority.slice(colon + 1) > "65535")
  );
}

function hasBlanksAround(value) {
  const first = value[0];
  const last = value[value.length - 1];
  return first === " " || first === "\t" || last === " " || last === "\t";
}

function tokensOf(list) {
  return list
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== "");
}

/** Over any other protocol, HTTP/2 above all, a client could ask the backend for what no rule gives it. */
function isWebSocket(upgrade) {
  return upgrade !== undefined && tokensOf(upgrade).indexOf("websocket") >= 0;
}

function refused(reason) {
  return { refused: reason };
}

/** Values of a repeated header joined; `undefined` for none. */
function valueOf(headers, name) {
  let found;
  for (let index = 0; index < headers.length; index++) {
    if (headers[index][0] === name) {
      found = found === undefined ? headers[index][1] : found + ", " + headers[index][1];
    }
  }
  return found;
}

/** The headers of a request to a backend before any filter, as pairs. */
function forwarded(request, clientAddress) {
  const headers = request.forwardable.slice();
  headers.push([
    "x-forwarded-for",
    request.forwardedFor === undefined ? clientAddress : request.forwardedFor + ", " + clientAddress,
  ]);
  headers.push(["x-forwarded-proto", request.isSecure ? "https" : "http"]);
  headers.push(["x-forwarded-host", request.authority]);
  headers.push(["x-request-id", request.requestId]);
  return headers;
}

/** `changes`: `{ drop, append }` (names, pairs), or undefined. */
function change(headers, changes) {
  if (changes === undefined) return headers;
  const kept = headers.filter((pair) => changes.drop.indexOf(pair[0]) < 0);
  for (let index = 0; index < changes.append.length; index++) kept.push(changes.append[index]);
  return kept;
}

/** What stands behind `Host: ` in the head of a request over HTTP/1.1: the host, and all other lines. */
function render(authority, headers) {
  let text = authority;
  for (let index = 0; index < headers.length; index++)
    text += "\r\n" + headers[index][0] + ": " + headers[index][1];
  return text;
}

/** Nothing that could end a line may get into a head. */
function isSafe(headers) {
  return headers.every((pair) => token.test(pair[0]) && !forbiddenValue.test(pair[1]));
}

export default { read, valueOf, forwarded, change, render, isSafe };
