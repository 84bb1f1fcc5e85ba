import net from "node:net";
import tls from "node:tls";
import type { TlsClient } from "../../backend-tls.ts";
import { UpstreamError } from "./upstream-error.ts";

export interface ConnectOptions {
  readonly address: string;
  readonly port: number;
  readonly timeout: number;
  /** `undefined`: plain. */
  readonly tls: TlsClient | "nobody is trusted" | undefined;
  readonly protocol: "http/1.1" | "h2";
}

export interface Opening {
  cancel(): void;
}

type Opened = (error: UpstreamError | undefined, socket: net.Socket | undefined) => void;

/**
 * Opens a connection and calls back once, when it can be used: with TLS, after the backend has been found to be who it
 * must be. No byte of a request is written before that.
 */
export function connect(options: ConnectOptions, opened: Opened): Opening {
  if (options.tls === "nobody is trusted") return refuse(options, opened);
  const target = { host: options.address, port: options.port, noDelay: true, keepAlive: true };
  const where = `${options.address}:${options.port}`;
  const socket: net.Socket = options.tls
    ? tls.connect({ ...options.tls.options, ...target, ALPNProtocols: [options.protocol] })
    : net.connect(target);
  const timer = setTimeout(
    () => fail(new UpstreamError("connect", `no connection to ${where} within ${options.timeout} ms`)),
    options.timeout,
  );
  socket.once(options.tls ? "secureConnect" : "connect", succeed);
  socket.once("error", broken);
  socket.once("close", closed);

  function succeed(): void {
    if (options.protocol === "h2" && socket instanceof tls.TLSSocket && socket.alpnProtocol !== "h2") {
      fail(new UpstreamError("connect", `${where} does not speak HTTP/2 over TLS`));
      return;
    }
    settle();
    opened(undefined, socket);
  }

  function broken(error: Error): void {
    fail(new UpstreamError("connect", `no connection to ${where}: ${error.message}`, { cause: error }));
  }

  function closed(): void {
    fail(new UpstreamError("connect", `${where} closed the connection`));
  }

  let settled = false;
  function settle(): void {
    settled = true;
    clearTimeout(timer);
    socket.removeListener("error", broken);
    socket.removeListener("close", closed);
  }

  function fail(error: UpstreamError): void {
    if (settled) return;
    settle();
    socket.on("error", () => {});
    socket.destroy();
    opened(error, undefined);
  }

  return {
    cancel() {
      if (settled) return;
      settle();
      socket.on("error", () => {});
      socket.destroy();
    },
  };
}

function refuse({ address, port }: ConnectOptions, opened: Opened): Opening {
  const error = new UpstreamError(
    "connect",
    `no certificate of ${address}:${port} can be trusted: there is no CA`,
  );
  const timer = setImmediate(() => opened(error, undefined));
  return { cancel: () => clearImmediate(timer) };
}
