// The part that the clouds' stand-ins share: an HTTP server on a free port of 127.0.0.1 that remembers what it was asked, and can be told to answer otherwise.

import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface StandInRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  /** Parsed if it is JSON. */
  readonly body: unknown;
}

export interface StandInAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown;
}

export interface StandIn {
  readonly url: string;
  readonly requests: readonly StandInRequest[];
  /** As `GET /path`, tokens left out, since the last call. */
  takeCalls(): readonly string[];
  /** The next request that matches is answered so, whatever it is. */
  answerNext(matches: (request: StandInRequest) => boolean, answer: StandInAnswer): void;
  stop(): Promise<void>;
}

export async function startStandIn(serve: (request: StandInRequest) => StandInAnswer): Promise<StandIn> {
  const requests: StandInRequest[] = [];
  const planned: { matches: (request: StandInRequest) => boolean; answer: StandInAnswer }[] = [];
  let taken = 0;
  const server = http.createServer((incoming, outgoing) => {
    void read(incoming).then((request) => {
      requests.push(request);
      const plan = planned.findIndex(({ matches }) => matches(request));
      const [instead] = plan === -1 ? [] : planned.splice(plan, 1);
      const { status = 200, headers = {}, body } = instead?.answer ?? serve(request);
      const isText = typeof body === "string";
      outgoing.writeHead(status, {
        "content-type": isText ? "text/xml" : "application/json",
        ...headers,
      });
      outgoing.end(isText ? body : body === undefined ? "" : JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    takeCalls() {
      const calls = requests.slice(taken).map(({ method, path }) => `${method} ${path}`);
      taken = requests.length;
      return calls;
    },
    answerNext(matches, answer) {
      planned.push({ matches, answer });
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function read(incoming: http.IncomingMessage): Promise<StandInRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const url = new URL(incoming.url ?? "/", "http://stand-in");
  return {
    method: incoming.method ?? "GET",
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: incoming.headers,
    body: incoming.headers["content-type"]?.includes("json") && text !== "" ? JSON.parse(text) : text,
  };
}
