import { describe, expect, it } from "vitest";
import { listenerShape } from "../../../../test/nginx-listener-shape.ts";
import { renderListener } from "./listener-configuration.ts";

describe("the configuration of a listener's NGINX", () => {
  it.each(["http", "tls", "tcp", "udp"] as const)(
    "keeps all that NGINX writes in the listener's own folder: %s",
    (protocol) => {
      const http = renderListener(listenerShape({ protocol, folder: "/own" })).find(
        ({ name }) => name === "http",
      )!.block!;
      const folders = http.filter(({ name }) => name.endsWith("_temp_path"));
      expect(folders.map(({ name }) => name)).toEqual(
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path`),
      );
      for (const { arguments: given } of folders) expect(given[0]).toMatch(/^\/own\//);
    },
  );
});
