/*
 * A data plane on node:http, and the driver for it. It does what the core of HTTPRoute asks, in the clear and over HTTP/1.1, and
 * claims no more than that. What the model means (which rule takes a request, where a redirect leads) is not written again
 * here: the library has functions for it. Order, retries and reports are the work of `driverFromControllers`.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import {
  compileRules,
  driverFromControllers,
  HostTable,
  MatchingEffort,
  MatchingTooCostly,
} from "gatewright";
import { normalizeHost, normalizePath, redirectLocation } from "gatewright";
import type {
  Driver,
  Endpoint,
  Listener,
  MatchableRequest,
  RouteConfiguration,
  RuleAction,
  RuleFinder,
} from "gatewright";

const features = ["HTTPRoute", "HTTPRouteMethodMatching", "HTTPRouteQueryParamMatching"];
const ofTheConnection =
  /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|host)$/;

export function toyDriver(): Driver {
  const servers = new Map<string, http.Server>();
  const hosts = new HostTables();
  const backends = new Map<string, readonly Endpoint[]>();
  const counts = new WeakMap<object, number>();
  const agent = new http.Agent({ keepAlive: true });

  async function addListener(name: string, listener: Listener) {
    if (listener.protocol !== "http") throw new Error("the toy speaks HTTP only");
    const turns = new Turns();
    const server = http.createServer((request, response) => {
      turns.serve(request, response, () => serve(listener, request, response));
    });
    server.on("connect", (_, socket) => turns.refuse(socket, "405 Method Not Allowed"));
    server.on("clientError", (_, socket) => turns.refuse(socket, "400 Bad Request"));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(listener.port, "127.0.0.1", resolve);
    });
    servers.set(name, server);
    return [server.address() as AddressInfo];
  }

  function removeListener(name: string): void {
    servers.get(name)?.close();
    servers.delete(name);
  }

  function serve(listener: Listener, request: http.IncomingMessage, response: http.ServerResponse): void {
    const answer = (status: number, headers = {}) => void response.writeHead(status, headers).end();
    const target = normalizePath(request.url!);
    if ("refused" in target || request.headersDistinct.host?.length !== 1) return answer(400);
    if (isAmbiguous(request)) return answer(400, { connection: "close" });
    const authority = target.authority ?? request.headers.host!;
    const host = normalizeHost(authority);
    if (host === undefined) return answer(400);
    const { path, query } = target;
    const header = (name: string) => request.headersDistinct[name]?.join(", ");
    const action = hosts.find(listener.key, host, { method: request.method!, path, query, header });
    if (action === "too costly") return answer(400);
    if (!action) return answer(404);
    const total = action.backends.reduce((sum, { weight }) => sum + weight, 0);
    let left = turnOf(action) % total;
    const share = action.backends.find(({ weight }) => (left -= weight) < 0);
    const redirect = action.redirect ?? share?.redirect;
    if (redirect) {
      const asked = { scheme: "http", host, listenerPort: listener.port, path, query } as const;
      return answer(redirect.statusCode, { location: redirectLocation(redirect, asked) });
    }
    if (share?.target.type !== "backend") return answer(500);
    const endpoints = backends.get(share.target.backend)!;
    const endpoint = endpoints[turnOf(endpoints) % endpoints.length];
    if (!endpoint) return answer(503);
    const { address, port } = endpoint;
    const headers = { ...forwarded(request, action), host: authority };
    const call = http.request({
      host: address,
      port,
      method: request.method!,
      path: path + target.search,
      headers,
      agent,
    });
    call.on("response", (back) => {
      const meaningless = back.statusCode === 204 ? ["content-length"] : [];
      response.writeHead(back.statusCode!, Object.fromEntries(without(back.headersDistinct, meaningless)));
      back.on("error", () => response.destroy()).pipe(response);
    });
    call.on("error", () => (response.headersSent ? response.destroy() : answer(502)));
    response.on("close", () => call.destroy());
    request.pipe(call);
  }

  function turnOf(key: object): number {
    const turn = counts.get(key) ?? 0;
    counts.set(key, turn + 1);
    return turn;
  }

  const setBackend = (name: string, endpoints: readonly Endpoint[]) => void backends.set(name, endpoints);
  return driverFromControllers(
    {
      listeners: { addListener, removeListener, updateListener: () => {} },
      certificates: { addCertificate: () => {}, removeCertificate: () => {} },
      backends: {
        addBackend: setBackend,
        updateBackend: setBackend,
        removeBackend: (name) => void backends.delete(name),
      },
      routes: hosts,
    },
    {
      name: "toy",
      features: new Set(features),
      stop() {
        agent.destroy();
        for (const server of servers.values()) server.close().closeAllConnections();
      },
    },
  );
}

/**
 * What comes over one connection, one after the other: node:http hands over requests that were sent ahead at once, those behind a last answer too (RFC 9112, 9.6:
 * they are not served).
 */
class Turns {
  readonly #lines = new WeakMap<Duplex, { current: http.IncomingMessage; waiting: (() => void)[] }>();
  readonly #refused = new WeakSet<Duplex>();

  serve(request: http.IncomingMessage, response: http.ServerResponse, start: () => void): void {
    const { socket } = request;
    const line = this.#lines.get(socket);
    if (line) return void line.waiting.push(() => this.#begin(request, response, start));
    this.#lines.set(socket, { current: request, waiting: [] });
    this.#begin(request, response, start);
  }

  /** Whole requests before it have a right to their answers. */
  refuse(socket: Duplex, status: string): void {
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    socket.on("error", () => socket.destroy());
    const end = () => socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    const line = this.#lines.get(socket);
    if (line?.current.complete) line.waiting.push(end);
    else end();
  }

  #begin(request: http.IncomingMessage, response: http.ServerResponse, start: () => void): void {
    const { socket } = request;
    const line = this.#lines.get(socket)!;
    line.current = request;
    response.once("close", () => {
      const next = line.waiting.shift();
      if (next && socket.writable) next();
      else this.#lines.delete(socket);
    });
    start();
  }
}

/** Its end may be elsewhere for the next who reads it. */
function isAmbiguous({ headers, httpVersion }: http.IncomingMessage): boolean {
  const coding = headers["transfer-encoding"];
  return coding !== undefined && (httpVersion === "1.0" || coding.toLowerCase() !== "chunked");
}

/** Virtual hosts by listener and hostname. */
class HostTables {
  readonly #tables = new Map<string, HostTable<{ readonly section: string; readonly find: RuleFinder }>>();
  readonly #hostnames = new Map<string, string>();

  addRoute(name: string, listener: string, route: RouteConfiguration): void {
    if (route.type !== "virtual-host") throw new Error("the toy routes HTTP only");
    const { hostname, section, rules } = route.virtualHost;
    if (!this.#tables.has(listener)) this.#tables.set(listener, new HostTable());
    this.#tables.get(listener)!.set(hostname, { section, find: compileRules(rules) });
    this.#hostnames.set(name, hostname);
  }

  updateRoute(name: string, listener: string, route: RouteConfiguration): void {
    this.addRoute(name, listener, route);
  }

  removeRoute(name: string, listener: string): void {
    this.#tables.get(listener)!.delete(this.#hostnames.get(name)!);
  }

  /** By the most specific host, then by less specific ones of the same section. */
  find(listener: string, host: string, request: MatchableRequest): RuleAction | "too costly" | undefined {
    const found = [...(this.#tables.get(listener)?.findAll(host) ?? [])];
    const ofSection = found.filter(({ section }) => section === found[0]!.section);
    const effort = new MatchingEffort();
    try {
      for (const { find } of ofSection) {
        const rule = find(request, effort);
        if (rule) return rule.action;
      }
    } catch (error) {
      if (error instanceof MatchingTooCostly) return "too costly";
      throw error;
    }
    return undefined;
  }
}

/** The client's headers with the rule's changes: remove, set, add. */
function forwarded(request: http.IncomingMessage, { requestHeaders }: RuleAction): http.OutgoingHttpHeaders {
  const { set = [], add = [], remove = [] } = requestHeaders ?? {};
  const named = (request.headers.connection ?? "").toLowerCase().split(/,\s*/);
  const headers = without(request.headersDistinct, [...named, ...remove, ...set.map(({ name }) => name)]);
  for (const { name, value } of [...set, ...add]) headers.set(name, [...(headers.get(name) ?? []), value]);
  return Object.fromEntries(headers);
}

function without(headers: NodeJS.Dict<string[]>, names: readonly string[]): Map<string, string[]> {
  const kept = Object.entries(headers).filter(
    ([name]) => !ofTheConnection.test(name) && !names.includes(name),
  );
  return new Map(kept.map(([name, values]) => [name, values!]));
}
