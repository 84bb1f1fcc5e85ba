// What the scripts that write into documents share.

/** A table with columns padded as the formatter pads them, so that it leaves the table alone. The first row is the head. */
export function renderMarkdownTable([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** The document with `text` between the markers, or undefined if it has no markers. */
export function replaceBetween(document, [start, end], text) {
  const from = document.indexOf(start);
  const to = document.indexOf(end);
  if (from < 0 || to < from) return undefined;
  return `${document.slice(0, from + start.length)}\n\n${text}\n\n${document.slice(to)}`;
}
