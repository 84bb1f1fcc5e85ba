import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import { onTestFinished } from "vitest";
import {
  compileVirtualHost,
  HttpService,
  type AccessRecord,
  type CompiledVirtualHost,
  type HttpLimits,
} from "../src/drivers/embedded/http/index.ts";
import {
  createUpstreamBackend,
  type UpstreamBackend,
  type UpstreamLimits,
  type UpstreamTls,
} from "../src/drivers/embedded/upstream/index.ts";
import {
  HostTable,
  type Backend,
  type HttpBackend,
  type Listener,
  type RequestMatch,
  type Rule,
  type RuleAction,
} from "../src/model/index.ts";

const gatewayName = "default/gateway";

/** A rule's action that sends everything to these backends. */
export function action(
  changes: Partial<RuleAction> & { readonly to?: readonly (string | HttpBackend)[] } = {},
): RuleAction {
  const { to = [], ...rest } = changes;
  return {
    route: { kind: "HTTPRoute", namespace: "default", name: "route", rule: 0 },
    protocol: "http",
    mirrors: [],
    timeouts: {},
    backends: to.map((target) => (typeof target === "string" ? toBackend(target) : target)),
    ...rest,
  };
}

export function toBackend(key: string, changes: Partial<HttpBackend> = {}): HttpBackend {
  return { weight: 1, target: { type: "backend", backend: key }, ...changes };
}

export function rule(path: string, ruleAction: RuleAction, match: Partial<RequestMatch> = {}): Rule {
  return {
    key: `HTTPRoute/default/route/${path}`,
    match: { path: { type: "prefix", value: path }, headers: [], queryParams: [], ...match },
    action: ruleAction,
  };
}

export interface TestHost {
  readonly hostname: string;
  readonly section?: string;
  readonly rules: readonly Rule[];
}

export interface TestBackend {
  readonly ports: readonly number[];
  readonly protocol?: Backend["protocol"];
  readonly tls?: UpstreamTls;
  readonly changes?: Partial<Backend>;
}

export interface GatewayOptions {
  readonly hosts: readonly TestHost[];
  readonly backends?: Readonly<Record<string, TestBackend>>;
  readonly limits?: Partial<HttpLimits>;
  readonly upstreamLimits?: Partial<UpstreamLimits>;
  /** Terminates TLS; the server name chooses the section of the same name. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly listenerPort?: number;
  readonly portFor?: (port: number) => number;
  readonly now?: () => number;
}

export interface TestGateway {
  readonly port: number;
  readonly service: HttpService;
  readonly listener: Listener;
  readonly log: AccessRecord[];
  readonly backends: Map<string, UpstreamBackend>;
  setHosts(hosts: readonly TestHost[]): void;
  setBackend(key: string, backend: TestBackend): void;
  close(): Promise<void>;
}

/** The HTTP data path behind a port of 127.0.0.1, without the rest of the driver. */
export async function httpGateway(options: GatewayOptions): Promise<TestGateway> {
  const listener: Listener = {
    key: `${gatewayName}/tcp/${options.listenerPort ?? 80}`,
    gateway: gatewayName,
    port: options.listenerPort ?? 80,
    transport: "tcp",
    protocol: options.tls ? "tls" : "http",
    addresses: [],
  };
  let hosts = hostTable(listener, options.hosts);
  const backends = new Map<string, UpstreamBackend>();
  const setBackend = (key: string, backend: TestBackend): void => {
    backends.get(key)?.close();
    backends.set(key, upstream(key, backend, options.upstreamLimits));
  };
  for (const [key, backend] of Object.entries(options.backends ?? {})) setBackend(key, backend);
  const log: AccessRecord[] = [];
  const service = new HttpService({
    tables: {
      virtualHosts: (key) => (key === listener.key ? hosts : undefined),
      backend: (key) => backends.get(key),
      portFor: (_gateway, port) => options.portFor?.(port) ?? port,
    },
    log: (record) => log.push(record),
    limits: options.limits,
    now: options.now,
  });
  const sockets = new Set<net.Socket>();
  const server = options.tls
    ? tls.createServer({ ...options.tls, ALPNProtocols: ["h2", "http/1.1"] }, (socket) =>
        service.accept({
          socket,
          listener,
          scheme: "https",
          section: String((socket as tls.TLSSocket & { servername?: string }).servername),
          alpn: socket.alpnProtocol === "h2" ? "h2" : "http/1.1",
        }),
      )
    : net.createServer((socket) => service.accept({ socket, listener, scheme: "http" }));
  server.on("connection", (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as net.AddressInfo).port,
    service,
    listener,
    log,
    backends,
    setHosts: (changed) => void (hosts = hostTable(listener, changed)),
    setBackend,
    async close() {
      const closed = once(server, "close");
      server.close();
      await service.stop();
      for (const socket of sockets) socket.destroy();
      for (const backend of backends.values()) backend.close();
      await closed;
    },
  };
}

function hostTable(listener: Listener, hosts: readonly TestHost[]): HostTable<CompiledVirtualHost> {
  const table = new HostTable<CompiledVirtualHost>();
  for (const { hostname, section = "section", rules } of hosts) {
    const key = `${listener.key}|${hostname}`;
    table.set(hostname, compileVirtualHost({ key, listener: listener.key, hostname, section, rules }));
  }
  return table;
}

function upstream(
  key: string,
  { ports, protocol = "http", tls: settings, changes }: TestBackend,
  limits: Partial<UpstreamLimits> | undefined,
): UpstreamBackend {
  const backend: Backend = {
    key,
    protocol,
    ...(settings
      ? {
          tls: {
            trusted: [],
            subjectAltNames: [],
            ...(settings.hostname !== undefined && { hostname: settings.hostname }),
          },
        }
      : {}),
    ...changes,
  };
  const endpoints = ports.map((port) => ({ address: "127.0.0.1", port }));
  return createUpstreamBackend({ backend, endpoints, tls: settings, limits });
}

/** Closes it when the test is over. */
export async function opened<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
  const it = await opening;
  onTestFinished(() => it.close());
  return it;
}

/** A gateway that sends every request for any host to one backend, as `changes` say. */
export function simpleGateway(
  port: number,
  changes: Parameters<typeof action>[0] = {},
  options: Partial<GatewayOptions> = {},
): Promise<TestGateway> {
  return opened(
    httpGateway({
      hosts: [{ hostname: "*", rules: [rule("/", action({ to: ["echo"], ...changes }))] }],
      backends: { echo: { ports: [port] } },
      ...options,
    }),
  );
}

/** What is to be done when the test is over. */
export function closed(close: () => void): void {
  onTestFinished(close);
}
