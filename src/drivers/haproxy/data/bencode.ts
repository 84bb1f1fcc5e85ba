/*
 * Data for the Lua side, in a form whose texts say their own length: nothing in a text can be taken for its end.
 * Texts are written in UTF-8, and compared with the bytes of a request.
 */
export type Data = string | number | boolean | readonly Data[] | { readonly [key: string]: Data | undefined };

export function encodeData(data: Data): Buffer {
  const parts: string[] = [];
  write(data, parts);
  return Buffer.from(parts.join(""));
}

function write(data: Data, parts: string[]): void {
  if (typeof data === "string") {
    parts.push(`${Buffer.byteLength(data)}:`, data);
  } else if (typeof data === "number") {
    parts.push(`i${Math.trunc(data)}e`);
  } else if (typeof data === "boolean") {
    parts.push(data ? "i1e" : "i0e");
  } else if (Array.isArray(data)) {
    parts.push("l");
    for (const item of data as readonly Data[]) write(item, parts);
    parts.push("e");
  } else {
    parts.push("d");
    for (const [key, value] of Object.entries(data)) {
      if (value === undefined) continue;
      write(key, parts);
      write(value, parts);
    }
    parts.push("e");
  }
}
