/*
 * gRPC on node:http2: messages in frames of five bytes and a length, a status in the trailers. What the messages mean is up to
 * the case.
 */
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { clientPatience, within } from "./deadline.ts";
import type { Http2Client } from "./http2-client.ts";

export interface GrpcCall {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly headers: http2.IncomingHttpHeaders;
}

export interface GrpcBackend {
  readonly name: string;
  readonly port: number;
  readonly calls: readonly GrpcCall[];
  stop(): Promise<void>;
}

export interface GrpcBackendOptions {
  readonly name: string;
  /** The answer to one message, sent at once; by default the backend's name and the message. */
  readonly answer?: (message: Buffer, call: GrpcCall) => Buffer | Promise<Buffer>;
}

/** The status of a call is what its header `x-want-status` says, else 0. */
export async function startGrpcBackend({ name, answer }: GrpcBackendOptions): Promise<GrpcBackend> {
  const calls: GrpcCall[] = [];
  const sessions = new Set<http2.ServerHttp2Session>();
  const server = http2.createServer();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    const call = { path: String(headers[":path"]), headers };
    calls.push(call);
    const status = String(headers["x-want-status"] ?? "0");
    stream.respond(
      { ":status": 200, "content-type": "application/grpc", "x-seen": name },
      { waitForTrailers: true },
    );
    stream.on("wantTrailers", () =>
      stream.sendTrailers({ "grpc-status": status, "grpc-message": `said by ${name}` }),
    );
    const frames = new FrameReader();
    let answers = Promise.resolve();
    stream.on("data", (chunk: Buffer) => {
      for (const message of frames.push(chunk)) {
        answers = answers.then(async () => {
          const reply = answer ? await answer(message, call) : Buffer.from(`${name}: ${message.toString()}`);
          if (!stream.destroyed) stream.write(frameOf(reply));
        });
      }
    });
    stream.on("end", () => void answers.then(() => stream.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    name,
    port: (server.address() as AddressInfo).port,
    calls,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

export interface GrpcAnswer {
  readonly httpStatus: number;
  /** From the trailers, or the head where there is no body. */
  readonly status: number | undefined;
  readonly statusMessage: string | undefined;
  readonly messages: readonly string[];
  readonly headers: http2.IncomingHttpHeaders;
}

export interface GrpcRequest {
  readonly host?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly messages?: readonly string[];
  /** Each message is sent only after the answer to the one before has come. */
  readonly inTurns?: boolean;
}

export function callGrpc(client: Http2Client, request: GrpcRequest): Promise<GrpcAnswer> {
  const { host, path, headers, messages = ["hello"], inTurns = false } = request;
  const stream = client.open({
    method: "POST",
    path,
    ...(host === undefined ? {} : { host }),
    headers: { "content-type": "application/grpc", te: "trailers", ...headers },
  });
  const waiting = [...messages];
  const send = () => {
    const next = waiting.shift();
    if (next === undefined) stream.end();
    else stream.write(frameOf(Buffer.from(next)));
  };
  if (inTurns) send();
  else for (let left = messages.length; left >= 0; left--) send();
  const answer = new Promise<GrpcAnswer>((resolve, reject) => {
    const frames = new FrameReader();
    const received: string[] = [];
    let head: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader = {};
    let trailers: http2.IncomingHttpHeaders = {};
    stream.on("response", (given) => (head = given));
    stream.on("trailers", (given) => (trailers = given));
    stream.on("data", (chunk: Buffer) => {
      for (const message of frames.push(chunk)) {
        received.push(message.toString());
        if (inTurns) send();
      }
    });
    stream.on("error", reject);
    stream.on("close", () => {
      const status = trailers["grpc-status"] ?? head["grpc-status"];
      const message = trailers["grpc-message"] ?? head["grpc-message"];
      resolve({
        httpStatus: Number(head[":status"]),
        status: status === undefined ? undefined : Number(status),
        statusMessage: message === undefined ? undefined : String(message),
        messages: received,
        headers: head,
      });
    });
  });
  return within(clientPatience, `gRPC call ${path}`, answer);
}

function frameOf(message: Buffer): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, 5);
  return frame;
}

class FrameReader {
  #received = Buffer.alloc(0);

  push(chunk: Buffer): Buffer[] {
    this.#received = Buffer.concat([this.#received, chunk]);
    const messages: Buffer[] = [];
    while (this.#received.length >= 5) {
      const end = 5 + this.#received.readUInt32BE(1);
      if (this.#received.length < end) break;
      messages.push(this.#received.subarray(5, end));
      this.#received = this.#received.subarray(end);
    }
    return messages;
  }
}
