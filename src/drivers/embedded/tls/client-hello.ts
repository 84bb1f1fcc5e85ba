import { normalizeHost } from "../../../model/index.ts";

/*
 * Reads the server name and the application protocols out of a TLS ClientHello, before any TLS engine sees it.
 *
 * Input: the bytes of a connection, in pieces of any size. The handshake message may be spread over several records, and
 * a record over several pieces. State: all bytes so far, how far the records are read, and the payload of the records.
 * Every byte is looked at once, so a client that sends one byte at a time costs no more than any other. What is
 * kept is bounded by `limit`; what is not a ClientHello by RFC 8446 and RFC 6066 is refused at the first byte that says so.
 *
 * Unknown extensions (GREASE, encrypted client hello) are skipped: of an encrypted hello the outer name counts.
 */

export interface ClientHello {
  /** Lower-case; `undefined` where the client names no server. */
  readonly serverName: string | undefined;
  readonly protocols: readonly string[];
}

export type ClientHelloResult =
  | { readonly type: "more" }
  | { readonly type: "hello"; readonly hello: ClientHello }
  | { readonly type: "invalid"; readonly reason: string };

const recordHeader = 5;
const messageHeader = 4;
const longestRecord = 16384;
const handshakeRecord = 22;
const clientHelloMessage = 1;
const serverNameExtension = 0;
const protocolsExtension = 16;

const more: ClientHelloResult = { type: "more" };

export class ClientHelloReader {
  readonly #limit: number;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  /** Where the next record begins. */
  #offset = 0;
  #message: Buffer = Buffer.alloc(0);
  #messageLength = 0;

  constructor(limit = 16 * 1024) {
    this.#limit = limit;
  }

  /** Everything that was pushed, to be handed on. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  push(piece: Buffer): ClientHelloResult {
    this.#bytes = append(this.#bytes, this.#length, piece);
    this.#length += piece.length;
    try {
      const message = this.#readRecords();
      if (message) return { type: "hello", hello: parseClientHello(message) };
    } catch (error) {
      if (error instanceof Malformed) return { type: "invalid", reason: error.message };
      throw error;
    }
    if (this.#length >= this.#limit) return { type: "invalid", reason: `longer than ${this.#limit} bytes` };
    return more;
  }

  /** The whole handshake message without its header, once it is there. */
  #readRecords(): Buffer | undefined {
    for (;;) {
      const available = this.#length - this.#offset;
      const header = this.#bytes.subarray(this.#offset, this.#length);
      if (available >= 1) demand(header[0] === handshakeRecord, "not a TLS handshake");
      if (available >= 2) demand(header[1] === 3, "not a version of TLS");
      if (available < recordHeader) return undefined;
      const length = header.readUInt16BE(3);
      demand(length > 0 && length <= longestRecord, "record of an impossible length");
      if (available < recordHeader + length) return undefined;
      const payload = header.subarray(recordHeader, recordHeader + length);
      this.#message = append(this.#message, this.#messageLength, payload);
      this.#messageLength += length;
      this.#offset += recordHeader + length;
      const message = this.#wholeMessage();
      if (message) return message;
    }
  }

  #wholeMessage(): Buffer | undefined {
    demand(this.#message[0] === clientHelloMessage, "not a ClientHello");
    if (this.#messageLength < messageHeader) return undefined;
    const end = messageHeader + this.#message.readUIntBE(1, 3);
    demand(end <= this.#limit, `longer than ${this.#limit} bytes`);
    if (this.#messageLength < end) return undefined;
    demand(this.#messageLength === end, "more than a ClientHello in one record");
    return this.#message.subarray(messageHeader, end);
  }
}

class Malformed extends Error {}

function demand(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new Malformed(reason);
}

/** Grows by doubling, so that appending stays linear. */
function append(target: Buffer, used: number, piece: Buffer): Buffer {
  const needed = used + piece.length;
  let grown = target;
  if (needed > target.length) {
    grown = Buffer.allocUnsafe(Math.max(needed, 2 * target.length, 512));
    target.copy(grown, 0, 0, used);
  }
  piece.copy(grown, used);
  return grown;
}

/** A cursor over length-prefixed fields; reading past the end is malformed. */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    demand(this.#at + length <= this.#bytes.length, "field longer than what holds it");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  integer(size: 1 | 2): number {
    return this.take(size).readUIntBE(0, size);
  }

  /** A field whose length stands before it, in `size` bytes. */
  vector(size: 1 | 2): Buffer {
    return this.take(this.integer(size));
  }
}

function parseClientHello(message: Buffer): ClientHello {
  const fields = new Fields(message);
  demand(fields.integer(2) >= 0x0300, "not a version of TLS");
  fields.take(32);
  demand(fields.vector(1).length <= 32, "session id too long");
  const cipherSuites = fields.vector(2).length;
  demand(cipherSuites >= 2 && cipherSuites % 2 === 0, "malformed cipher suites");
  demand(fields.vector(1).length >= 1, "no compression method");
  if (fields.atEnd) return { serverName: undefined, protocols: [] };

  const extensions = new Fields(fields.vector(2));
  demand(fields.atEnd, "bytes after the extensions");
  const seen = new Set<number>();
  let serverName: string | undefined;
  let protocols: readonly string[] = [];
  while (!extensions.atEnd) {
    const type = extensions.integer(2);
    const data = extensions.vector(2);
    demand(!seen.has(type), "an extension twice");
    seen.add(type);
    if (type === serverNameExtension) serverName = parseServerName(data);
    else if (type === protocolsExtension) protocols = parseProtocols(data);
  }
  return { serverName, protocols };
}

/** RFC 6066 knows one type of name, and allows one name of each type. */
function parseServerName(data: Buffer): string {
  const fields = new Fields(data);
  const names = new Fields(fields.vector(2));
  demand(fields.atEnd, "bytes after the server name");
  demand(names.integer(1) === 0, "unknown type of server name");
  const name = names.vector(2).toString("latin1");
  demand(names.atEnd, "more than one server name");
  // A server name has no port and no brackets; beyond that it is what a Host header may be.
  const host = /[:[\]]/.test(name) ? undefined : normalizeHost(name);
  demand(host !== undefined, "server name that no host can have");
  return host;
}

function parseProtocols(data: Buffer): string[] {
  const fields = new Fields(data);
  const list = new Fields(fields.vector(2));
  demand(fields.atEnd && !list.atEnd, "malformed application protocols");
  const protocols: string[] = [];
  while (!list.atEnd) {
    const protocol = list.vector(1);
    demand(protocol.length > 0, "empty application protocol");
    protocols.push(protocol.toString("latin1"));
  }
  return protocols;
}
