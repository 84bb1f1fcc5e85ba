import { createHash } from "node:crypto";

/** Names inside of HAProxy's configuration and maps: nothing of a user's own text is in them. */
export function identifierOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 20);
}

export function contentHash(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}
