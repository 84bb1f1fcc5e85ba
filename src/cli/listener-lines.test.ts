import { describe, expect, it } from "vitest";
import type { ListenerView } from "../controller/index.ts";
import { renderClosed, renderListeners, renderOpened } from "./listener-lines.ts";
import { styleFor } from "./style.ts";

const view = (
  protocol: ListenerView["protocol"],
  address: string,
  more: Partial<ListenerView> = {},
): ListenerView => ({
  key: "shop/web/tcp/80",
  gateway: "shop/web",
  port: 80,
  protocol,
  state: { type: "programmed", addresses: [{ address, port: 8080 }] },
  sections: [
    {
      section: "Gateway/shop/web/main",
      hostnames: ["*"],
      servesHttp: protocol === "http" || protocol === "tls",
      routes: ["HTTPRoute shop/cart", "GRPCRoute other/api"],
    },
  ],
  ...more,
});
const rows = (...listeners: ListenerView[]) => renderListeners(listeners, styleFor(false)).slice(1);

describe("listeners as a table", () => {
  it.each([
    ["http", "127.0.0.1", "http://localhost:8080"],
    ["http", "::", "http://localhost:8080"],
    ["tls", "192.0.2.1", "https://192.0.2.1:8080"],
    ["tcp", "2001:db8::1", "tcp://[2001:db8::1]:8080"],
  ] as const)("%s on %s", (protocol, address, url) => {
    expect(rows(view(protocol, address))).toEqual([
      `shop/web   main       ${url}   any     cart, GRPCRoute other/api`,
    ]);
  });

  it("says what is not open, and that no route is there", () => {
    expect(rows(view("http", "::", { state: { type: "refused", message: "taken" }, sections: [] }))).toEqual([
      "shop/web   80         not open (port 80)           none",
    ]);
  });

  it("come and go by a line each", () => {
    const plain = styleFor(false);
    expect(renderOpened(view("http", "::1"), plain)).toEqual([
      "Gateway shop/web  listener main is open at http://localhost:8080",
    ]);
    expect(renderClosed("shop/web/tcp/80", plain)).toBe("Gateway shop/web  port 80 is closed");
  });

  it("is nothing where nothing listens", () => {
    expect(renderListeners([], styleFor(false))).toEqual([]);
  });
});
