/**
 * `metadata.managedFields` says who has set which field. It is as large as the rest of most objects, and hardly anybody here reads it: so it is cut out of
 * an answer before that becomes text and is parsed.
 *
 * Within a string of a JSON text, a quote stands behind a backslash. So a quote behind `{` or `,` begins a string or ends one; if a letter follows,
 * it begins one; and a string before a colon is a key. In UTF-8 no byte of a longer character looks like any of these.
 */
const key = Buffer.from('"managedFields":[');
const byte = {
  quote: 34,
  comma: 44,
  backslash: 92,
  openList: 91,
  closeList: 93,
  openObject: 123,
  closeObject: 125,
} as const;

/**
 * Lists of that name are cut out wherever they stand. What follows them moves up, so the bytes given are not good for anything else
 * afterwards. A text that is not JSON does not become JSON by it.
 */
export function cutManagedFields(bytes: Buffer): Buffer {
  let kept = 0;
  let from = 0;
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at)) {
    const before = bytes[at - 1];
    const end = before === byte.openObject || before === byte.comma ? endOfList(bytes, at + key.length) : -1;
    if (end < 0) {
      at += key.length;
      continue;
    }
    // One of the commas around it goes with it.
    const isLast = bytes[end] !== byte.comma;
    const until = isLast && before === byte.comma ? at - 1 : at;
    bytes.copyWithin(kept, from, until);
    kept += until - from;
    from = isLast ? end : end + 1;
    // What follows may be another: the character before it must be seen.
    at = end;
  }
  if (from === 0) return bytes;
  bytes.copyWithin(kept, from);
  return bytes.subarray(0, kept + bytes.length - from);
}

// The length is looked up once: V8's cheap compiler asks for it by a call.

/** Behind the bracket that closes the list whose content begins here; -1: there is none. */
function endOfList(bytes: Buffer, start: number): number {
  const { length } = bytes;
  let depth = 1;
  for (let at = start; at < length; at++) {
    switch (bytes[at]) {
      case byte.quote:
        at = endOfString(bytes, at + 1);
        if (at < 0) return -1;
        break;
      case byte.openList:
      case byte.openObject:
        depth++;
        break;
      case byte.closeList:
      case byte.closeObject:
        if (--depth === 0) return at + 1;
    }
  }
  return -1;
}

/** The quote that closes the string whose content begins here; -1: there is none. */
function endOfString(bytes: Buffer, start: number): number {
  const { length } = bytes;
  for (let at = start; at < length; at++) {
    const character = bytes[at];
    if (character === byte.quote) return at;
    if (character === byte.backslash) at++;
  }
  return -1;
}
