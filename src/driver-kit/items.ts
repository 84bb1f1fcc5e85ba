/*
 * Items of a model as the cases need them: what a case is not about is filled in.
 */
import type {
  Backend,
  BackendTarget,
  EndpointSet,
  ExternalAuth,
  HttpBackend,
  Listener,
  Mirror,
  PathMatch,
  RequestMatch,
  Rule,
  RuleAction,
  ServerName,
  ServerNameAction,
  StreamRoute,
  ValueMatch,
  VirtualHost,
  WeightedBackend,
} from "../model/index.ts";

/** The section that everything belongs to unless a case is about sections. */
export const onlySection = "Gateway/kit/gateway/only";

export function listenerItem(
  protocol: Listener["protocol"],
  port: number,
  changes: Partial<Listener> = {},
): Listener {
  const transport = protocol === "udp" ? "udp" : "tcp";
  const gateway = changes.gateway ?? "kit/gateway";
  return {
    key: `${gateway}/${transport}/${port}`,
    gateway,
    port,
    transport,
    protocol,
    addresses: [],
    ...changes,
  };
}

export function virtualHostItem(
  { key }: Listener,
  hostname: string,
  rules: readonly Rule[],
  section = onlySection,
): VirtualHost {
  return { key: `${key}|${hostname}`, listener: key, hostname, section, rules };
}

export function serverNameItem(
  { key }: Listener,
  hostname: string,
  action: ServerNameAction,
  section = onlySection,
): ServerName {
  return { key: `${key}|${hostname}`, listener: key, hostname, section, action };
}

export function streamRouteItem({ key, transport }: Listener, ...backends: WeightedBackend[]): StreamRoute {
  const kind = transport === "udp" ? "UDPRoute" : "TCPRoute";
  return {
    key,
    listener: key,
    section: onlySection,
    route: { kind, namespace: "kit", name: "route", rule: 0 },
    backends,
  };
}

export function backendItem(name: string, changes: Partial<Backend> = {}): Backend {
  return { key: `Service/kit/${name}/80`, protocol: "http", ...changes };
}

export function endpointsItem(backend: Backend, ...ports: readonly number[]): EndpointSet {
  return { key: backend.key, endpoints: ports.map((port) => ({ address: "127.0.0.1", port })) };
}

export const exact = (value: string): PathMatch => ({ type: "exact", value });
export const prefix = (value: string): PathMatch => ({ type: "prefix", value });
export const regex = (value: string): PathMatch => ({ type: "regex", value });

/** For headers and query parameters. */
export function equals(name: string, value: string): ValueMatch {
  return { name, type: "exact", value };
}

export function matches(name: string, value: string): ValueMatch {
  return { name, type: "regex", value };
}

let rules = 0;

/** A text stands for that prefix; a backend for an action that sends everything to it. */
export function rule(
  match: string | Partial<RequestMatch>,
  action: Partial<RuleAction> | { readonly backend: Backend },
): Rule {
  const index = rules++;
  const given = typeof match === "string" ? { path: prefix(match) } : match;
  const changes: Partial<RuleAction> = "backend" in action ? { backends: [to(action)] } : action;
  return {
    key: `HTTPRoute/kit/route/${index}/0`,
    match: { path: prefix("/"), headers: [], queryParams: [], ...given },
    action: {
      route: { kind: "HTTPRoute", namespace: "kit", name: "route", rule: index },
      protocol: "http",
      mirrors: [],
      backends: [],
      timeouts: {},
      ...changes,
    },
  };
}

/** A share of a rule's requests for a backend. */
export function to(
  backend: Backend | { readonly backend: Backend },
  changes: Partial<HttpBackend> = {},
): HttpBackend {
  return { weight: 1, target: targetOf(backend), ...changes };
}

export function targetOf(given: Backend | { readonly backend: Backend }): BackendTarget {
  const { key } = "backend" in given ? given.backend : given;
  return { type: "backend", backend: key };
}

/** A server that is asked over HTTP, and is shown and may change nothing, unless the changes say otherwise. */
export function authBy(target: BackendTarget, changes: Partial<ExternalAuth> = {}): ExternalAuth {
  return {
    protocol: "http",
    target,
    pathPrefix: "",
    requestHeaders: [],
    responseHeaders: [],
    maxBodySize: 0,
    ...changes,
  };
}

export const noTarget: BackendTarget = { type: "error", status: 500, reason: "BackendNotFound" };

export function mirrorTo(given: { readonly backend: Backend }, numerator = 1, denominator = 1): Mirror {
  return { target: targetOf(given), numerator, denominator };
}
