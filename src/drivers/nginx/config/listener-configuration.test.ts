import { describe, expect, it } from "vitest";
import { renderListener } from "./listener-configuration.ts";
import type { ListenerShape } from "./listener-shape.ts";

function shapeFor(protocol: ListenerShape["protocol"]): ListenerShape {
  return {
    protocol,
    listens: ["0.0.0.0:1"],
    listenerId: "l1",
    folder: "/own",
    sockets: "/own/s",
    dataFolder: "/data",
    scripts: "/data/scripts",
    modules: "/modules",
    user: undefined,
    workers: 1,
    workerConnections: 16,
    maxOpenFiles: 16,
    slots: 1,
    profiles: new Map(),
    mirrors: new Set(),
    trusts: new Map(),
    headerNames: [],
    clientValidation: undefined,
    accessLog: undefined,
    generation: 1,
  };
}

describe("the configuration of a listener's NGINX", () => {
  it.each(["http", "tls", "tcp", "udp"] as const)(
    "keeps all that NGINX writes in the listener's own folder: %s",
    (protocol) => {
      const http = renderListener(shapeFor(protocol)).find(({ name }) => name === "http")!.block!;
      const folders = http.filter(({ name }) => name.endsWith("_temp_path"));
      expect(folders.map(({ name }) => name)).toEqual(
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path`),
      );
      for (const { arguments: given } of folders) expect(given[0]).toMatch(/^\/own\//);
    },
  );
});
