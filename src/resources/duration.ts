/** Durations of the Gateway API (GEP-2257): up to four of `<1 to 5 digits><h|m|s|ms>`, added up. */
const whole = /^(?:[0-9]{1,5}(?:h|m|s|ms)){1,4}$/;
const [zero, nine, h, m] = [48, 57, 104, 109];

/** The milliseconds of a duration, or undefined when the text is not one. */
export function parseDuration(text: string): number | undefined {
  if (!whole.test(text)) return undefined;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= zero && code <= nine) {
      count = count * 10 + (code - zero);
      continue;
    }
    if (code === h) sum += count * 3_600_000;
    else if (code !== m) sum += count * 1000;
    else if (text[i + 1] !== "s") sum += count * 60_000;
    else {
      sum += count;
      i++;
    }
    count = 0;
  }
  return sum;
}

const units = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;

/** Writes whole milliseconds in the shortest form that the API reads, or undefined when there is none. */
export function formatDuration(duration: number): string | undefined {
  if (!Number.isInteger(duration) || duration < 0 || duration >= 100_000 * 3_600_000) return undefined;
  let rest = duration;
  let text = "";
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === "" ? "0s" : text;
}
