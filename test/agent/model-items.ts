import type { Listener, Rule, VirtualHost } from "../../src/model/index.ts";

export function listener(key: string): Listener {
  return { key, gateway: "a/gw", port: 80, transport: "tcp", protocol: "http", addresses: [] };
}

export function virtualHost(key: string, rules: readonly Rule[]): VirtualHost {
  return { key, listener: "a/gw/tcp/80", hostname: "*", section: "Gateway/a/gw/http", rules };
}

export function rule(name: string): Rule {
  return {
    key: `HTTPRoute/a/${name}/0/0`,
    match: { path: { type: "prefix", value: "/" }, headers: [], queryParams: [] },
    action: {
      route: { kind: "HTTPRoute", namespace: "a", name, rule: 0 },
      protocol: "http",
      mirrors: [],
      backends: [],
      timeouts: {},
    },
  };
}
