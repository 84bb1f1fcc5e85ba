/** Columns side by side, as wide as their widest cell, without trailing blanks. */
export function renderTable(rows: readonly (readonly string[])[], gap = 3): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
    }
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - displayWidth(cell) + gap))
      .join("")
      .trimEnd(),
  );
}

// oxlint-disable-next-line no-control-regex
const colourCodes = /\u001b\[\d+m/g;

/** Columns of a terminal: colours take none. */
export function displayWidth(text: string): number {
  return Array.from(text.replace(colourCodes, "")).length;
}
