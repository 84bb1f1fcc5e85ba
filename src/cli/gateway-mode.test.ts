import { describe, expect, it } from "vitest";
import { gatewayModeFlags, readGatewayMode } from "./gateway-mode.ts";
import { Invocation } from "./invocation.ts";

const read = (given: Readonly<Record<string, string>>) =>
  readGatewayMode(
    new Invocation(
      gatewayModeFlags,
      [],
      new Map(Object.entries(given).map(([flag, value]) => [flag, [value]])),
    ),
  );

describe("which Gateways are served", () => {
  it.each([
    [{}, {}],
    [{ gateway: "shop/web" }, { singleGateway: { gateway: "shop/web" } }],
    [{ mode: "single-gateway" }, { singleGateway: {} }],
    [{ "listener-policy": "contour" }, { listenerPolicy: { ports: { insecure: 80, secure: 443 } } }],
    [
      { "listener-policy": "contour", "secure-port": "8443" },
      { listenerPolicy: { ports: { insecure: 80, secure: 8443 } } },
    ],
  ])("%j", (given, settings) => {
    expect(read(given)).toEqual({ outcome: "mode", settings, isObsoleteFlagGiven: false });
  });

  it("2.1.5: the old flag only refers to the new one", () => {
    expect(read({ "experimental-service-apis": "true" })).toEqual({
      outcome: "mode",
      settings: {},
      isObsoleteFlagGiven: true,
    });
  });

  it.each([
    [{ gateway: "web" }, "--gateway: web is not NAMESPACE/NAME"],
    [{ gateway: "shop/web", mode: "gateway-class" }, "--gateway is for --mode single-gateway"],
    [{ "secure-port": "0" }, "--secure-port: must be a port"],
    [{ "insecure-port": "0x50" }, "--insecure-port: must be a port"],
    [{ "insecure-port": "443" }, "--secure-port: must not be the insecure port"],
  ])("%j is refused", (given, message) => {
    expect(read(given)).toEqual({
      outcome: "malformed",
      message: expect.stringContaining(message) as string,
    });
  });
});
