/*
 * Answers of the gateway itself, and the marks that it leaves on answers of backends. A reply is prepared in variables; the location
 * `@reply` sends its body, and `decorate`, which NGINX calls for every head of an answer, gives it its status and headers.
 */

// eslint-disable-next-line no-control-regex
const forbiddenValue = /[\x00-\x08\x0a-\x1f\x7f]/;

/** gRPC's own table of HTTP answers that carry no grpc-status. */
const grpcStatuses = { 400: 13, 401: 16, 403: 7, 404: 12, 429: 14, 502: 14, 503: 14, 504: 14 };

/** Where NGINX goes on. `headers`: pairs. The changes of the rule, and of its backend if one was chosen, hold for these answers too. */
function reply(r, request, status, text, headers) {
  const v = r.variables;
  const isGrpc = request.isGrpc && status >= 400;
  const type = text === "" ? [] : [["content-type", "text/plain; charset=utf-8"]];
  v.gw_body = isGrpc || text === "" ? "" : text + "\n";
  v.gw_out = JSON.stringify({
    status: isGrpc ? 200 : status,
    append: (isGrpc ? grpcHeaders(status, text) : type).concat(headers || []),
    cors: isGrpc ? undefined : request.cors,
    backend: request.backendChanges,
    rule: request.ruleChanges,
  });
  return "@reply";
}

/** An answer in somebody else's words: an authorization server's. */
function replyWith(r, request, status, body, headers) {
  r.variables.gw_body = body;
  r.variables.gw_out = JSON.stringify({
    status: status,
    append: headers,
    cors: request.cors,
    backend: request.backendChanges,
    rule: request.ruleChanges,
  });
  return "@reply";
}

function grpcHeaders(status, text) {
  return [
    ["content-type", "application/grpc"],
    ["grpc-status", String(grpcStatuses[status] || 2)],
    ["grpc-message", text],
  ];
}

/**
 * Called for the head of a backend's answer, before any of it is sent. NGINX takes an interim answer (103) for the final one, passes on without a
 * head what has no status line, takes a switch of protocols that nobody asked for, and chooses among several lengths: whatever follows would be read
 * by the client as answers to its next requests. So nothing is sent at all, and the connection is closed.
 */
function check(r) {
  const status = r.status;
  const isAsked = status === 101 && r.variables.gw_connection === "upgrade";
  if ((status < 200 && !isAsked) || r.httpVersion === "0.9")
    throw noAnswer(r, "the backend gave no final answer");
  if (!hasOneEnd(r)) throw noAnswer(r, "the length of the backend's answer is malformed or ambiguous");
  if (hasControls(r)) throw noAnswer(r, "a header of the backend's answer has a control character");
  // NGINX passes on what length a backend says of nothing.
  if (status === 204) delete r.headersOut["Content-Length"];
}

/** For the log; the client gets nothing. */
function noAnswer(r, reason) {
  r.status = 502;
  return new Error(reason);
}

/** Of several lengths NGINX shows the first here and goes by the last; one that is no number it shows, but does not pass on. */
function hasOneEnd(r) {
  const length = r.variables.upstream_http_content_length;
  const coding = r.variables.upstream_http_transfer_encoding;
  if (coding !== undefined) return length === undefined && coding.toLowerCase() === "chunked";
  return length === undefined || Number(r.headersOut["Content-Length"]) === Number(length);
}

function hasControls(r) {
  const raw = r.rawHeadersOut;
  let values = r.headersOut["Content-Type"] || "";
  for (let index = 0; index < raw.length; index++) values += raw[index][1];
  return forbiddenValue.test(values);
}

/** Called for the head of an answer. What is to be done with it stands in `gw_out`. */
function decorate(r) {
  check(r);
  const text = r.variables.gw_out;
  if (text) mark(r, JSON.parse(text));
}

/** What is nearer to the backend comes first. A header may have any name, `constructor` too, so its name is looked up in the headers alone. */
function mark(r, out) {
  Object.setPrototypeOf(r.headersOut, null);
  if (out.status !== undefined) r.status = out.status;
  if (out.append) append(r, out.append);
  if (out.cors) markCors(r, out.cors);
  if (out.backend) change(r, out.backend);
  if (out.rule) change(r, out.rule);
  if (out.authorized) append(r, out.authorized);
  if (out.session) append(r, [out.session]);
}

function change(r, changes) {
  if (changes.drop) changes.drop.forEach((name) => delete r.headersOut[name]);
  if (changes.append) append(r, changes.append);
}

/** Values of one name become lines of their own, as those of a backend are, and are set together: what is set cannot be told apart again. */
function append(r, pairs) {
  const values = {};
  pairs.forEach((pair) => {
    const name = "=" + pair[0];
    values[name] = (values[name] || []).concat([pair[1]]);
  });
  for (let key in values) {
    const name = key.slice(1);
    const before = r.headersOut[name];
    const isFirst = before === undefined || name === "content-type";
    const all = isFirst ? values[key] : [].concat(before).concat(values[key]);
    r.headersOut[name] = all.length === 1 ? all[0] : all;
  }
}

/** The gateway's CORS headers take the place of the backend's, and `vary` is added to the backend's own. */
function markCors(r, pairs) {
  for (let name in r.headersOut) {
    if (name.toLowerCase().startsWith("access-control-")) delete r.headersOut[name];
  }
  pairs.forEach((pair) => {
    if (pair[0] !== "vary") {
      r.headersOut[pair[0]] = pair[1];
      return;
    }
    const before = r.headersOut["vary"];
    const vary = before === undefined ? "" : [].concat(before).join(", ");
    const isSaid = vary
      .split(",")
      .some((part) => part.trim() === "*" || part.trim().toLowerCase() === pair[1].toLowerCase());
    if (!isSaid) r.headersOut["vary"] = vary === "" ? pair[1] : vary + ", " + pair[1];
  });
}

/** NGINX's own answers where a backend could not be reached or was too slow. They are about no session. */
function failed(r, status, text) {
  const isGrpc = r.variables.gw_grpc === "1";
  r.status = isGrpc ? 200 : status;
  if (isGrpc) {
    grpcHeaders(status, text).forEach((pair) => {
      r.headersOut[pair[0]] = pair[1];
    });
  }
  const out = r.variables.gw_out ? JSON.parse(r.variables.gw_out) : {};
  out.session = undefined;
  if (isGrpc) out.cors = undefined;
  mark(r, out);
}

/** 502 if the backend said something that is no answer, 503 if it said nothing. The bridge has one word for both. */
function unreachable(r) {
  const v = r.variables;
  const isSilent = /(?:^|\s)[0-]$/.test(v.upstream_bytes_received) || /\b597$/.test(v.upstream_status);
  failed(r, isSilent ? 503 : 502, "the backend gave no answer");
}

function tooSlow(r) {
  failed(r, 504, "the backend did not answer in time");
}

function tooLarge(r) {
  failed(r, 413, "the body is larger than this route allows");
}

export default { reply, replyWith, check, decorate, unreachable, tooSlow, tooLarge };
