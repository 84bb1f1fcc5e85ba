/* Records of requests, from the pipe that all NGINXes write to. */
import { spawnSync } from "node:child_process";
import { chownSync, closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import type { WorkerUser } from "../process/program.ts";

type Record = Readonly<{ [name: string]: unknown }>;

/** How long the pipe may stay open when nobody should write to it any more, ms. */
const patience = 1_000;

export class AccessLogReader {
  readonly path: string;
  readonly #socket: Socket;
  readonly #lines: Interface;
  /** Keeps the pipe open while no NGINX writes to it. */
  readonly #own: number;

  static open(
    path: string,
    owner: WorkerUser | undefined,
    onRecord: (listener: string, record: Record) => void,
  ): Promise<AccessLogReader> {
    const made = spawnSync("/usr/bin/mkfifo", ["-m", "600", path]);
    if (made.status !== 0)
      throw new Error(`mkfifo ${path}: ${made.error?.message ?? made.stderr.toString().trim()}`);
    if (owner) chownSync(path, owner.uid, owner.gid);
    return Promise.resolve(new AccessLogReader(path, onRecord));
  }

  private constructor(path: string, onRecord: (listener: string, record: Record) => void) {
    this.path = path;
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.#own = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    this.#socket = new Socket({ fd: reading, readable: true, writable: false });
    this.#socket.unref();
    this.#socket.on("error", () => {});
    this.#lines = createInterface({ input: this.#socket }).on("line", (line) => {
      const record = parse(line);
      if (record) onRecord(String(record["listener"]), asRecord(record));
    });
  }

  /** Reads what NGINXes that have ended left in the pipe. */
  async close(): Promise<void> {
    const read = once(this.#lines, "close");
    this.#socket.ref();
    closeSync(this.#own);
    // A worker that cannot be ended would keep the pipe open.
    const late = setTimeout(() => this.#socket.destroy(), patience);
    this.#socket.once("close", () => this.#lines.close());
    await read;
    clearTimeout(late);
    this.#socket.destroy();
  }
}

function parse(line: string): Record | undefined {
  try {
    return JSON.parse(line) as Record;
  } catch {
    return undefined;
  }
}

const optional = ["route", "rule", "backend", "endpoint", "requestId"];

/** In the form of all drivers: numbers are numbers, and what is not there is left out. */
function asRecord({
  endSeconds,
  seconds,
  protocol,
  status,
  headBytes,
  allBytes,
  bytesOut,
  ...rest
}: Record): Record {
  const given = Object.entries(rest).filter(([name, value]) => !optional.includes(name) || value !== "");
  const durationMs = Math.round(Number(seconds) * 1000);
  return {
    ...Object.fromEntries(given),
    time: new Date(Math.round(Number(endSeconds) * 1000) - durationMs).toISOString(),
    protocol: protocol === "HTTP/2.0" ? "HTTP/2" : protocol,
    status: Number(status),
    bytesIn: headBytes === "" ? 0 : Number(allBytes) - Number(headBytes),
    bytesOut: Number(bytesOut),
    durationMs,
  };
}
