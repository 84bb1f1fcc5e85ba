/*
 * How many retries a backend may be asked for: at most `percent` of the requests of the last `interval`, and in any case `minRetries` per
 * `minInterval`. Scripts forget everything with their request, so the counts are lengths of files: each request, and each retry, appends a byte to
 * the file of its tenth of the interval, which all workers share. The driver takes away the files that are over.
 *
 * Whether a try may be followed by another is asked before it is made, because NGINX has to know then what it does with the answer.
 */
import fs from "fs";

const quietly = { throwIfNoEntry: false };
const tenths = 10;

function widthOf(budget) {
  return Math.max(1, budget.interval / tenths);
}

function place(folder, name, kind, turn) {
  return folder + "/budget/" + name + "/" + kind + "-" + turn;
}

/** `kind`: `request` or `retry`. */
function count(folder, name, budget, kind, now) {
  fs.appendFileSync(place(folder, name, kind, Math.floor(now / widthOf(budget))), ".");
}

function total(folder, name, budget, kind, now, length) {
  const width = widthOf(budget);
  const last = Math.floor(now / width);
  let sum = 0;
  for (let turn = last; turn > last - Math.max(1, Math.ceil(length / width)); turn--) {
    const found = fs.statSync(place(folder, name, kind, turn), quietly);
    if (found !== undefined) sum += found.size;
  }
  return sum;
}

/** Whether there are `more` left. */
function allows(folder, name, budget, more, now) {
  const requests = total(folder, name, budget, "request", now, budget.interval);
  const retries = total(folder, name, budget, "retry", now, budget.interval);
  if (retries + more <= (requests * budget.percent) / 100) return true;
  return total(folder, name, budget, "retry", now, budget.minInterval) + more <= budget.minRetries;
}

export default { count, allows };
