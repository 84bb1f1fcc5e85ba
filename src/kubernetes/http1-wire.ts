/** HTTP/1.1, where the server has no HTTP/2 (or no TLS: `kubectl proxy`). Watches hold a connection each, so they do not share the others' pool. */
import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect } from "node:tls";
import type { ConnectionSecurity } from "./credentials.ts";
import type { Wire, WireAnswer, WireRequest } from "./exchange.ts";

const keepAlive = { keepAlive: true, keepAliveMsecs: 15_000, scheduling: "lifo" } as const;
const mostSockets = 32;

export class Http1Wire implements Wire {
  readonly #server: URL;
  readonly #security: ConnectionSecurity;
  readonly #requests: http.Agent;
  readonly #watches: http.Agent;

  /** `tunnel`: a new way to the server, where there is a proxy before it. */
  constructor(server: URL, security: ConnectionSecurity, tunnel?: () => Promise<Socket>) {
    this.#server = server;
    this.#security = security;
    const Agent = server.protocol === "https:" ? https.Agent : http.Agent;
    const agent = (options: http.AgentOptions) => {
      const made = new Agent({ ...keepAlive, ...options });
      if (tunnel) leadThrough(made, tunnel, server.protocol === "https:");
      return made;
    };
    this.#requests = agent({ maxSockets: mostSockets });
    this.#watches = agent({ maxFreeSockets: 4 });
  }

  exchange({ method, path, headers, body, isLong, signal }: WireRequest): Promise<WireAnswer> {
    const { protocol, hostname, port } = this.#server;
    const options: https.RequestOptions = {
      method,
      host: hostname.replace(/^\[|\]$/g, ""),
      port,
      path,
      headers: { ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
      agent: isLong ? this.#watches : this.#requests,
      signal,
      ...this.#security,
    };
    return new Promise((resolve, reject) => {
      const request = protocol === "https:" ? https.request(options) : http.request(options);
      request.once("error", (error) => reject(signal.aborted ? (signal.reason as Error) : error));
      request.once("response", (message) => {
        // Its reader hears of it as an end without `isWhole`.
        message.on("error", () => undefined);
        resolve({
          status: message.statusCode ?? 0,
          headers: message.headers,
          body: message,
          isWhole: () => message.complete,
        });
      });
      request.once("socket", (socket) => socket.setKeepAlive(true, keepAlive.keepAliveMsecs));
      request.end(body);
    });
  }

  close(): void {
    this.#requests.destroy();
    this.#watches.destroy();
  }
}

type Created = (error: Error | null, socket?: Duplex) => void;

/** The agent's connections begin in a tunnel. */
function leadThrough(agent: http.Agent, tunnel: () => Promise<Socket>, isSafe: boolean): void {
  const createConnection = (options: https.RequestOptions, created: Created): void => {
    tunnel().then(
      (socket) => {
        // Node asks with the options of the request, the security of the server among them.
        created(null, isSafe ? connect({ ...(options as object), socket }) : socket);
      },
      (error: unknown) => created(error as Error),
    );
  };
  Object.assign(agent, { createConnection });
}
