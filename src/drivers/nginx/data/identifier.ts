import { createHash } from "node:crypto";

/** A name for a file that stands for any text: the same for the same text. */
export function identifierOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
