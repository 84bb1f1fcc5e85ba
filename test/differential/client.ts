/** Sends requests to one data plane, over connections that are kept, and gives back what is compared. */
import { randomUUID } from "node:crypto";
import dgram from "node:dgram";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { TLSSocket } from "node:tls";
import type { Seen } from "./echo-backends.ts";
import { sessionCookie, sessionHeader } from "./random-behaviours.ts";
import { httpsPort, type GatewayPort } from "./random-objects.ts";
import type { DifferentialRequest } from "./random-requests.ts";
import { tlsPort, udpPort } from "./random-streams.ts";

/** What became of a request: an answer, or no connection at all. */
export type Outcome =
  | { readonly type: "refused" }
  | {
      readonly type: "answer";
      readonly status: number;
      /** In pairs, lower-case, as they came. Trailers too. */
      readonly headers: readonly (readonly [string, string])[];
      readonly body: string;
      /** If the answer is a backend's. */
      readonly seen?: Seen;
      /** Of requests that come back: whether they found the endpoint that they came from. */
      readonly session?: "kept" | "moved" | "none";
      /** Common name of whoever ended TLS. */
      readonly certificate?: string;
    };

export type Where = (port: GatewayPort) => number;

export class Client {
  readonly #where: Where;
  readonly #plain = new http.Agent({ keepAlive: true, maxSockets: 4 });
  readonly #secure = new https.Agent({
    keepAlive: true,
    maxSockets: 4,
    // A resumed session does not always say whose it was.
    maxCachedSessions: 0,
    rejectUnauthorized: false,
  });
  readonly #sessions = new Map<string, http2.ClientHttp2Session>();

  constructor(where: Where) {
    this.#where = where;
  }

  async send(request: DifferentialRequest): Promise<Outcome> {
    const first = await this.#attempt(request);
    if (!request.comesBack || first.type === "refused") return first;
    const token = sessionOf(first.headers);
    if (!token) return { ...first, session: "none" };
    const second = await this.#attempt({ ...request, headers: withToken(request.headers, token) });
    if (second.type === "refused") return second;
    const [before, after] = [first, second].map(({ headers }) => valueOf(headers, "x-endpoint"));
    return { ...second, session: before === after ? "kept" : "moved" };
  }

  /** A kept connection that its server has closed meanwhile says nothing about the request: then it is sent again. */
  async #attempt(request: DifferentialRequest): Promise<Outcome> {
    for (let attempt = 0; ; attempt++) {
      const asked = withWishes(request);
      try {
        if (request.port === udpPort) return await this.#sendDatagram(asked);
        return await (request.version === 2 ? this.#sendHttp2(asked) : this.#sendHttp1(asked));
      } catch {
        if (attempt === 2) return { type: "refused" };
      }
    }
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
    for (const session of this.#sessions.values()) session.destroy();
    this.#sessions.clear();
  }

  #sendDatagram({ target }: DifferentialRequest): Promise<Outcome> {
    const socket = dgram.createSocket("udp4");
    return new Promise<Outcome>((resolve, reject) => {
      socket.on("error", reject);
      socket.on("message", (message) =>
        resolve({ type: "answer", status: 200, headers: [["x-datagram", message.toString()]], body: "" }),
      );
      setTimeout(() => reject(new Error("no answer in 5 s")), 5_000).unref();
      socket.send(target, this.#where(udpPort), "127.0.0.1");
    }).finally(() => socket.close());
  }

  #sendHttp1({
    port,
    method,
    target,
    host,
    serverName,
    headers,
    body,
  }: DifferentialRequest): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const raw = ["host", host, ...headers.flat()];
      if (body !== undefined) raw.push("content-length", String(Buffer.byteLength(body)));
      const options = {
        host: "127.0.0.1",
        port: this.#where(port),
        method,
        path: target,
        headers: raw,
        timeout: 60_000,
      };
      const call =
        port === httpsPort || port === tlsPort
          ? https.request({
              ...options,
              agent: this.#secure,
              servername: serverName!,
              rejectUnauthorized: false,
            })
          : http.request({ ...options, agent: this.#plain });
      call.on("error", reject);
      call.on("timeout", () => call.destroy(new Error("no answer in 60 s")));
      call.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        // Not when it ends: the socket may be another request's by then.
        const shown = port === tlsPort && (response.socket as TLSSocket).getPeerCertificate().subject;
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const found = outcome(response.statusCode!, pairsOf(response.rawHeaders), text);
          resolve(shown ? { ...found, certificate: String(shown.CN) } : found);
        });
      });
      call.end(body);
    });
  }

  #sendHttp2(request: DifferentialRequest): Promise<Outcome> {
    const { method, target, host, headers, body } = request;
    const session = this.#session(request);
    return new Promise((resolve, reject) => {
      const sent: http2.OutgoingHttpHeaders = {
        ":method": method,
        ":path": target,
        ":scheme": request.port === httpsPort ? "https" : "http",
        ":authority": host,
      };
      for (const [name, value] of headers) {
        const key = name.toLowerCase();
        const before = sent[key];
        sent[key] = before === undefined ? value : [before, value].flat().map(String);
      }
      const stream = session.request(sent, { endStream: body === undefined });
      const received: [string, string][] = [];
      // Node hands the lines over as they came; its types do not say so.
      const take = (...[, , raw]: unknown[]) => void received.push(...pairsOf(raw as string[]));
      const chunks: Buffer[] = [];
      let status = 0;
      stream.setTimeout(60_000, () => stream.close(http2.constants.NGHTTP2_CANCEL));
      stream.on("response", (fields: http2.IncomingHttpHeaders) => void (status = Number(fields[":status"])));
      stream.on("response", take);
      stream.on("trailers", take);
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", reject);
      stream.on("close", () => {
        if (status === 0) reject(new Error("no answer"));
        else resolve(outcome(status, received, Buffer.concat(chunks).toString()));
      });
      if (body !== undefined) stream.end(body);
    });
  }

  #session({ port, serverName }: DifferentialRequest): http2.ClientHttp2Session {
    const key = `${port} ${serverName}`;
    const kept = this.#sessions.get(key);
    if (kept && !kept.closed && !kept.destroyed) return kept;
    const scheme = port === httpsPort ? "https" : "http";
    const session = http2.connect(`${scheme}://127.0.0.1:${this.#where(port)}`, {
      rejectUnauthorized: false,
      ...(serverName !== undefined && { servername: serverName }),
    });
    session.on("error", () => this.#sessions.delete(key));
    session.on("close", () => this.#sessions.delete(key));
    session.on("goaway", () => this.#sessions.delete(key));
    this.#sessions.set(key, session);
    return session;
  }
}

type Pairs = readonly (readonly [string, string])[];

/** What the backend is asked to do, in headers. Tries of a request are counted by a name that no other request has. */
function withWishes(request: DifferentialRequest): DifferentialRequest {
  const { fail, delay, headers } = request;
  const wishes: [string, string][] = [];
  if (fail) wishes.push(["x-try", randomUUID()], ["x-fail", `${fail.tries} ${fail.status}`]);
  if (delay !== undefined) wishes.push(["x-delay", String(delay)]);
  return { ...request, headers: [...headers, ...wishes] };
}

function valueOf(headers: Pairs, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}

/** The header that a client comes back with, if it was given a session. */
function sessionOf(headers: Pairs): [string, string] | undefined {
  const token = valueOf(headers, sessionHeader);
  if (token !== undefined) return [sessionHeader, token];
  const cookie = headers.find(
    ([name, value]) => name === "set-cookie" && value.startsWith(`${sessionCookie}=`),
  );
  return cookie && ["cookie", cookie[1].split(";", 1)[0]!];
}

/** A client has one line of cookies. */
function withToken(headers: Pairs, [name, value]: readonly [string, string]): Pairs {
  if (name !== "cookie" || valueOf(headers, name) === undefined) return [...headers, [name, value]];
  return headers.map(([each, text]) => [each, each === name ? `${text}; ${value}` : text]);
}

type Answer = Extract<Outcome, { type: "answer" }>;

function outcome(status: number, headers: Pairs, body: string): Answer {
  const isEchoed = headers.some(([name]) => name === "x-served-by") && body.startsWith("{");
  return { type: "answer", status, headers, body, ...(isEchoed && { seen: JSON.parse(body) as Seen }) };
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at]!.toLowerCase(), raw[at + 1]!]);
  return pairs;
}
