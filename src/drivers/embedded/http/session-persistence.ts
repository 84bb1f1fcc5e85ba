/*
 * Sessions that stay with an endpoint. The client keeps a token, in a cookie or a header, that names the endpoint without
 * saying its address: a keyed hash. A token is good if the gateway made it (another keyed hash covers all of it), if
 * it is not too old, and if its hash is that of an endpoint which the rule's backends have right now. A client can
 * therefore only ever come back to where the gateway once sent it.
 *
 * Token: version (1 byte), time of issue in seconds (6), hash of backend and endpoint (12), signature (16), as base64url.
 * Gateways that share the secret understand each other's tokens.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { SessionPersistence } from "../../../model/index.ts";
import { isFieldName, type UpstreamBackend, type UpstreamEndpoint } from "../upstream/index.ts";
import type { RequestHead } from "./request-head.ts";

const version = 1;
const hashAt = 7;
const signatureAt = 19;
const tokenLength = 35;

export interface PersistentTarget {
  readonly backend: UpstreamBackend;
  readonly endpoint: UpstreamEndpoint;
}

export class SessionTokens {
  readonly #secret: Buffer;
  readonly #hashes = new WeakMap<UpstreamEndpoint, Buffer>();

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  issue(session: SessionPersistence, target: PersistentTarget, now: number): string {
    const token = Buffer.alloc(tokenLength);
    token[0] = version;
    token.writeUIntBE(Math.floor(now / 1000), 1, 6);
    this.#hashOf(target).copy(token, hashAt);
    this.#sign(session, token.subarray(0, signatureAt)).copy(token, signatureAt);
    return token.toString("base64url");
  }

  /** The target that `text` stands for, among those that are there. */
  read(
    session: SessionPersistence,
    text: string,
    backends: Iterable<UpstreamBackend>,
    now: number,
  ): PersistentTarget | undefined {
    if (text.length !== 47) return undefined;
    const token = Buffer.from(text, "base64url");
    if (token.length !== tokenLength || token[0] !== version) return undefined;
    const signature = this.#sign(session, token.subarray(0, signatureAt));
    if (!timingSafeEqual(signature, token.subarray(signatureAt))) return undefined;
    const { absoluteTimeout } = session;
    const age = now - token.readUIntBE(1, 6) * 1000;
    if (absoluteTimeout !== undefined && absoluteTimeout > 0 && age >= absoluteTimeout) return undefined;
    const hash = token.subarray(hashAt, signatureAt);
    for (const backend of backends) {
      for (const endpoint of backend.endpoints) {
        if (this.#hashOf({ backend, endpoint }).equals(hash)) return { backend, endpoint };
      }
    }
    return undefined;
  }

  #hashOf({ backend, endpoint }: PersistentTarget): Buffer {
    let hash = this.#hashes.get(endpoint);
    if (!hash) {
      hash = createHmac("sha256", this.#secret)
        .update(`endpoint\0${backend.key}\0${endpoint.name}`)
        .digest()
        .subarray(0, signatureAt - hashAt);
      this.#hashes.set(endpoint, hash);
    }
    return hash;
  }

  #sign(session: SessionPersistence, content: Buffer): Buffer {
    return createHmac("sha256", this.#secret)
      .update(`session\0${session.type}\0${session.name}\0`)
      .update(content)
      .digest()
      .subarray(0, tokenLength - signatureAt);
  }
}

/** The tokens that a request carries for this session; with cookies there may be several of one name. */
export function sessionTokensOf(session: SessionPersistence, request: RequestHead): string[] {
  const value = request.header(session.type === "cookie" ? "cookie" : session.name.toLowerCase());
  if (value === undefined) return [];
  if (session.type === "header") return [value];
  const tokens: string[] = [];
  for (const part of value.split(";")) {
    const pair = part.trim();
    if (pair.startsWith(session.name) && pair.charCodeAt(session.name.length) === 0x3d) {
      tokens.push(pair.slice(session.name.length + 1));
    }
  }
  return tokens;
}

/** The header of an answer that gives the client its token: name and value. */
export function sessionHeader(
  session: SessionPersistence,
  token: string,
  scheme: "http" | "https",
): readonly [name: string, value: string] | undefined {
  if (!isFieldName(session.name)) return undefined;
  if (session.type === "header") return [session.name.toLowerCase(), token];
  const path = /^(\/[\x21-\x3a\x3c-\x7e]*)?$/.test(session.path) ? session.path : "/";
  let cookie = `${session.name}=${token}${path && `; Path=${path}`}; HttpOnly; SameSite=Strict`;
  if (scheme === "https") cookie += "; Secure";
  if (session.lifetime === "permanent" && session.absoluteTimeout !== undefined) {
    cookie += `; Max-Age=${Math.floor(session.absoluteTimeout / 1000)}`;
  }
  return ["set-cookie", cookie];
}
