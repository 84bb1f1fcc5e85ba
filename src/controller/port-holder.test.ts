import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { describePortHolder } from "./port-holder.ts";

describe("who holds a port", () => {
  it("is told by name and process, or how to find out", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const holder = await describePortHolder(port);
    server.close();
    expect(holder).toMatch(
      process.platform === "linux" ? new RegExp(`^\\S+ \\(pid ${process.pid}\\)$`) : /^another program/,
    );
  });

  it("is another program where nobody can be found", async () => {
    expect(await describePortHolder(0)).toMatch(/^another program \(.+ shows which\)$/);
  });
});
