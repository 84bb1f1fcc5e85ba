import http from "node:http";
import https from "node:https";
import type { ConnectionOptions } from "node:tls";
import type { BoundAddress } from "../../drivers/driver.ts";
import { Answer } from "./answer.ts";
import { clientPatience } from "./deadline.ts";
import { headerPairs } from "./seen-request.ts";

export interface ClientRequest {
  readonly method?: string;
  readonly host?: string;
  /** Path and query. */
  readonly path?: string;
  /** A list of values repeats the header. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Over TLS; the server name is `servername`. */
  readonly tls?: ConnectionOptions;
  /** Keeps connections; by default each request has its own. */
  readonly agent?: http.Agent | https.Agent;
  readonly timeout?: number;
  /** Called with each piece of the answer's body as it arrives. */
  readonly onPiece?: (piece: string) => void;
}

/** What clients ask for unless a case says otherwise: with the port, as clients do that had to be told one. */
export function siteHost({ port }: BoundAddress): string {
  return `site.test:${port}`;
}

/** One request over HTTP/1.1. Rejects when the connection breaks before the answer is whole. */
export function requestHttp1(at: BoundAddress, request: ClientRequest): Promise<Answer> {
  const { method = "GET", host = siteHost(at), path = "/", body, timeout = clientPatience } = request;
  return new Promise((resolve, reject) => {
    const options: https.RequestOptions = {
      host: at.address,
      port: at.port,
      method,
      path,
      headers: { host, ...(request.headers as http.OutgoingHttpHeaders | undefined) },
      setHost: false,
      agent: request.agent ?? false,
      ...(request.tls ? { ...request.tls, ALPNProtocols: ["http/1.1"] } : {}),
    };
    const call = (request.tls ? https : http).request(options);
    call.setTimeout(timeout, () => call.destroy(new Error(`no answer within ${timeout} ms`)));
    call.on("error", reject);
    call.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        request.onPiece?.(chunk.toString("utf8"));
      });
      response.on("error", reject);
      response.on("end", () => {
        if (!response.complete) {
          reject(new Error("the answer broke off"));
          return;
        }
        resolve(
          new Answer({
            status: response.statusCode!,
            headers: headerPairs(response.rawHeaders),
            trailers: headerPairs(response.rawTrailers),
            bytes: Buffer.concat(chunks),
            protocol: "HTTP/1.1",
          }),
        );
      });
    });
    call.end(body);
  });
}
