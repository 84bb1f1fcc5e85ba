/*
 * Buckets of tokens. Scripts forget everything with their request, so a bucket is files, which all workers share: for each interval one to which each request
 * appends a mark of its own, and, where more than an interval's tokens can be saved up, one with the tokens that the interval began with. A bucket gets its
 * tokens back at the end of each interval. The driver takes away the files that are over.
 *
 * Who comes at the same time is told apart by the place of the marks. Nothing is appended any more when there are more marks than tokens by far.
 */
import fs from "fs";

const quietly = { throwIfNoEntry: false };
const markLength = 8;
/** More than workers can append at the same time. */
const slack = 32;
/** Intervals that are looked back at; a bucket is taken to have been full before them. */
const memory = 64;

function sizeOf(file) {
  const found = fs.statSync(file, quietly);
  return found === undefined ? 0 : found.size;
}

function place(folder, bucket, turn) {
  return folder + "/limit/" + bucket + "." + turn;
}

/** Tokens at the beginning of an interval. */
function levelOf(folder, limit, turn) {
  const capacity = limit.requests + limit.burst;
  // Nothing is ever left that would count.
  if (limit.burst === 0) return capacity;
  const file = place(folder, limit.bucket, turn);
  if (sizeOf(file + ".level") > 0) return Number(fs.readFileSync(file + ".level", "utf8"));
  let known = turn - 1;
  while (known > turn - memory && sizeOf(place(folder, limit.bucket, known) + ".level") === 0) known--;
  const before = place(folder, limit.bucket, known);
  let level = capacity;
  if (sizeOf(before + ".level") > 0) {
    const left = Number(fs.readFileSync(before + ".level", "utf8")) - sizeOf(before) / markLength;
    level = Math.min(capacity, Math.max(0, left) + limit.requests * (turn - known));
  }
  const fresh = file + "." + mark();
  fs.writeFileSync(fresh, String(level));
  fs.renameSync(fresh, file + ".level");
  return level;
}

function mark() {
  return ("0000000" + Math.floor(Math.random() * 0xffffffff).toString(16)).slice(-markLength);
}

/** Whether there is a token for this request. */
function take(folder, limit, now) {
  const turn = Math.floor(now / limit.interval);
  const file = place(folder, limit.bucket, turn);
  const level = levelOf(folder, limit, turn);
  if (sizeOf(file) > (level + slack) * markLength) return false;
  const own = mark();
  fs.appendFileSync(file, own);
  if (sizeOf(file) <= level * markLength) return true;
  const marks = fs.readFileSync(file, "utf8");
  for (let at = 0; at < level * markLength; at += markLength) {
    if (marks.slice(at, at + markLength) === own) return true;
  }
  return false;
}

export default { take };
