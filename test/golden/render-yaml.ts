/**
 * YAML for people who review it: what fits on a line is on one line, and so is a condition, however long its message. Shared
 * objects are written out each time: anchors would depend on the order in which things came. Members stand in an order of their
 * own, because the order in which some function made them means nothing.
 */
import { Document, visit } from "yaml";

const mostCharacters = 96;

export function renderYaml(value: unknown): string {
  const document = new Document(inOrder(JSON.parse(JSON.stringify(value))));
  visit(document, {
    Collection(_key, node, path) {
      const content = node.toJSON() as object;
      const isCondition = "lastTransitionTime" in content || "observedGeneration" in content;
      const isTop = path.length < 2;
      if (isCondition || (!isTop && JSON.stringify(content).length <= mostCharacters)) node.flow = true;
      return undefined;
    },
  });
  return document.toString({ lineWidth: 0 });
}

const first = ["key", "name", "type", "status", "reason", "message", "route", "match"];

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  const members = Object.entries(value).toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
