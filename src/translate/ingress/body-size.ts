import type { Annotations } from "./annotations.ts";

const factors: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Annotation proxy-body-size: `8m`; 0 is no limit. Bytes. */
export function judgeBodySize(annotations: Annotations): number | undefined {
  const text = annotations.text("proxy-body-size");
  if (text === undefined) return undefined;
  const parts = /^([0-9]{1,9})([kmg]?)$/.exec(text.toLowerCase());
  if (!parts) return annotations.unreadable("proxy-body-size", "must be a size, such as 512k or 8m");
  const bytes = Number(parts[1]) * (factors[parts[2] ?? ""] ?? 1);
  return bytes === 0 ? undefined : bytes;
}
