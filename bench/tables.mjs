// How results are written: Markdown, with the targets beside what was measured.

export function ms(value) {
  return `${Math.round(value).toLocaleString("en")} ms`;
}

export const megabytes = (value) => `${value.toFixed(0)} MB`;

/** Rows of [what, measured, target, is it met?]. */
export function targetTable(rows) {
  const marked = rows.map(([what, measured, target, isMet]) => [
    what,
    measured,
    target,
    isMet ? "met" : "not met",
  ]);
  return table(["", "measured", "target", ""], marked);
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}

/** The page with these sections in place of those of the same heading; others stay, new ones come last. */
export function mergeSections(page, sections) {
  const [, ...old] = page.split(/^(?=## )/m);
  const headingOf = (text) => text.split("\n", 1)[0];
  const byHeading = new Map([...old, ...sections].map((text) => [headingOf(text), `${text.trim()}\n`]));
  return [...byHeading.values()].join("\n");
}
