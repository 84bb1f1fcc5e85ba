/*
 * External authorization: a server is asked before the request goes on. Anything but a clear yes refuses the request: no backend, no endpoint, no
 * connection, no answer in time, an answer that cannot be read, an answer of 5xx.
 */
import checkMessages from "./check-messages.js";
import heads from "./heads.js";
import replies from "./replies.js";
import requests from "./requests.js";
import store from "./store.js";

const framing = [
  "connection",
  "content-length",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
/** About the authorization server's answer itself, not about the user. */
const notCopied = /^(?:host|date|server|vary|etag|expires|cache-control|content-.*|access-control-.*)$/;

/** Beside the request, which goes on where `gw_after` says. */
async function ask(r) {
  await decide(r, undefined);
  r.return(204);
}

/** In place of the request, whose body is read by now. */
async function askWithBody(r) {
  const v = r.variables;
  const body = r.requestBuffer || Buffer.alloc(0);
  const action = requests.readAction(v);
  if (body.length > authOf(v, action).maxBodySize) {
    const text = "the body is larger than the authorization of this route allows";
    v.gw_after = replies.reply(r, readRequest(r, action), 413, text);
  } else {
    await decide(r, body);
  }
  r.internalRedirect(v.gw_after);
}

function authOf(v, action) {
  return v.gw_stage === "rule" ? action.auth : action.backends[Number(v.gw_choice)].auth;
}

/** The request, with what was to be done to its answer by the time the question came up. */
function readRequest(r, action) {
  const v = r.variables;
  const request = heads.read(r);
  if (v.gw_cors) request.cors = JSON.parse(v.gw_cors);
  request.ruleChanges = action.responseHeaders;
  if (v.gw_stage === "backend") request.backendChanges = action.backends[Number(v.gw_choice)].responseHeaders;
  return request;
}

async function decide(r, body) {
  const v = r.variables;
  const action = requests.readAction(v);
  const request = readRequest(r, action);
  try {
    const auth = authOf(v, action);
    const headers = JSON.parse(v.gw_forwarded);
    const decision = await question(r, request, auth, headers, body);
    if (!decision.isAllowed) {
      v.gw_after = deny(r, request, decision);
      return;
    }
    const changes = { drop: decision.remove, append: decision.append };
    if (decision.responseHeaders.length > 0) v.gw_answer_headers = JSON.stringify(decision.responseHeaders);
    const changed = heads.change(headers, changes);
    v.gw_after =
      v.gw_stage === "rule"
        ? requests.afterAuthorization(r, request, action, changed)
        : requests.forward(r, request, action, action.backends[Number(v.gw_choice)], changed);
  } catch (error) {
    r.error("request could not be authorized: " + error.message);
    v.gw_after = deny(r, request, unavailable());
  }
}

function deny(r, request, decision) {
  return request.isGrpc
    ? replies.reply(r, request, decision.status, "the request is not authorized")
    : replies.replyWith(r, request, decision.status, decision.body, decision.headers);
}

function denied(status, text) {
  return {
    isAllowed: false,
    status: status,
    headers: [["content-type", "text/plain; charset=utf-8"]],
    body: text,
  };
}

function unavailable() {
  return denied(403, "the request could not be authorized\n");
}

async function question(r, request, auth, headers, body) {
  const v = r.variables;
  if (auth.isUnusable) return denied(500, "the authorization of this route is not configured correctly\n");
  const backend = store.read(v.gw_folder, "backend/" + auth.backend);
  if (!backend || backend.endpoints.length === 0) return unavailable();
  const endpoint = backend.endpoints[Math.floor(Math.random() * backend.endpoints.length)];
  const isGrpc = auth.protocol === "grpc";
  const slot = isGrpc && endpoint.grpcSlot !== undefined ? endpoint.grpcSlot : endpoint.slot;
  v.gw_ask_up = "l" + slot;
  if (backend.tls) {
    v.gw_ask_name = backend.tls.hostname;
    v.gw_ask_certificate = requests.certificateFile(v, backend);
  }
  const content = isGrpc ? checkMessage(v, request, auth, headers, body) : body || Buffer.alloc(0);
  if (isGrpc) {
    v.gw_ask_method = "POST";
    v.gw_ask_target = "/envoy.service.auth.v3.Authorization/Check";
    const authority = backend.tls ? backend.tls.hostname : "authorization";
    v.gw_ask_head = heads.render(authority, [
      ["content-type", "application/grpc"],
      ["te", "trailers"],
      ["grpc-timeout", "5S"],
    ]);
  } else {
    const sent = headers.filter(
      (pair) => pair[0] === "authorization" || isListed(auth.requestHeaders, pair[0]),
    );
    v.gw_ask_method = request.method;
    v.gw_ask_target = auth.pathPrefix + request.path + request.search;
    v.gw_ask_head = heads.render(request.authority, sent);
  }
  const place = isGrpc || backend.speaksHttp2 ? "/ask-bridge" : "/ask-http";
  const location = place + (backend.trust === undefined ? "" : backend.trust);
  const answer = await r.subrequest(location, { method: "POST", body: content });
  if (isGrpc) return judgeGrpc(answer);
  return judgeHttp(auth, answer);
}

function isListed(list, name) {
  return list === "all" || list.indexOf(name) >= 0;
}

function answerHeaders(answer) {
  return answer.rawHeadersOut.map((pair) => [pair[0].toLowerCase(), pair[1]]);
}

function judgeHttp(auth, answer) {
  const headers = answerHeaders(answer).filter((pair) => framing.indexOf(pair[0]) < 0);
  const status = answer.status;
  if (status === 200) {
    const isAll = auth.responseHeaders === "all";
    // Named headers are the server's to say: what the client wrote there goes, even if the server has nothing to say.
    const remove = isAll ? [] : auth.responseHeaders.filter((name) => name !== "host");
    const append = headers.filter((pair) =>
      isAll ? !notCopied.test(pair[0]) : remove.indexOf(pair[0]) >= 0,
    );
    return {
      isAllowed: true,
      remove: remove.concat(append.map((pair) => pair[0])),
      append: append,
      responseHeaders: [],
    };
  }
  if (status >= 300 && status < 500) {
    return { isAllowed: false, status: status, headers: headers, body: answer.responseText || "" };
  }
  return unavailable();
}

function judgeGrpc(answer) {
  if (answer.status !== 200) return unavailable();
  const said = heads.valueOf(answerHeaders(answer), "grpc-status");
  if (said !== undefined && said !== "0") return unavailable();
  const response = checkMessages.decode(answer.responseBuffer || Buffer.alloc(0));
  if (!response) return unavailable();
  const flat = (options) =>
    options.filter((option) => framing.indexOf(option.name) < 0).map((option) => [option.name, option.value]);
  if (!response.isAllowed) {
    return {
      isAllowed: false,
      status: response.status,
      headers: flat(response.headers),
      body: response.body,
    };
  }
  const replaced = response.headers.filter((option) => !option.append).map((option) => option.name);
  return {
    isAllowed: true,
    remove: response.remove.concat(replaced).filter((name) => framing.indexOf(name) < 0),
    append: flat(response.headers),
    responseHeaders: flat(response.responseHeaders),
  };
}

function checkMessage(v, request, auth, headers, body) {
  const path = request.path + request.search;
  const isAll = auth.requestHeaders === "all";
  const own = [
    [":authority", request.authority],
    [":method", request.method],
    [":path", path],
    [":scheme", request.isSecure ? "https" : "http"],
  ];
  const length = v.http_content_length;
  return checkMessages.encode({
    source: { address: v.proxy_protocol_addr, port: Number(v.proxy_protocol_port) },
    destination: { address: v.proxy_protocol_server_addr, port: Number(v.proxy_protocol_server_port) },
    time: Date.now(),
    id: request.requestId,
    method: request.method,
    headers: isAll ? own.concat(headers) : headers.filter((pair) => isListed(auth.requestHeaders, pair[0])),
    path: path,
    host: request.authority,
    scheme: request.isSecure ? "https" : "http",
    protocol: v.server_protocol === "HTTP/2.0" ? "HTTP/2" : v.server_protocol,
    size: length === undefined ? 0 : Number(length),
    body: body,
  });
}

export default { ask, askWithBody };
