/**
 * The blocks of a PEM text that carry one of these labels, in order, each with Unix line ends. What stands between or around
 * them (comments, other blocks, byte order marks) is left out. One pass, whatever the text is.
 */
export function pemBlocks(text: string, labels: readonly string[]): string[] {
  const blocks: string[] = [];
  const begin = "-----BEGIN ";
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + begin.length)) {
    const labelEnd = text.indexOf("-----", at + begin.length);
    if (labelEnd < 0) break;
    const label = text.slice(at + begin.length, labelEnd);
    if (!labels.includes(label)) continue;
    const end = `-----END ${label}-----`;
    const endAt = text.indexOf(end, labelEnd);
    if (endAt < 0) break;
    blocks.push(`${text.slice(at, endAt + end.length).replaceAll(/\r\n?/g, "\n")}\n`);
    at = endAt;
  }
  return blocks;
}
