import type { ListenerShape } from "../src/drivers/nginx/config/listener-shape.ts";

/** What the configuration of a listener's NGINX depends on; what a test is not about is filled in. */
export function listenerShape(changes: Partial<ListenerShape> = {}): ListenerShape {
  return {
    protocol: "http",
    listens: ["0.0.0.0:80"],
    listenerId: "l1",
    folder: "/run/gatewright/l1",
    sockets: "/run/gatewright/l1/s",
    dataFolder: "/run/gatewright/d",
    scripts: "/run/gatewright/d/scripts",
    modules: "/usr/lib/nginx/modules",
    user: undefined,
    workers: 1,
    workerConnections: 16_384,
    maxOpenFiles: 65_536,
    slots: 1,
    profiles: new Map(),
    mirrors: new Set(),
    trusts: new Map(),
    headerNames: [],
    clientValidation: undefined,
    accessLog: undefined,
    generation: 1,
    ...changes,
  };
}
