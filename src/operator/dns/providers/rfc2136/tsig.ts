/*
 * Signatures by a shared secret (RFC 8945). A request carries one over itself; the answer carries one over itself and the request's, so it cannot be one to another
 * question. An answer that is not signed, or not rightly, is none.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import {
  classes,
  decodeMessage,
  encodeName,
  encodeRecord,
  Reader,
  types,
  type Message,
} from "./wire-format.ts";

export const algorithms = ["hmac-sha256", "hmac-sha384", "hmac-sha512"] as const;
export type Algorithm = (typeof algorithms)[number];

export interface TsigKey {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly secret: Buffer;
}

export interface SignedMessage {
  readonly bytes: Buffer;
  readonly mac: Buffer;
}

/** Why an answer is not believed; `isDenied`: the server does not believe us. */
export class TsigError extends Error {
  readonly code = "DNS_TSIG";
  readonly isDenied: boolean;

  constructor(message: string, isDenied: boolean) {
    super(message);
    this.isDenied = isDenied;
  }
}

/** Seconds that the two clocks may be apart. */
const fudge = 300;

const refusals: ReadonlyMap<number, string> = new Map([
  [16, "the signature is wrong: is the secret the server's? (BADSIG)"],
  [17, "the server does not know the key (BADKEY)"],
  [18, "the clocks are too far apart (BADTIME)"],
  [22, "the signature is too short for the server (BADTRUNC)"],
]);

/** `now`: ms. */
export function signMessage(message: Buffer, key: TsigKey, now: number): SignedMessage {
  const signedAt = Math.floor(now / 1_000);
  const variables = variablesOf(key, { signedAt, fudge, error: 0, other: Buffer.alloc(0) });
  const mac = hmac(key, [message, variables]);
  const id = message.readUInt16BE(0);
  const data = Buffer.concat([
    encodeName(key.algorithm),
    uint48(signedAt),
    uint16(fudge),
    uint16(mac.length),
    mac,
    uint16(id),
    uint16(0),
    uint16(0),
  ]);
  const record = encodeRecord({ name: key.name, type: types.TSIG, class: classes.ANY, ttl: 0, data });
  const bytes = Buffer.concat([message, record]);
  bytes.writeUInt16BE(bytes.readUInt16BE(10) + 1, 10);
  return { bytes, mac };
}

/** The message, if it is an answer to the request with that signature. Throws a `TsigError` otherwise. */
export function verifyAnswer(bytes: Buffer, key: TsigKey, requestMac: Buffer, now: number): Message {
  const message = decodeMessage(bytes);
  const record = message.additionals.at(-1);
  if (record?.type !== types.TSIG) {
    throw new TsigError(`the answer is not signed (rcode ${message.rcode})`, message.rcode === 9);
  }
  const reader = new Reader(record.data);
  const algorithm = reader.name();
  const signedAt = reader.uint48();
  const allowed = reader.uint16();
  const mac = reader.bytes(reader.uint16());
  const originalId = reader.uint16();
  const error = reader.uint16();
  const other = reader.bytes(reader.uint16());
  const refusal = refusals.get(error);
  if (refusal !== undefined) throw new TsigError(refusal, true);
  const stripped = Buffer.from(bytes.subarray(0, message.lastRecordAt));
  stripped.writeUInt16BE(originalId, 0);
  stripped.writeUInt16BE(stripped.readUInt16BE(10) - 1, 10);
  const variables = variablesOf(key, { signedAt, fudge: allowed, error, other });
  const expected = hmac(key, [uint16(requestMac.length), requestMac, stripped, variables]);
  const isRight =
    record.name === key.name.toLowerCase() &&
    algorithm === key.algorithm &&
    mac.length === expected.length &&
    timingSafeEqual(mac, expected);
  if (!isRight) throw new TsigError("the answer's signature is wrong", false);
  if (Math.abs(now / 1_000 - signedAt) > allowed) {
    throw new TsigError("the answer was signed too long ago: the clocks are too far apart", false);
  }
  return message;
}

interface Variables {
  readonly signedAt: number;
  readonly fudge: number;
  readonly error: number;
  readonly other: Buffer;
}

function variablesOf(key: TsigKey, { signedAt, fudge: allowed, error, other }: Variables): Buffer {
  return Buffer.concat([
    encodeName(key.name),
    uint16(classes.ANY),
    Buffer.alloc(4),
    encodeName(key.algorithm),
    uint48(signedAt),
    uint16(allowed),
    uint16(error),
    uint16(other.length),
    other,
  ]);
}

function hmac({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  const digest = createHmac(algorithm.replace("hmac-", ""), secret);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function uint16(value: number): Buffer {
  const out = Buffer.alloc(2);
  out.writeUInt16BE(value);
  return out;
}

function uint48(value: number): Buffer {
  const out = Buffer.alloc(6);
  out.writeUIntBE(value, 0, 6);
  return out;
}
