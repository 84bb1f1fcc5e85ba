/** Stands between a client and a server, and can fall silent as a broken network does: no end, no reset, nothing. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export class TcpRelay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isFrozen = false;

  private constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.on("data", (chunk) => void (this.#isFrozen || to.write(chunk)));
        from.on("error", () => undefined);
        from.once("close", () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
    });
  }

  static async start(target: string): Promise<TcpRelay> {
    const relay = new TcpRelay(new URL(target));
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  /** For new connections; what was swallowed is lost. */
  thaw(): void {
    this.#isFrozen = false;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
