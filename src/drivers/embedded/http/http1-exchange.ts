import http from "node:http";
import type { Duplex } from "node:stream";
import type { AnswerBody, HeaderList } from "../upstream/index.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { Exchange, ExchangeObserver, Tunnel } from "./exchange.ts";
import type { RequestHead } from "./request-head.ts";

/** What an exchange needs of the server that it belongs to. */
export interface Http1Host {
  /** Whether connections should end with the answer they are giving. */
  readonly isDraining: boolean;
  readonly lingerTimeout: number;
  readonly idleTimeout: number;
}

/** Node's answer, which knows the exchange that it is part of. That saves closures for every request. */
export class GatewayResponse extends http.ServerResponse {
  exchange: Http1Exchange | undefined = undefined;
  onOver: ((response: GatewayResponse) => void) | undefined = undefined;

  /** Watches for its end. */
  watch(): void {
    this.on("close", onClose);
    this.on("error", ignore);
  }
}

function onClose(this: GatewayResponse): void {
  this.exchange?.onClose();
  this.onOver?.(this);
}

function onDrain(this: GatewayResponse): void {
  this.exchange!.observer?.onClientDrain();
}

function ignore(): void {}

export class Http1Exchange implements Exchange {
  readonly client: ClientConnection;
  readonly request: RequestHead;
  readonly #host: Http1Host;
  readonly #incoming: http.IncomingMessage;
  readonly #response: GatewayResponse;
  /** Where the client asked for an upgrade: its connection, and what came behind the request. */
  readonly #tunnel: Tunnel | undefined;
  #bodyStarted = false;
  #bodyOver: boolean;
  #over = false;
  #continued = false;
  observer: ExchangeObserver | undefined = undefined;
  headSent = false;
  bytesIn = 0;
  bytesOut = 0;

  constructor(
    host: Http1Host,
    client: ClientConnection,
    request: RequestHead,
    response: GatewayResponse,
    tunnel?: Tunnel,
  ) {
    this.#host = host;
    this.client = client;
    this.request = request;
    this.#incoming = response.req;
    this.#response = response;
    this.#tunnel = tunnel;
    this.#bodyOver = request.body === "none" || request.body === 0;
    response.exchange = this;
  }

  startBody(): void {
    if (this.#bodyStarted) return;
    this.#bodyStarted = true;
    const incoming = this.#incoming;
    incoming.on("data", (chunk: Buffer) => {
      this.bytesIn += chunk.length;
      this.observer?.onBodyData(chunk);
    });
    incoming.on("end", () => {
      this.#bodyOver = true;
      this.observer?.onBodyEnd(trailersOf(incoming.rawTrailers));
    });
    incoming.on("error", () => {});
  }

  pauseBody(): void {
    this.#incoming.pause();
  }

  resumeBody(): void {
    if (this.#bodyStarted) this.#incoming.resume();
  }

  sendInformational(status: number, headers: HeaderList): void {
    if (this.headSent || this.#over || this.request.version === "HTTP/1.0") return;
    if (status === 100) {
      if (!this.request.expectsContinue || this.#continued) return;
      this.#continued = true;
      this.#response.writeContinue();
    } else if (status === 103) {
      this.#sendEarlyHints(headers);
    } else if (status === 102) {
      this.#response.writeProcessing();
    }
  }

  sendHead(status: number, headers: HeaderList, body: AnswerBody): void {
    if (this.#over) return;
    this.headSent = true;
    const response = this.#response;
    if (this.#host.isDraining) response.shouldKeepAlive = false;
    // Nothing marks the end of a body for a client of HTTP/1.0 but the end of the connection.
    if (body === "stream" && this.request.version === "HTTP/1.0") response.shouldKeepAlive = false;
    if (body === "none") declareEmpty(status, headers, this.request.method);
    try {
      response.writeHead(status, headers);
    } catch {
      // Node refuses what it cannot send; a backend that answers such must not bring the gateway down.
      this.reset();
    }
  }

  sendData(chunk: Buffer, isLast: boolean): boolean {
    if (this.#over) return true;
    this.bytesOut += chunk.length;
    if (isLast) {
      this.#response.end(chunk);
      return true;
    }
    if (this.#response.write(chunk)) return true;
    this.#response.once("drain", onDrain);
    return false;
  }

  sendEnd(trailers?: HeaderList): void {
    if (this.#over) return;
    const response = this.#response;
    if (trailers) response.addTrailers(pairsOf(trailers));
    if (!response.writableEnded) response.end();
    if (!this.#bodyOver) this.#linger();
    // A client that does not take what is there for it may not hold on to the connection.
    else if (response.socket && response.socket.writableLength > 0) {
      response.socket.setTimeout(this.#host.idleTimeout);
    }
  }

  reset(): void {
    this.#response.socket?.destroy();
    this.#response.destroy();
  }

  acceptUpgrade(headers: HeaderList): Tunnel {
    const tunnel = this.#tunnel!;
    this.headSent = true;
    this.#over = true;
    let text = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\n";
    for (let index = 0; index < headers.length; index += 2) {
      text += `${headers[index]!}: ${headers[index + 1]!}\r\n`;
    }
    this.#response.detachSocket(tunnel.stream as never);
    tunnel.stream.write(`${text}\r\n`, "latin1");
    return tunnel;
  }

  /**
   * The answer is whole and the client still sends. Reading on for a while lets it see the answer; closing at once could
   * take that away from it.
   */
  #linger(): void {
    const incoming = this.#incoming;
    this.startBody();
    incoming.resume();
    const { socket } = incoming;
    const timer = setTimeout(() => {
      if (!this.#bodyOver) socket.destroy();
    }, this.#host.lingerTimeout);
    incoming.once("close", () => clearTimeout(timer));
  }

  onClose(): void {
    if (this.#over) return;
    this.#over = true;
    if (!this.#response.writableFinished) this.observer?.onClientGone();
  }

  #sendEarlyHints(headers: HeaderList): void {
    const links: string[] = [];
    const hints: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index]!;
      if (name === "link") links.push(headers[index + 1]!);
      else hints[name] = headers[index + 1]!;
    }
    hints["link"] = links;
    try {
      this.#response.writeEarlyHints(hints);
    } catch {
      // Node is strict about links. Hints are only hints.
    }
  }
}

/** Without a length Node would send an empty body in chunks. */
function declareEmpty(status: number, headers: HeaderList, method: string): void {
  if (status === 204 || status === 304 || method === "HEAD") return;
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === "content-length") return;
  headers.push("content-length", "0");
}

/**
 * An answer without keep-alive on a connection that Node's server has let go because of an Upgrade header. It is to be
 * given the connection when its turn comes.
 */
export function detachedResponse(incoming: http.IncomingMessage, socket: Duplex): GatewayResponse {
  const response = new GatewayResponse(incoming);
  response.shouldKeepAlive = false;
  response.on("finish", () => (socket as unknown as { destroySoon(): void }).destroySoon());
  return response;
}

function trailersOf(raw: readonly string[]): HeaderList | undefined {
  if (raw.length === 0) return undefined;
  const list: HeaderList = [];
  for (let index = 0; index < raw.length; index += 2) list.push(raw[index]!.toLowerCase(), raw[index + 1]!);
  return list;
}

function pairsOf(list: HeaderList): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < list.length; index += 2) pairs.push([list[index]!, list[index + 1]!]);
  return pairs;
}
