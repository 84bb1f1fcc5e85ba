import net from "node:net";
import type { BoundAddress } from "../../drivers/driver.ts";

/**
 * Sends bytes as they are and gives all that came back until the gateway closed, or until it was silent for a while after
 * it had answered.
 */
export function exchangeRaw(
  at: BoundAddress,
  bytes: string | Buffer,
  { silence = 400, patience = 5_000 }: { readonly silence?: number; readonly patience?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(at.port, at.address);
    const chunks: Buffer[] = [];
    let timer = setTimeout(done, patience);
    function done(): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString("latin1"));
    }
    socket.on("error", done);
    socket.on("close", done);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(done, silence);
    });
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  });
}

/** The status codes of the answers in what came back. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/^HTTP\/1\.[01] ([0-9]{3})/gm)].map((found) => Number(found[1]));
}
