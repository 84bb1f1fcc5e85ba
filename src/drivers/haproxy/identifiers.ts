import { createHash } from "node:crypto";

/** The same few thousand keys are asked for again and again. */
const known = new Map<string, string>();
const mostKnown = 200_000;

/** Names inside of HAProxy's configuration and maps: nothing of a user's own text is in them. */
export function identifierOf(key: string): string {
  let identifier = known.get(key);
  if (identifier === undefined) {
    if (known.size >= mostKnown) known.clear();
    identifier = createHash("sha256").update(key).digest("hex").slice(0, 20);
    known.set(key, identifier);
  }
  return identifier;
}

export function contentHash(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}
