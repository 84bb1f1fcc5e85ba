import { X509Certificate, createPrivateKey } from "node:crypto";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { describe, expect, it } from "vitest";
import { makeSelfSigned } from "./self-signed.ts";

describe("a certificate made on the spot", () => {
  it("names what it was made for and belongs to its key", async () => {
    const { certificate, privateKey } = await makeSelfSigned(["localhost", "127.0.0.1", "::1"]);
    const parsed = new X509Certificate(certificate);
    expect(parsed.checkHost("localhost")).toBe("localhost");
    expect(parsed.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(parsed.checkPrivateKey(createPrivateKey(privateKey))).toBe(true);
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(Date.parse(parsed.validTo) - Date.now()).toBeGreaterThan(29 * 24 * 60 * 60 * 1000);
  });

  it("is trusted by a client that is told to trust it alone", async () => {
    const { certificate, privateKey } = await makeSelfSigned(["localhost"]);
    const server = tls.createServer({ cert: certificate, key: privateKey }, (socket) => socket.end("hello"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const text = await new Promise<string>((resolve, reject) => {
      const socket = tls.connect({ host: "127.0.0.1", port, servername: "localhost", ca: certificate });
      socket.setEncoding("utf8").once("data", resolve).once("error", reject);
    });
    expect(text).toBe("hello");
    server.close();
  });
});
