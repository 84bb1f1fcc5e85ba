/*
 * One check of one endpoint: a connection, or an HTTP request over it. Everything that goes wrong means that the endpoint is not well.
 */
import http from "node:http";
import http2 from "node:http2";
import net from "node:net";
import tls from "node:tls";
import type { Backend, Endpoint, HealthCheck } from "../model/index.ts";

export interface Probe {
  readonly backend: Backend;
  readonly check: HealthCheck;
  readonly endpoint: Endpoint;
  /** How TLS is spoken to it; `nobody is trusted`: it cannot be. Absent: in the clear. */
  readonly tls?: tls.ConnectionOptions | "nobody is trusted" | undefined;
}

const userAgent = "gatewright-health-check";

/** Calls back once, unless it is cancelled before. */
export function probe(given: Probe, done: (isWell: boolean) => void): { cancel(): void } {
  const { backend, check, endpoint } = given;
  let socket: net.Socket | undefined;
  let session: http2.ClientHttp2Session | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
    session?.destroy();
    socket?.destroy();
  };
  const finish = (isWell: boolean): void => {
    if (isOver) return;
    end();
    done(isWell);
  };
  const timer = setTimeout(() => finish(false), check.timeout);
  try {
    socket = connect(given, () => {
      if (isOver) return;
      if (check.path === undefined) finish(true);
      else if (backend.protocol === "h2c") session = askHttp2(socket!, given, finish);
      else askHttp1(socket!, given, finish);
    });
    socket.on("error", () => finish(false));
    socket.on("close", () => finish(false));
  } catch {
    setImmediate(() => finish(false));
  }
  return { cancel: end };

  function connect({ tls: secure }: Probe, ready: () => void): net.Socket {
    if (secure === "nobody is trusted") throw new Error("nobody is trusted");
    const target = { host: endpoint.address, port: endpoint.port, noDelay: true };
    if (!secure) return net.connect(target, ready);
    const protocol = backend.protocol === "h2c" ? "h2" : "http/1.1";
    return tls.connect({ ...secure, ...target, ALPNProtocols: [protocol] }, ready);
  }
}

function askHttp1(socket: net.Socket, { check, endpoint }: Probe, finish: (isWell: boolean) => void): void {
  try {
    const request = http.request({
      createConnection: () => socket,
      method: "GET",
      path: check.path!,
      setHost: false,
      headers: { host: hostOf(check, endpoint), "user-agent": userAgent, connection: "close" },
    });
    request.on("error", () => finish(false));
    request.on("response", ({ statusCode }) => finish(isExpected(check, statusCode ?? 0)));
    request.end();
  } catch {
    finish(false);
  }
}

function askHttp2(
  socket: net.Socket,
  { check, endpoint, tls: secure }: Probe,
  finish: (isWell: boolean) => void,
): http2.ClientHttp2Session | undefined {
  try {
    const session = http2.connect("http://endpoint.invalid", { createConnection: () => socket });
    session.on("error", () => finish(false));
    const stream = session.request({
      ":method": "GET",
      ":scheme": secure ? "https" : "http",
      ":authority": hostOf(check, endpoint),
      ":path": check.path!,
      "user-agent": userAgent,
    });
    stream.on("error", () => finish(false));
    stream.on("response", (head) => finish(isExpected(check, Number(head[":status"]))));
    stream.on("close", () => finish(false));
    return session;
  } catch {
    finish(false);
    return undefined;
  }
}

function hostOf({ host }: HealthCheck, { address, port }: Endpoint): string {
  return host ?? (address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`);
}

function isExpected({ expectedStatuses }: HealthCheck, status: number): boolean {
  if (expectedStatuses.length === 0) return status === 200;
  return expectedStatuses.some(({ start, end }) => status >= start && status <= end);
}
