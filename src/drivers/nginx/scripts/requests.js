/*
 * What happens to a request. NGINX asks `route` where to go on; everything it needs there is left in variables. The order of the
 * steps is that of all drivers: route, answer CORS pre-flights, ask for authorization, redirect, choose a backend, do the
 * same with the filters of that backend, change the headers, mirror, forward.
 *
 * Nothing here is made of text from an object: scripts are constant, and what they decide by is data that the driver wrote.
 */
import automata from "./automata.js";
import budgets from "./budgets.js";
import clientAddresses from "./client-addresses.js";
import crossOrigin from "./cross-origin.js";
import heads from "./heads.js";
import hostnames from "./hostnames.js";
import limits from "./limits.js";
import matching from "./matching.js";
import replies from "./replies.js";
import sessions from "./sessions.js";
import store from "./store.js";
import targets from "./targets.js";

const redirectPorts = { http: 80, https: 443 };
const idempotent = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"];
const mostTries = 9;
const mostFailovers = 3;
const mostMirrors = 8;
const tooLargeText = "the body is larger than this route allows";

/** The location that goes on with the request. */
function route(r) {
  const v = r.variables;
  v.gw_stage = "routed";
  try {
    return routeRequest(r, v);
  } catch (error) {
    if (error.isTooCostly) return replies.reply(r, {}, 400, "the request takes too long to match");
    r.error("request could not be routed: " + error.message);
    return replies.reply(r, {}, 500, "the gateway has failed");
  }
}

function routeRequest(r, v) {
  // Nothing of a body is counted yet.
  v.gw_head_bytes = v.request_length;
  const request = heads.read(r);
  if (request.refused !== undefined) return replies.reply(r, {}, 400, request.refused);
  v.gw_path = request.path;
  v.gw_log_host = request.host;
  v.gw_id = request.requestId;
  const found = findAction(v, request);
  if (found === "misdirected") return replies.reply(r, request, 421, "this connection is not for that host");
  if (found === undefined) return replies.reply(r, request, 404, "no route for this request");
  const action = found.action;
  v.gw_route = action.route;
  v.gw_rule = action.rule;
  request.ruleChanges = action.responseHeaders;
  const refusal = refuse(r, request, action);
  if (refusal !== undefined) return refusal;
  if (action.timeouts.request > 0) v.gw_deadline = String(Date.now() + action.timeouts.request);
  if (action.cors && answersCors(request, action.cors)) return replies.reply(r, request, 200, "");
  const headers = heads.forwarded(request, v.proxy_protocol_addr);
  if (action.auth) return authorize(r, request, action, action.auth, "rule", headers);
  return afterAuthorization(r, request, action, headers);
}

/** Where a request goes on that the rule does not take: the client, a limit, a length that is declared. Others are counted by NGINX. */
function refuse(r, request, action) {
  const v = r.variables;
  const given = action.clientAddresses;
  if (given && !clientAddresses.takes(given, v.proxy_protocol_addr, request.forwardedFor)) {
    return replies.reply(r, request, 403, "this client is not allowed here");
  }
  const limit = action.rateLimit;
  if (limit && !limits.take(v.gw_folder, limit, Date.now())) {
    return replies.reply(r, request, limit.statusCode, "too many requests", limit.responseHeaders);
  }
  if (action.maxBodySize !== undefined && Number(v.http_content_length || "0") > action.maxBodySize) {
    return replies.reply(r, request, 413, tooLargeText);
  }
  return undefined;
}

/** What `keepAction` kept: the action as it was when the request came. */
function readAction(v) {
  return JSON.parse(v.gw_action);
}

/** For scripts that go on with the request later. */
function keepAction(v, action) {
  if (!v.gw_action) v.gw_action = JSON.stringify(action);
}

/** The rule that takes the request, as `matching.js` gives it. */
function findAction(v, request) {
  const names = hostnames.candidates(request.host);
  const effort = automata.newEffort();
  let section;
  if (v.https === "on") {
    const server = findServerName(v.gw_folder, v.gw_listener, v.ssl_server_name);
    if (server === undefined || server.type !== "http") return "misdirected";
    section = server.section;
  }
  let isFirst = true;
  for (let index = 0; index < names.length; index++) {
    const host = store.read(v.gw_folder, "host/" + v.gw_listener + "/=" + names[index]);
    if (host === undefined) continue;
    if (isFirst) {
      isFirst = false;
      if (section !== undefined && host.section !== section) return "misdirected";
      section = host.section;
    }
    if (host.section !== section) continue;
    const found = matching.findRule(v.gw_folder, host, request, effort);
    if (found === undefined) continue;
    // TRACE shows all that a backend gets, and CONNECT asks for a tunnel: only for rules that name them.
    const isOdd = request.method === "TRACE" || request.method === "CONNECT";
    return isOdd && found.method !== request.method ? undefined : found;
  }
  return undefined;
}

function findServerName(folder, listener, given) {
  const name = given ? hostnames.normalize(given) : undefined;
  const names = name === undefined ? ["*"] : hostnames.candidates(name);
  for (let index = 0; index < names.length; index++) {
    const server = store.read(folder, "name/" + listener + "/=" + names[index]);
    if (server !== undefined) return server;
  }
  return undefined;
}

/** True: it is a pre-flight request, which is answered now. */
function answersCors(request, policy) {
  const verdict = crossOrigin.judge(policy, request);
  if (verdict === undefined) return false;
  request.cors = verdict.headers;
  return verdict.isPreflight;
}

/** The headers travel as they are by now; the question is asked by `authorization.js`. */
function authorize(r, request, action, auth, stage, headers) {
  const v = r.variables;
  keepAction(v, action);
  v.gw_stage = stage;
  v.gw_forwarded = JSON.stringify(headers);
  v.gw_cors = request.cors === undefined ? "" : JSON.stringify(request.cors);
  if (auth.maxBodySize === 0 || !hasBody(v)) return "@ask";
  const tooLarge = Number(v.http_content_length || "0") > auth.maxBodySize;
  return tooLarge
    ? replies.reply(r, request, 413, "the body is larger than the authorization of this route allows")
    : "@ask-with-body";
}

function hasBody(v) {
  return (
    Number(v.http_content_length || "0") > 0 ||
    v.http_transfer_encoding !== undefined ||
    v.server_protocol === "HTTP/2.0"
  );
}

function afterAuthorization(r, request, action, headers) {
  const v = r.variables;
  request.ruleChanges = action.responseHeaders;
  if (action.redirect) return redirect(r, request, action.redirect);
  const kept = keptSession(v, request, action);
  const chosen = kept ? kept.index : choose(action.backends);
  if (chosen < 0) return replies.reply(r, request, 500, "the route has no backends");
  v.gw_choice = String(chosen);
  v.gw_kept = kept ? kept.endpoint : "";
  const backend = action.backends[chosen];
  request.backendChanges = backend.responseHeaders;
  if (backend.cors && answersCors(request, backend.cors)) return replies.reply(r, request, 200, "");
  if (backend.auth) return authorize(r, request, action, backend.auth, "backend", headers);
  return forward(r, request, action, backend, headers);
}

/** Index of one of the backends, by weight; -1 if there is none. */
function choose(backends) {
  let total = 0;
  backends.forEach((backend) => (total += backend.weight));
  let left = Math.random() * total;
  for (let index = 0; index < backends.length; index++) {
    left -= backends[index].weight;
    if (left < 0) return index;
  }
  return backends.length - 1;
}

/** The backend and endpoint that the client's session belongs to, if both are still there. */
function keptSession(v, request, action) {
  if (!action.session) return undefined;
  const tokens = sessions.tokensOf(action.session, request);
  for (let at = 0; at < tokens.length && at < 8; at++) {
    const name = sessions.read(v.gw_folder, action.session, tokens[at], Date.now());
    if (name === undefined) continue;
    for (let index = 0; index < action.backends.length; index++) {
      const backend = readBackend(v, action.backends[index].backend);
      if (backend && backend.endpoints.some((endpoint) => endpoint.name === name))
        return { index: index, endpoint: name };
    }
  }
  return undefined;
}

function readBackend(v, name) {
  return name === undefined ? undefined : store.read(v.gw_folder, "backend/" + name);
}

function forward(r, request, action, chosen, headers) {
  const v = r.variables;
  request.ruleChanges = action.responseHeaders;
  request.backendChanges = chosen.responseHeaders;
  if (chosen.redirect) return redirect(r, request, chosen.redirect);
  if (chosen.status !== undefined) {
    return replies.reply(r, request, chosen.status, "a backend of the route is not usable");
  }
  const backend = readBackend(v, chosen.backend);
  if (backend) v.gw_backend = backend.key;
  if (!backend || backend.endpoints.length === 0)
    return replies.reply(r, request, 503, "the backend has no endpoints");

  const path = pathFor(request, action, chosen);
  const target = path + request.search;
  if (action.isGrpc && target !== v.request_uri)
    return replies.reply(r, request, 400, "the path is no method of gRPC");
  const sent = heads.change(heads.change(headers, action.requestHeaders), chosen.requestHeaders);
  const host = hostFor(request, action, chosen);
  v.gw_target = target;
  v.gw_host = host;
  v.gw_head = heads.render(
    host,
    request.upgrade === undefined ? sent : sent.concat([["upgrade", request.upgrade]]),
  );
  v.gw_connection = request.upgrade === undefined ? "" : "upgrade";
  v.gw_grpc = action.isGrpc || request.isGrpc ? "1" : "";
  if (action.isGrpc) nameHeaders(v, sent);

  const isMirrored =
    request.upgrade === undefined &&
    action.mirrors.length + chosen.mirrors.length > 0 &&
    mirror(v, action.mirrors.concat(chosen.mirrors));
  const isSecond = action.isGrpc || backend.speaksHttp2;
  const kind =
    (isSecond ? (action.isGrpc ? "g" : "b") : "h") + (backend.trust === undefined ? "" : backend.trust);
  const base = "@" + kind + "." + (request.upgrade === undefined ? action.profile : "default");
  const tries = triesFor(v, request, action, chosen, backend);
  const endpoint = begin(v, action, chosen.backend, backend, base, tries);
  const isMarked = describeAnswer(v, request, action, chosen, endpoint);
  return base + (isMirrored ? ".mirrored" : "") + (tries > 1 ? "" : ".last") + (isMarked ? "" : ".plain");
}

function pathFor(request, action, chosen) {
  let path = request.path;
  if (action.rewrite && action.rewrite.path) path = targets.changePath(path, action.rewrite.path);
  if (chosen.rewrite && chosen.rewrite.path) path = targets.changePath(path, chosen.rewrite.path);
  return path;
}

function hostFor(request, action, chosen) {
  if (chosen.requestHeaders && chosen.requestHeaders.host !== undefined) return chosen.requestHeaders.host;
  if (chosen.rewrite && chosen.rewrite.hostname !== undefined) return chosen.rewrite.hostname;
  if (action.requestHeaders && action.requestHeaders.host !== undefined) return action.requestHeaders.host;
  if (action.rewrite && action.rewrite.hostname !== undefined) return action.rewrite.hostname;
  return request.authority;
}

/** Over HTTP/2 NGINX wants to know the names of changed headers beforehand; `gw_names` has them in their order. */
function nameHeaders(v, headers) {
  if (!v.gw_names) return;
  v.gw_names.split(" ").forEach((name, index) => {
    const value = heads.valueOf(headers, name);
    v["gw_header_" + index] = value === undefined ? "" : value;
  });
}

/** What is done to the head of the answer, if anything; the session is told to clients that have none. */
function describeAnswer(v, request, action, chosen, endpoint) {
  const out = {};
  if (action.responseHeaders) out.rule = action.responseHeaders;
  if (chosen.responseHeaders) out.backend = chosen.responseHeaders;
  if (request.cors) out.cors = request.cors;
  if (v.gw_answer_headers) out.authorized = JSON.parse(v.gw_answer_headers);
  out.session = sessionHeader(v, action, endpoint);
  for (let part in out) {
    if (out[part] === undefined) continue;
    v.gw_out = JSON.stringify(out);
    return true;
  }
  return false;
}

/** For clients that do not have this session yet. */
function sessionHeader(v, action, endpoint) {
  if (!action.session || v.gw_kept === endpoint.name) return undefined;
  const token = sessions.issue(v.gw_folder, action.session, endpoint.name, Date.now());
  return sessions.header(action.session, token, v.https === "on");
}

/** The session is with the endpoint that answers, not with those that failed before. */
function moveSession(v, action, endpoint) {
  if (!action.session) return;
  const out = v.gw_out ? JSON.parse(v.gw_out) : {};
  out.session = sessionHeader(v, action, endpoint);
  v.gw_out = JSON.stringify(out);
}

/** Takes lots for each mirror, and says where their copies go. */
function mirror(v, mirrors) {
  let isAny = false;
  for (let index = 0; index < mirrors.length && index < mostMirrors; index++) {
    const share = mirrors[index];
    const backend = readBackend(v, share.backend);
    if (!backend || backend.endpoints.length === 0) continue;
    if (Math.random() * share.denominator >= share.numerator) continue;
    const endpoint = backend.endpoints[Math.floor(Math.random() * backend.endpoints.length)];
    const kind = (backend.speaksHttp2 ? "b" : "h") + (backend.trust === undefined ? "" : backend.trust);
    v["gw_mirror_" + index] = "@mirror." + kind + "." + index;
    v["gw_mirror_up_" + index] = "l" + endpoint.slot;
    if (backend.tls) {
      v["gw_mirror_name_" + index] = backend.tls.hostname;
      v["gw_mirror_certificate_" + index] = certificateFile(v, backend);
    }
    isAny = true;
  }
  return isAny;
}

/** How often the request is sent at most. */
function triesFor(v, request, action, chosen, backend) {
  if (request.upgrade !== undefined) return 1;
  if (action.retry) {
    const tries = Math.min(action.retry.attempts + 1, mostTries);
    if (!backend.budget) return tries;
    budgets.count(v.gw_folder, chosen.backend, backend.budget, "request", Date.now());
    return budgets.allows(v.gw_folder, chosen.backend, backend.budget, 1, Date.now()) ? tries : 1;
  }
  // NGINX does not repeat what it has sent of a body that it did not keep.
  if (backend.endpoints.length < 2 || idempotent.indexOf(request.method) < 0) return 1;
  return Math.min(backend.endpoints.length, mostFailovers);
}

/** The first try: chooses an endpoint, and leaves in `gw_state` what `again` needs. */
function begin(v, action, name, backend, base, tries) {
  const kept = v.gw_kept ? backend.endpoints.filter((endpoint) => endpoint.name === v.gw_kept)[0] : undefined;
  const endpoint = kept || backend.endpoints[Math.floor(Math.random() * backend.endpoints.length)];
  aim(v, endpoint, backend, tries > 1, action);
  if (tries > 1) {
    const wait = action.retry ? action.retry.backoff : 0;
    const state = { base: base, tries: tries, done: 1, tried: [endpoint.address], wait: wait };
    if (backend.budget && action.retry) boundTries(v, state, name, backend);
    v.gw_state = JSON.stringify(state);
    v.gw_next = nextLocation(state);
    keepAction(v, action);
  }
  return endpoint;
}

function aim(v, endpoint, backend, isFollowed, action) {
  const slot = action.isGrpc && endpoint.grpcSlot !== undefined ? endpoint.grpcSlot : endpoint.slot;
  v.gw_up = (isFollowed ? "f" : "l") + slot;
  v.gw_endpoint = endpoint.address;
  if (backend.tls) {
    v.gw_tls_name = backend.tls.hostname;
    v.gw_tls_certificate = certificateFile(v, backend);
  }
  if (action.timeouts.backendRequest > 0)
    v.gw_try_deadline = String(Date.now() + action.timeouts.backendRequest);
}

/** What is shown to the backend; empty: nothing. */
function certificateFile(v, backend) {
  const name = backend.tls.certificate;
  return name === undefined ? "" : v.gw_folder + "/certificate/" + name;
}

/** What is done with the answer of the next try is settled now: it is the last one if the budget has no retry left after it. */
function boundTries(v, state, name, backend) {
  if (!budgets.allows(v.gw_folder, name, backend.budget, 2, Date.now())) {
    state.tries = Math.min(state.tries, state.done + 1);
  }
}

/** Where the try after the one under way is made. */
function nextLocation(state) {
  return state.base + (state.done + 1 < state.tries ? ".again" : ".again.last");
}

/** Before another try: waits, and chooses another endpoint. Runs beside the request, whose variables it sets. */
async function again(r) {
  const v = r.variables;
  try {
    const state = JSON.parse(v.gw_state);
    const action = readAction(v);
    const wait = state.wait * Math.pow(2, Math.min(state.done - 1, 5)) * (1 + Math.random() * 0.5);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait) + 1));
    state.done++;
    if (v.gw_deadline && Date.now() >= Number(v.gw_deadline)) {
      v.gw_up = "answers";
      v.gw_target = "/504";
      v.gw_deadline = "";
      v.gw_try_deadline = "";
      state.done = state.tries;
    } else {
      const name = action.backends[Number(v.gw_choice)].backend;
      const backend = readBackend(v, name);
      if (backend && backend.budget && action.retry) {
        budgets.count(v.gw_folder, name, backend.budget, "retry", Date.now());
        boundTries(v, state, name, backend);
      }
      const endpoints = backend ? backend.endpoints : [];
      const fresh = endpoints.filter((endpoint) => state.tried.indexOf(endpoint.address) < 0);
      const among = fresh.length > 0 ? fresh : endpoints;
      if (among.length === 0) {
        v.gw_up = "answers";
        v.gw_target = "/503";
      } else {
        const endpoint = among[Math.floor(Math.random() * among.length)];
        state.tried.push(endpoint.address);
        aim(v, endpoint, backend, state.done < state.tries, action);
        moveSession(v, action, endpoint);
      }
    }
    v.gw_next = nextLocation(state);
    v.gw_state = JSON.stringify(state);
  } catch (error) {
    r.error("another try could not be prepared: " + error.message);
    v.gw_up = "answers";
    v.gw_target = "/500";
  }
  r.return(204);
}

function redirect(r, request, given) {
  const scheme = given.scheme || (request.isSecure ? "https" : "http");
  const host = given.hostname === undefined ? request.host : given.hostname;
  const path = given.path ? targets.changePath(request.path, given.path) : request.path;
  const port = given.port === redirectPorts[scheme] ? "" : ":" + given.port;
  const query = request.query === "" ? "" : "?" + request.query;
  const location = scheme + "://" + host + port + path + query;
  return replies.reply(r, request, given.statusCode, "", [["location", location]]);
}

/** Called for each piece of an answer: one that takes too long is broken off. */
function checkDeadline(r, data, flags) {
  const v = r.variables;
  const now = Date.now();
  const isLate =
    (v.gw_deadline && now > Number(v.gw_deadline)) || (v.gw_try_deadline && now > Number(v.gw_try_deadline));
  if (isLate && isBackends(v)) throw new Error("the answer took longer than the route allows");
  r.sendBuffer(data, flags);
}

/** Not NGINX's own page, which says just that. The times are those of all tries; one without an answer has `-`. */
function isBackends(v) {
  return v.upstream_header_time !== undefined && !v.upstream_header_time.endsWith("-");
}

/** The file with the certificate and key for a server name, the `index`-th of those that it has. */
function certificate(v, index) {
  const server = findServerName(v.gw_folder, v.gw_listener, v.ssl_server_name);
  if (server === undefined || server.certificates === undefined || server.certificates.length === 0)
    return "";
  const name = server.certificates[Math.min(index, server.certificates.length - 1)];
  return v.gw_folder + "/certificate/" + name;
}

function firstCertificate(r) {
  return certificate(r.variables, 0);
}

function secondCertificate(r) {
  return certificate(r.variables, 1);
}

export default {
  // For NGINX.
  route,
  again,
  checkDeadline,
  firstCertificate,
  secondCertificate,
  check: replies.check,
  decorate: replies.decorate,
  unreachable: replies.unreachable,
  tooSlow: replies.tooSlow,
  tooLarge: replies.tooLarge,
  // For other scripts.
  readAction,
  afterAuthorization,
  forward,
  certificateFile,
};
