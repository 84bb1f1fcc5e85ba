import http2 from "node:http2";
import type { ConnectionOptions } from "node:tls";
import type { BoundAddress } from "../../drivers/driver.ts";
import { Answer } from "./answer.ts";
import { clientPatience, within } from "./deadline.ts";
import { siteHost, type ClientRequest } from "./http-client.ts";

/** A connection that speaks HTTP/2, with prior knowledge or after ALPN. */
export interface Http2Client {
  request(request: Omit<ClientRequest, "agent" | "tls">): Promise<Answer>;
  /** A stream of one's own, for answers that come bit by bit. */
  open(request: Omit<ClientRequest, "agent" | "tls" | "body">): http2.ClientHttp2Stream;
  close(): void;
}

export async function connectHttp2(at: BoundAddress, tls?: ConnectionOptions): Promise<Http2Client> {
  const host = at.address.includes(":") ? `[${at.address}]` : at.address;
  const session = http2.connect(`${tls ? "https" : "http"}://${host}:${at.port}`, {
    ...tls,
    ...(tls ? { ALPNProtocols: ["h2"] } : {}),
  });
  await within(
    clientPatience,
    "HTTP/2 connection",
    new Promise<void>((resolve, reject) => {
      session.once("connect", () => resolve());
      session.once("error", reject);
    }),
  );
  session.on("error", () => {});
  const open: Http2Client["open"] = ({
    method = "GET",
    host: authority = siteHost(at),
    path = "/",
    headers,
  }) =>
    session.request(
      {
        ":method": method,
        ":path": path,
        ":authority": authority,
        ":scheme": tls ? "https" : "http",
        ...(headers as http2.OutgoingHttpHeaders | undefined),
      },
      { endStream: false },
    );
  return {
    open,
    async request(request) {
      const stream = open(request);
      const answer = readAnswer(stream, request.onPiece);
      stream.end(request.body);
      return await within(request.timeout ?? clientPatience, `${request.path ?? "/"} over HTTP/2`, answer);
    },
    close: () => session.destroy(),
  };
}

function readAnswer(
  stream: http2.ClientHttp2Stream,
  onPiece: ((piece: string) => void) | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let head: http2.IncomingHttpHeaders = {};
    let trailers: http2.IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on("response", (headers) => (head = headers));
    stream.on("trailers", (headers) => (trailers = headers));
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      onPiece?.(chunk.toString("utf8"));
    });
    stream.on("error", reject);
    stream.on("close", () => {
      if (stream.rstCode !== http2.constants.NGHTTP2_NO_ERROR || head[":status"] === undefined) {
        reject(new Error(`the stream was reset with code ${stream.rstCode}`));
        return;
      }
      resolve(
        new Answer({
          status: Number(head[":status"]),
          headers: pairsOf(head),
          trailers: pairsOf(trailers),
          bytes: Buffer.concat(chunks),
          protocol: "HTTP/2",
        }),
      );
    });
  });
}

function pairsOf(headers: http2.IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers)
    .filter(([name]) => !name.startsWith(":"))
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [String(value)]).map((one): [string, string] => [name, one]),
    );
}
