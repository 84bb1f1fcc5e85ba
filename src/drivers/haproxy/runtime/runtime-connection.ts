/*
 * A conversation with one HAProxy process over its runtime socket. It stays open: a process that is replaced closes its socket
 * to newcomers, but goes on talking to those who are there, so its endpoints and routes can be kept right until it ends.
 *
 * Commands go out as they come, and HAProxy takes one after another; an answer ends with the prompt. Nothing of a user's text is ever part of a command:
 * names are identifiers of ours, and certificates travel as payload, line by line as PEM has them.
 */
import net from "node:net";

export class RuntimeError extends Error {
  override readonly name = "RuntimeError";
  readonly code = "GATEWRIGHT_HAPROXY_RUNTIME";
}

const prompt = "\n> ";
const harmless = /^[A-Za-z0-9_./:@,*|=[\]()#+ -]+$/;

interface Waiting {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
}

export class RuntimeConnection {
  readonly #socket: net.Socket;
  /** Whose answers are awaited, in their order. */
  readonly #waiting: Waiting[] = [];
  #received = "";
  #isOver = false;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => this.#read(chunk));
    socket.on("error", () => {});
    socket.on("close", () => this.#end());
  }

  /** Rejects if nobody answers there. */
  static async open(path: string): Promise<RuntimeConnection> {
    const socket = net.connect(path);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    const connection = new RuntimeConnection(socket);
    await connection.send("prompt");
    return connection;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  send(command: string, payload?: string): Promise<string> {
    if (!harmless.test(command))
      return Promise.reject(new RuntimeError("A command has a character that no name of ours has."));
    const text = payload === undefined ? `${command}\n` : `${command} <<\n${payloadText(payload)}\n`;
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(new RuntimeError("HAProxy does not answer any more."));
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#socket.write(text);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    this.#received += chunk;
    for (let end = this.#received.indexOf(prompt); end >= 0; end = this.#received.indexOf(prompt)) {
      const answer = this.#received.slice(0, end);
      this.#received = this.#received.slice(end + prompt.length);
      // Each line of a payload was asked for by a plus.
      this.#waiting.shift()?.resolve(answer.replace(/^(?:\n?\+ )+/, "").trim());
    }
  }

  #end(): void {
    this.#isOver = true;
    const error = new RuntimeError("HAProxy has closed its runtime socket.");
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/** An empty line would end it. */
function payloadText(payload: string): string {
  return payload
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}
