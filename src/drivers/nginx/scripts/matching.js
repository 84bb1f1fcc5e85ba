/*
 * The first rule of a virtual host that takes a request, without asking all of them: as `rule-table.ts` of the model.
 *
 * A table has an entry per path: `=<path>` for exact paths, `/<prefix>` for prefixes (`/` alone for the prefix `/`). An entry is a list of
 * `[position, conditions, action]`; the lowest position wins, wherever it is found. Large tables are cut in parts, which are files of
 * their own, so that a request reads only what its own path needs. Regular expressions are asked in their order.
 */
import automata from "./automata.js";
import store from "./store.js";
import targets from "./targets.js";

/** Of a file with an expression, in looks into its table; and of how many of its characters one look is worth. */
const readingCost = 50;
const charactersPerLook = 8;

/**
 * `host`: `{ table, depth, parts, filter, patterns, entries, actions }`. `request`: `{ method, path, query, header(name) }`. `effort`: of all expressions for this
 * request (`automata.js`); throws when it is used up. Gives the name of an action, the action itself and the method that the rule asks for.
 */
function findRule(folder, host, request, effort) {
  const path = targets.comparable(request.path);
  const parts = {};
  const entry = (key) => {
    if (host.parts === 0) return host.entries[key];
    const hash = store.hashOf(key);
    // Most keys that a path could have are in no part, and most of those are told here.
    if (host.filter[hash % host.filter.length] === "0") return undefined;
    const number = hash % host.parts;
    if (parts[number] === undefined)
      parts[number] = store.read(folder, "table/" + host.table + "." + number) || {};
    return parts[number][key];
  };

  let found = firstOf(folder, entry("=" + path), request, effort, undefined);
  const ends = prefixEnds(path, host.depth);
  for (let index = ends.length - 1; index >= 0; index--) {
    found = firstOf(folder, entry("/" + path.slice(0, ends[index])), request, effort, found);
  }
  for (let index = 0; index < host.patterns.length; index++) {
    const pattern = host.patterns[index];
    if (found !== undefined && pattern[0] > found[0]) break;
    if (!matchesExpression(folder, pattern[3], request.path, effort)) continue;
    if (holds(folder, pattern[1], request, effort)) {
      found = pattern;
      break;
    }
  }
  if (found === undefined) return undefined;
  const name = found[2];
  const action = host.parts === 0 ? host.actions[name] : store.read(folder, "action/" + name);
  return { name: name, action: action, method: found[1] ? found[1].method : undefined };
}

/** Where the prefixes of a path end that have at most `depth` elements: 0 for the root. */
function prefixEnds(path, depth) {
  const ends = [0];
  let at = 0;
  for (let count = 0; count < depth && at < path.length; count++) {
    const slash = path.indexOf("/", at + 1);
    at = slash < 0 ? path.length : slash;
    ends.push(at);
  }
  return ends;
}

function firstOf(folder, rules, request, effort, found) {
  if (rules === undefined) return found;
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index];
    if (found !== undefined && rule[0] > found[0]) return found;
    if (holds(folder, rule[1], request, effort)) return rule;
  }
  return found;
}

/** `conditions`: null, or `{ method, headers, parameters }`, whose lists hold `[name, value, isExpression, isInverted]`; headers alone can be inverted. */
function holds(folder, conditions, request, effort) {
  if (!conditions) return true;
  if (conditions.method !== undefined && conditions.method !== request.method) return false;
  for (let index = 0; index < conditions.headers.length; index++) {
    const wanted = conditions.headers[index];
    if (takes(folder, wanted, request.header(wanted[0]), effort) === (wanted[3] === 1)) return false;
  }
  for (let index = 0; index < conditions.parameters.length; index++) {
    const wanted = conditions.parameters[index];
    if (!takes(folder, wanted, targets.firstQueryValue(request.query, wanted[0]), effort)) return false;
  }
  return true;
}

function takes(folder, wanted, value, effort) {
  if (value === undefined) return false;
  return wanted[2] ? matchesExpression(folder, wanted[1], value, effort) : value === wanted[1];
}

/** What is read stays in memory until the request ends, so reading costs as well. */
function matchesExpression(folder, id, text, effort) {
  let automaton = effort.expressions[id];
  if (automaton === undefined) {
    const content = store.readText(folder, "expression/" + id);
    automata.spend(effort, readingCost + content.length / charactersPerLook);
    automaton = JSON.parse(content);
    effort.expressions[id] = automaton;
  }
  return automata.matches(automaton, text, effort);
}

export default { findRule };
