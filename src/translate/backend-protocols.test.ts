import { describe, expect, it } from "vitest";
import { allFeatures } from "../model/index.ts";
import { judgeAppProtocol, judgeXBackendProtocol, type Transport } from "./backend-protocols.ts";

const refused = "refused";

describe("judgeAppProtocol", () => {
  it.each<[Transport, string | undefined, boolean, string]>([
    ["http", undefined, false, "http"],
    ["http", "http", false, "http"],
    ["http", "HTTP", false, "http"],
    ["http", "kubernetes.io/ws", false, "http"],
    ["http", "kubernetes.io/h2c", false, "h2c"],
    ["http", "grpc", false, "h2c"],
    ["http", "https", false, refused],
    ["http", "HTTPS", true, "http"],
    ["http", "kubernetes.io/wss", false, refused],
    ["http", "kubernetes.io/wss", true, "http"],
    ["http", "kubernetes.io/h2c", true, "h2c"],
    ["http", "mysql", false, refused],
    ["http", "example.com/custom", true, refused],
    ["http", "constructor", false, refused],
    ["grpc", undefined, false, "h2c"],
    ["grpc", "http", false, "h2c"],
    ["grpc", "kubernetes.io/h2c", false, "h2c"],
    ["grpc", "grpc", false, "h2c"],
    ["grpc", "https", true, "h2c"],
    ["grpc", "https", false, refused],
    ["grpc", "kubernetes.io/ws", false, refused],
    ["tcp", "mysql", false, "tcp"],
    ["passthrough", "kubernetes.io/wss", false, "tcp"],
    ["udp", "dns", false, "udp"],
  ])("%s to appProtocol %s, TLS %s: %s", (transport, appProtocol, usesTls, expected) => {
    const judged = judgeAppProtocol({ transport, appProtocol, usesTls, features: allFeatures });
    expect(judged.protocol ?? refused).toBe(expected);
  });

  it("needs the proxy's features", () => {
    const question = { transport: "http", usesTls: false, features: new Set<string>() } as const;
    expect(judgeAppProtocol({ ...question, appProtocol: "kubernetes.io/h2c" }).protocol).toBeUndefined();
    expect(judgeAppProtocol({ ...question, appProtocol: "kubernetes.io/ws" }).protocol).toBeUndefined();
    expect(judgeAppProtocol({ ...question, appProtocol: "http" }).protocol).toBe("http");
    expect(
      judgeAppProtocol({ ...question, transport: "grpc", appProtocol: "kubernetes.io/h2c" }).protocol,
    ).toBe("h2c");
  });
});

describe("judgeXBackendProtocol", () => {
  it.each([
    ["http", undefined, "http"],
    ["http", "HTTP", "http"],
    ["http", "HTTP11", "http"],
    ["http", "HTTP2", "h2c"],
    ["http", "H2C", "h2c"],
    ["http", "TCP", refused],
    ["http", "MCP", refused],
    ["grpc", undefined, "h2c"],
    ["grpc", "HTTP", "h2c"],
    ["grpc", "HTTP11", refused],
    ["tcp", undefined, "tcp"],
    ["tcp", "TCP", "tcp"],
    ["passthrough", "HTTP2", "tcp"],
    ["udp", undefined, refused],
  ] as const)("%s to %s: %s", (transport, protocol, expected) => {
    expect(judgeXBackendProtocol(transport, protocol).protocol ?? refused).toBe(expected);
  });
});
