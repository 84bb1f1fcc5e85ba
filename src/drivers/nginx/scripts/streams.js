/*
 * Where connections and datagrams go. NGINX asks for one variable per server: a socket of this very NGINX, or an endpoint; nothing where
 * the connection is to be refused.
 */
import hostnames from "./hostnames.js";
import store from "./store.js";

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** HTTP/2 with prior knowledge is told from HTTP/1.1 by its first bytes. */
function tellProtocol(s) {
  s.on("upload", (data, flags) => {
    const length = Math.min(data.length, preface.length);
    if (length === 0) {
      if (flags.last) s.done();
      return;
    }
    const isAlike = data.slice(0, length) === preface.slice(0, length);
    if (isAlike && length < preface.length && !flags.last) return;
    s.variables.gw_front = "unix:" + s.variables.gw_sockets + (isAlike ? "/http2" : "/http1");
    s.off("upload");
    s.done();
  });
}

function findServerName(v, given) {
  const name = given ? hostnames.normalize(given) : undefined;
  if (given && name === undefined) return undefined;
  const names = name === undefined ? ["*"] : hostnames.candidates(name);
  for (let index = 0; index < names.length; index++) {
    const server = store.read(v.gw_folder, "name/" + v.gw_listener + "/=" + names[index]);
    if (server !== undefined) return server;
  }
  return undefined;
}

/** A connection that begins with a ClientHello, by its server name. */
function frontOfServerName(s) {
  const v = s.variables;
  const server = findServerName(v, v.ssl_preread_server_name);
  if (server === undefined) return "";
  if (server.type !== "passthrough" && server.certificates.length === 0) return "";
  return "unix:" + v.gw_sockets + "/" + (server.type === "http" ? "https" : server.type);
}

function passThrough(s) {
  const server = findServerName(s.variables, s.variables.ssl_preread_server_name);
  return server !== undefined && server.type === "passthrough" ? endpointOf(s, server.backends) : "";
}

function afterTermination(s) {
  const server = findServerName(s.variables, s.variables.ssl_server_name);
  return server !== undefined && server.type === "terminate" ? endpointOf(s, server.backends) : "";
}

function ofListener(s) {
  const route = store.read(s.variables.gw_folder, "stream/" + s.variables.gw_listener);
  return route === undefined ? "" : endpointOf(s, route.backends);
}

/** An endpoint of one of the weighted backends. */
function endpointOf(s, backends) {
  let total = 0;
  backends.forEach((backend) => (total += backend.weight));
  let left = Math.random() * total;
  for (let index = 0; index < backends.length; index++) {
    left -= backends[index].weight;
    if (left >= 0) continue;
    const name = backends[index].backend;
    const backend = name === undefined ? undefined : store.read(s.variables.gw_folder, "backend/" + name);
    if (backend === undefined || backend.endpoints.length === 0) return "";
    return backend.endpoints[Math.floor(Math.random() * backend.endpoints.length)].address;
  }
  return "";
}

/**
 * NGINX takes an answer without a status line for one of HTTP/0.9, and passes on whatever it is. Nobody speaks that any more: what does
 * not begin like an answer is none, and ends the connection.
 */
function checkAnswers(s) {
  if (readSlot(s)[0] !== "h") return;
  const begin = "HTTP/1.";
  s.on("download", (data, flags) => {
    s.off("download");
    const length = Math.min(data.length, begin.length);
    if (data.slice(0, length) !== begin.slice(0, length)) throw new Error("the backend does not speak HTTP");
    s.send(data, flags);
  });
}

/** The endpoint behind a numbered socket: how requests keep connections to endpoints that NGINX was not started with. */
function ofSlot(s) {
  return readSlot(s).slice(1);
}

/** `h` for HTTP/1.1 in the clear, `x` for all else, and the endpoint; empty if there is none. */
function readSlot(s) {
  const address = s.variables.server_addr;
  const slot = address.slice(address.lastIndexOf("/") + 1);
  return store.readText(s.variables.gw_folder, "slot/" + slot) || "";
}

function certificate(s, index) {
  const v = s.variables;
  const server = findServerName(v, v.ssl_server_name);
  if (server === undefined || server.type !== "terminate" || server.certificates.length === 0) return "";
  return v.gw_folder + "/certificate/" + server.certificates[Math.min(index, server.certificates.length - 1)];
}

function firstCertificate(s) {
  return certificate(s, 0);
}

function secondCertificate(s) {
  return certificate(s, 1);
}

export default {
  tellProtocol,
  frontOfServerName,
  passThrough,
  afterTermination,
  ofListener,
  ofSlot,
  checkAnswers,
  firstCertificate,
  secondCertificate,
};
