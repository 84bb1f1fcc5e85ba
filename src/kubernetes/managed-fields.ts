/**
 * `metadata.managedFields` says who has set which field. It is as large as the rest of most objects, and hardly anybody here reads it: so it is cut out of
 * the text before that is parsed.
 *
 * Within a string of a JSON text, a quote stands behind a backslash. So a quote behind `{` or `,` begins a string or ends one; if a letter follows,
 * it begins one; and a string before a colon is a key.
 */
const key = '"managedFields":[';
const code = {
  quote: 34,
  backslash: 92,
  openList: 91,
  closeList: 93,
  openObject: 123,
  closeObject: 125,
} as const;

/** Lists of that name are cut out wherever they stand. A text that is not JSON does not become JSON by it. */
export function cutManagedFields(text: string): string {
  let kept = "";
  let from = 0;
  let at = text.indexOf(key);
  while (at >= 0) {
    const before = text.charAt(at - 1);
    const end = before === "{" || before === "," ? endOfList(text, at + key.length) : -1;
    if (end < 0) at += key.length;
    else {
      // One of the commas around it goes with it.
      const isLast = text.charAt(end) !== ",";
      kept += text.slice(from, isLast && before === "," ? at - 1 : at);
      from = isLast ? end : end + 1;
      // What follows may be another: the character before it must be seen.
      at = end;
    }
    at = text.indexOf(key, at);
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** Behind the bracket that closes the list whose content begins here; -1: there is none. */
function endOfList(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case code.quote:
        at = endOfString(text, at + 1);
        if (at < 0) return -1;
        break;
      case code.openList:
      case code.openObject:
        depth++;
        break;
      case code.closeList:
      case code.closeObject:
        if (--depth === 0) return at + 1;
    }
  }
  return -1;
}

/** The quote that closes the string whose content begins here; -1: there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === code.quote) return at;
    if (character === code.backslash) at++;
  }
  return -1;
}
