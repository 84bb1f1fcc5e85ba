/*
 * A request's target becomes one path, which is matched and forwarded. The same rules as `request-path.ts` and `path-change.ts` of the
 * model, in the part of JavaScript that njs knows. Most targets are plain and are told by three searches.
 */
const forbidden = /[^\x21-\x7e]|[\\#]/;
const notPlain = /[%"<>^`{|}]/;
const strayPercent = /%(?![0-9A-Fa-f]{2})/;
const hiddenDotSegment = /(?:\/|%2[Ff]|%5[Cc])\.\.?(?:$|[/;]|%2[Ff]|%3[Bb]|%5[Cc])/;
const unreserved = /^[A-Za-z0-9._~-]$/;

/** `{ path, query, search }`, or `undefined` where the answer is 400. */
function normalize(target) {
  if (target[0] !== "/" || forbidden.test(target)) return undefined;
  const mark = target.indexOf("?");
  const given = mark < 0 ? target : target.slice(0, mark);
  const isPlain = !notPlain.test(given) && given.indexOf("//") < 0 && given.indexOf("/.") < 0;
  const path = isPlain ? given : normalizeSegments(given);
  if (path === undefined) return undefined;
  return {
    path: path,
    query: mark < 0 ? "" : target.slice(mark + 1),
    search: mark < 0 ? "" : target.slice(mark),
  };
}

function normalizeSegments(given) {
  if (strayPercent.test(given) || given.indexOf("%00") >= 0) return undefined;
  const decoded = given.replace(/%[0-9A-Fa-f]{2}|["<>^`{|}]/g, normalizeEscape);
  const path = removeDotSegments(decoded).replace(/\/{2,}/g, "/");
  return hiddenDotSegment.test(path) ? undefined : path;
}

function normalizeEscape(found) {
  if (found.length === 1) return "%" + found.charCodeAt(0).toString(16).toUpperCase();
  const character = String.fromCharCode(parseInt(found.slice(1), 16));
  return unreserved.test(character) ? character : found;
}

function removeDotSegments(path) {
  if (path.indexOf("/.") < 0) return path;
  const given = path.split("/");
  const kept = [];
  for (let position = 1; position < given.length; position++) {
    const segment = given[position];
    const isDots = segment === "." || segment === "..";
    if (segment === "..") kept.pop();
    if (!isDots) kept.push(segment);
    else if (position === given.length - 1) kept.push("");
  }
  return "/" + kept.join("/");
}

/** Escapes that differ only in the case of their digits mean the same. */
function comparable(path) {
  if (path.indexOf("%") < 0) return path;
  return path.replace(/%[0-9A-Fa-f]{2}/g, (found) => found.toUpperCase());
}

function firstQueryValue(query, name) {
  const parts = query.split("&");
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (!part.startsWith(name)) continue;
    if (part.length === name.length) {
      // An empty part is the parameter without a name only if the query has characters there.
      if (part !== "" || index < parts.length - 1) return "";
      continue;
    }
    if (part[name.length] === "=") return part.slice(name.length + 1);
  }
  return undefined;
}

/** `change`: `{ full }` or `{ prefix, value }`. */
function changePath(path, change) {
  if (change.full !== undefined) return startingWithSlash(change.full);
  const rest = path.slice(withoutTrailingSlashes(change.prefix).length);
  return startingWithSlash(
    withoutTrailingSlashes(change.value) + (rest === "" ? "" : startingWithSlash(rest)),
  );
}

function withoutTrailingSlashes(value) {
  let end = value.length;
  while (end > 0 && value[end - 1] === "/") end--;
  return value.slice(0, end);
}

function startingWithSlash(value) {
  return value[0] === "/" ? value : "/" + value;
}

export default { normalize, comparable, firstQueryValue, changePath };
