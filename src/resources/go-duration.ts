/** Durations as Go writes them, which Contour's API takes: `1h30m`, `1.5s`, `250ms`. Read in one pass, for any text. */
const unitMilliseconds: ReadonlyMap<string, number> = new Map([
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
  ["us", 0.001],
  ["µs", 0.001],
  ["μs", 0.001],
  ["ns", 0.000_001],
]);

/** The milliseconds of a duration, or undefined when the text is not one. */
export function parseGoDuration(text: string): number | undefined {
  if (text === "0") return 0;
  let sum = 0;
  let position = 0;
  const part = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(h|ms|m|s|us|µs|μs|ns)/y;
  while (position < text.length) {
    part.lastIndex = position;
    const found = part.exec(text);
    const unit = found?.[2] === undefined ? undefined : unitMilliseconds.get(found[2]);
    if (!found || unit === undefined) return undefined;
    sum += Number(found[1]) * unit;
    position = part.lastIndex;
  }
  return position > 0 && Number.isFinite(sum) ? sum : undefined;
}
