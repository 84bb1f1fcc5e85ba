import { contentHash } from "../identifiers.ts";
import { encodeData, type Data } from "./bencode.ts";

/** Files by the hash of their content. */
export class DataFiles {
  readonly files = new Map<string, Buffer>();

  add(data: Data): string {
    const content = encodeData(data);
    const hash = contentHash(content);
    this.files.set(hash, content);
    return hash;
  }
}
