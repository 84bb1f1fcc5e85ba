import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import net from "node:net";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly trailers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Ask {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  readonly agent?: http.Agent;
}

/** One request by HTTP/1.1, on a connection of its own unless there is an agent. */
export async function ask(port: number, path: string, options: Ask = {}): Promise<Answer> {
  const request = http.request({
    host: "127.0.0.1",
    port,
    path,
    method: options.method ?? "GET",
    headers: { host: options.host ?? "a.test", ...options.headers },
    agent: options.agent ?? false,
  });
  request.end(options.body);
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  let text = "";
  response.setEncoding("latin1");
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode!, headers: response.headers, text, trailers: response.trailers };
}

/** Several requests by HTTP/2 on one connection. */
export class Http2Client {
  readonly session: http2.ClientHttp2Session;

  constructor(authority: string | number, options: http2.SecureClientSessionOptions = {}) {
    const url = typeof authority === "number" ? `http://127.0.0.1:${authority}` : authority;
    this.session = http2.connect(url, { rejectUnauthorized: false, ...options });
    this.session.on("error", () => {});
  }

  stream(path: string, headers: http2.OutgoingHttpHeaders = {}): http2.ClientHttp2Stream {
    return this.session.request({ ":authority": "a.test", ":path": path, ...headers }, { endStream: false });
  }

  async ask(path: string, headers: http2.OutgoingHttpHeaders = {}, body?: string): Promise<Answer> {
    const stream = this.session.request(
      { ":authority": "a.test", ":path": path, ...headers },
      { endStream: body === undefined },
    );
    if (body !== undefined) stream.end(body);
    return answerOf(stream);
  }

  close(): void {
    this.session.destroy();
  }
}

export async function answerOf(stream: http2.ClientHttp2Stream): Promise<Answer> {
  let trailers: http2.IncomingHttpHeaders = {};
  stream.on("trailers", (given) => (trailers = given));
  const [headers] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
  let text = "";
  stream.setEncoding("latin1");
  for await (const chunk of stream) text += String(chunk);
  return { status: Number(headers[":status"]), headers, text, trailers };
}

/** Sends bytes as they are and gives all that comes back until the other side ends or is silent for `silence` ms. */
export async function sendBytes(
  port: number,
  pieces: string | readonly string[],
  { silence = 500 }: { readonly silence?: number } = {},
): Promise<string> {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  let text = "";
  const over = new Promise<void>((resolve) => {
    let timer = setTimeout(resolve, silence + 2_000);
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      clearTimeout(timer);
      timer = setTimeout(resolve, silence);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  for (const piece of typeof pieces === "string" ? [pieces] : pieces) {
    socket.write(piece, "latin1");
    if (typeof pieces !== "string") await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await over;
  socket.destroy();
  return text;
}
