/**
 * YAML for people who review it: what fits on a line is on one line, and so is a condition, however long its message. Shared
 * objects are written out each time: anchors would depend on the order in which things came.
 */
import { Document, visit } from "yaml";

const mostCharacters = 96;

export function renderYaml(value: unknown): string {
  const document = new Document(JSON.parse(JSON.stringify(value)));
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
