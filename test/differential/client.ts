/** Sends requests to one data plane, over connections that are kept, and gives back what is compared. */
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { Seen } from "./echo-backends.ts";
import { httpsPort, type GatewayPort } from "./random-objects.ts";
import type { DifferentialRequest } from "./random-requests.ts";

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
    };

export type Where = (port: GatewayPort) => number;

export class Client {
  readonly #where: Where;
  readonly #plain = new http.Agent({ keepAlive: true, maxSockets: 4 });
  readonly #secure = new https.Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });
  readonly #sessions = new Map<string, http2.ClientHttp2Session>();

  constructor(where: Where) {
    this.#where = where;
  }

  /** A kept connection that its server has closed meanwhile says nothing about the request: then it is sent again. */
  async send(request: DifferentialRequest): Promise<Outcome> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await (request.version === 2 ? this.#sendHttp2(request) : this.#sendHttp1(request));
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
        timeout: 20_000,
      };
      const call =
        port === httpsPort
          ? https.request({
              ...options,
              agent: this.#secure,
              servername: serverName!,
              rejectUnauthorized: false,
            })
          : http.request({ ...options, agent: this.#plain });
      call.on("error", reject);
      call.on("timeout", () => call.destroy(new Error("no answer in 20 s")));
      call.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve(
            outcome(response.statusCode!, pairsOf(response.rawHeaders), Buffer.concat(chunks).toString()),
          ),
        );
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
      stream.setTimeout(20_000, () => stream.close(http2.constants.NGHTTP2_CANCEL));
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

function outcome(status: number, headers: readonly (readonly [string, string])[], body: string): Outcome {
  const isEchoed = headers.some(([name]) => name === "x-served-by") && body.startsWith("{");
  return { type: "answer", status, headers, body, ...(isEchoed && { seen: JSON.parse(body) as Seen }) };
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at]!.toLowerCase(), raw[at + 1]!]);
  return pairs;
}
