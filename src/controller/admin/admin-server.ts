/*
 * The admin endpoint: for people and monitors on the same machine. It only tells, it changes nothing. In a Pod it listens on the Pod's
 * address; whoever comes from elsewhere gets the public pages (health, metrics) and nothing else.
 *
 * Whoever can open a page in a browser here can make the browser send requests to loopback addresses. Answers carry no CORS
 * headers, so scripts of other origins cannot read them; and the Host must be an address or `localhost`, so a name of
 * an attacker that suddenly means 127.0.0.1 (DNS rebinding) gets nothing either.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP, type AddressInfo } from "node:net";
import { normalizeHost } from "../../model/index.ts";
import { EnvironmentError } from "../environment-error.ts";
import type { AdminAddress } from "../names/index.ts";
import { describePortHolder } from "../port-holder.ts";
import type { AdminPage, PageBody } from "./admin-page.ts";

export interface AdminServerOptions extends AdminAddress {
  readonly pages: readonly AdminPage[];
  /** Names the program in answers. */
  readonly software: string;
  /** Ports to try, one after the other, before giving up; 1 unless said otherwise. */
  readonly portsToTry?: number;
}

export interface AdminServer {
  /** Resolves to where it really listens. */
  start(): Promise<AdminAddress>;
  stop(): Promise<void>;
}

export function adminServer(options: AdminServerOptions): AdminServer {
  const server = createServer((request, response) => {
    void answer(request, response, options);
  });
  // Slow or many clients are nobody's friends here.
  server.maxConnections = 64;
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  return {
    start: () => listenSomewhere(server, options),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listenSomewhere(server: Server, options: AdminServerOptions): Promise<AdminAddress> {
  const { address, port, portsToTry = 1 } = options;
  for (let tried = 0; ; tried++) {
    const candidate = port === 0 ? 0 : port + tried;
    try {
      await listen(server, address, candidate);
      const bound = server.address() as AddressInfo;
      return { address: bound.address, port: bound.port };
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken || tried + 1 >= portsToTry || candidate >= 65_535) {
        throw await explainListenError(error, { address, port: candidate });
      }
    }
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function explainListenError(error: unknown, { address, port }: AdminAddress): Promise<unknown> {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const where = `the admin endpoint's port ${port} on ${address}`;
  const way = "give another with --admin ADDRESS:PORT, or --admin off";
  switch (code) {
    case "EADDRINUSE": {
      const holder = await describePortHolder(port);
      const text = `${where} is in use by ${holder}; ${way}`;
      return new EnvironmentError("GATEWRIGHT_PORT_TAKEN", text, { cause: error });
    }
    case "EACCES":
    case "EPERM": {
      const text = `${where} may not be opened by this user; ${way}`;
      return new EnvironmentError("GATEWRIGHT_PORT_DENIED", text, { cause: error });
    }
    default: {
      const text = `${where} cannot be opened (${code || message}); ${way}`;
      return new EnvironmentError("GATEWRIGHT_ADDRESS_UNUSABLE", text, { cause: error });
    }
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { pages, software }: AdminServerOptions,
): Promise<void> {
  response.setHeader("server", software);
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  try {
    const { status, type, body, headers = {} } = choose(request, pages);
    response.writeHead(status, { "content-type": type, ...headers });
    if (request.method === "HEAD") response.end();
    else await send(response, body);
  } catch {
    // A page that failed half-way must not look whole.
    response.destroy();
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: PageBody;
  readonly headers?: Readonly<Record<string, string>>;
}

const plain = "text/plain; charset=utf-8";
const refuse = (status: number, body: string, headers?: Readonly<Record<string, string>>): Answer => ({
  status,
  type: plain,
  body: `${body}\n`,
  ...(headers && { headers }),
});

function choose(request: IncomingMessage, pages: readonly AdminPage[]): Answer {
  if (!isTrustedHost(request.headers.host)) {
    return refuse(403, "the Host of a request to the admin endpoint must be an address or localhost");
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return refuse(405, "the admin endpoint only tells: use GET", { allow: "GET, HEAD" });
  }
  const [path = ""] = (request.url ?? "").split("?", 1);
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first = "", ...rest] = segments.map(decodeSegment);
  const page = pages.find(({ name }) => name === first);
  if (page && page.isPublic !== true && !isLoopback(request.socket.remoteAddress)) {
    return refuse(403, `/${page.name} is for clients on the same machine only`);
  }
  const content = page?.render(rest);
  if (!content) return refuse(404, `there is no ${path}; see /`);
  const { status = 200, type, body } = content;
  return { status, type, body };
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address);
}

function isTrustedHost(authority: string | undefined): boolean {
  const host = authority === undefined ? undefined : normalizeHost(authority);
  if (host === undefined) return false;
  return host === "localhost" || isIP(host.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function send(response: ServerResponse, body: PageBody): Promise<void> {
  if (typeof body === "string") {
    response.end(body);
    return;
  }
  // Long lists are made piece by piece, so that traffic goes on in between.
  for (const piece of body) {
    if (response.destroyed) return;
    const goesOn = response.write(piece);
    await (goesOn ? new Promise((resolve) => setImmediate(resolve)) : drained(response));
  }
  response.end();
}

function drained(response: ServerResponse): Promise<unknown> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}
