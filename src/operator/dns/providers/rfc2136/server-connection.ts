/**
 * One TCP connection to a name server, opened with the first request and again after it broke. Requests are sent one behind the other
 * without waiting, so many at once; answers are matched by their id, in whatever order they come.
 */
import { createConnection, type Socket } from "node:net";
import { randomInt } from "node:crypto";
import { signMessage, verifyAnswer, type TsigKey } from "./tsig.ts";
import { decodeMessage, type Message } from "./wire-format.ts";

export class ConnectionError extends Error {
  readonly code = "DNS_CONNECTION";
}

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

export interface ConnectionOptions {
  readonly address: ServerAddress;
  readonly key: TsigKey | undefined;
  /** Of one request, ms. */
  readonly timeout?: number;
}

const mostUnderWay = 64;

interface Waiting {
  readonly mac: Buffer | undefined;
  readonly timer: NodeJS.Timeout;
  resolve(message: Message): void;
  reject(error: Error): void;
}

export class ServerConnection {
  readonly #options: ConnectionOptions;
  readonly #waiting = new Map<number, Waiting>();
  #queue: (() => void)[] = [];
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #isStopped = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** `render` makes the message with the id that it is given. */
  async ask(render: (id: number) => Buffer): Promise<Message> {
    while (this.#waiting.size >= mostUnderWay) {
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    if (this.#isStopped) throw new ConnectionError("stopped");
    const { key, timeout = 10_000 } = this.#options;
    const id = this.#freeId();
    const plain = render(id);
    const signed = key && signMessage(plain, key, Date.now());
    const bytes = signed?.bytes ?? plain;
    if (bytes.length > 65_535) throw new ConnectionError("the message is too long");
    return await new Promise<Message>((resolve, reject) => {
      const timer = setTimeout(
        () => this.#break(new ConnectionError(`${this.#name} has not answered in ${timeout} ms`)),
        timeout,
      );
      this.#waiting.set(id, { mac: signed?.mac, timer, resolve, reject });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(bytes.length);
      this.#open().write(Buffer.concat([length, bytes]));
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#break(new ConnectionError("stopped"));
  }

  get #name(): string {
    const { host, port } = this.#options.address;
    return `${host}:${port}`;
  }

  #freeId(): number {
    for (;;) {
      const id = randomInt(0x1_0000);
      if (!this.#waiting.has(id)) return id;
    }
  }

  #open(): Socket {
    if (this.#socket) return this.#socket;
    const socket = createConnection({ ...this.#options.address, keepAlive: true });
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    const broken = (error?: Error) => {
      if (this.#socket !== socket) return;
      const why = error?.message ?? "it closed the connection";
      this.#break(new ConnectionError(`${this.#name} cannot be asked: ${why}`, { cause: error }));
    };
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", broken);
    socket.on("close", () => broken());
    // An open connection alone is no reason to go on living.
    socket.unref();
    return socket;
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= 2) {
      const end = 2 + this.#received.readUInt16BE(0);
      if (this.#received.length < end) return;
      const bytes = this.#received.subarray(2, end);
      this.#received = this.#received.subarray(end);
      this.#answer(bytes);
    }
  }

  #answer(bytes: Buffer): void {
    const id = bytes.length >= 2 ? bytes.readUInt16BE(0) : -1;
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#finish(id, waiting);
    const { key } = this.#options;
    try {
      const { mac } = waiting;
      waiting.resolve(key && mac ? verifyAnswer(bytes, key, mac, Date.now()) : decodeMessage(bytes));
    } catch (error) {
      waiting.reject(error as Error);
    }
  }

  #finish(id: number, { timer }: Waiting): void {
    clearTimeout(timer);
    this.#waiting.delete(id);
    this.#queue.shift()?.();
  }

  #break(error: Error): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
    for (const [id, waiting] of this.#waiting) {
      this.#finish(id, waiting);
      waiting.reject(error);
    }
    for (const go of this.#queue.splice(0)) go();
  }
}
