import { describe, expect, it } from "vitest";
import { embeddedDriver } from "../drivers/index.ts";
import { renderMetrics } from "./admin/metrics-text.ts";
import { embeddedMetrics } from "./embedded-metrics.ts";

describe("metrics of the embedded driver", () => {
  it("name the listener, the route and the class of the answer", () => {
    const description = embeddedDriver().describe();
    description.http.count("shop/web/tcp/80", "HTTPRoute/shop/cart", 204);
    description.http.count("shop/web/tcp/80", "HTTPRoute/shop/cart", 200);
    description.http.count("shop/web/tcp/80", "", 404);
    const listener = {
      key: "shop/web/tcp/80",
      gateway: "shop/web",
      protocol: "http",
      port: 80,
      state: { type: "programmed" as const },
      addresses: [],
      counters: {
        connections: 3,
        active: 1,
        refused: 0,
        handshakeFailures: 0,
        bytesIn: 10,
        bytesOut: 20,
        datagramsIn: 0,
        datagramsOut: 0,
        datagramsDropped: 0,
      },
    };
    const text = renderMetrics(embeddedMetrics({ ...description, listeners: [listener] }));
    const labels = 'gateway="shop/web",port="80",protocol="http"';
    expect(text).toContain(
      `gatewright_requests_total{${labels},route="HTTPRoute/shop/cart",status="2xx"} 2\n`,
    );
    expect(text).toContain(`gatewright_requests_total{${labels},route="",status="4xx"} 1\n`);
    expect(text).toContain(`gatewright_connections_total{${labels}} 3\n`);
    expect(text).toContain(`gatewright_listener_open{${labels}} 1\n`);
  });
});
