import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { renderFeatures, withFeatures } from "./feature-table.mjs";

const features = [
  { name: "Gateway", area: "Gateway", level: "core" },
  { name: "ListenerSet", area: "Gateway", level: "extended" },
  { name: "HTTPRoute", area: "HTTPRoute", level: "core" },
];
const drivers = new Map([
  ["one", new Set(["Gateway", "ListenerSet", "HTTPRoute"])],
  ["two", new Set(["Gateway"])],
]);

describe("the feature table", () => {
  it("counts by area, and names each feature", () => {
    const lines = renderFeatures(features, drivers).split("\n");
    expect(lines).toContain("| Gateway   | all 2 | 1 of 2 |");
    expect(lines).toContain("| HTTPRoute | all 1 | 0 of 1 |");
    expect(lines).toContain("| Gateway   | ListenerSet | extended      | ✓   |     |");
  });

  it("is written the way the formatter leaves it", async () => {
    const document = withFeatures(
      "# A\n\n<!-- feature-table:start -->\nold\n<!-- feature-table:end -->\n",
      renderFeatures(features, drivers),
    );
    expect(await format(document, { parser: "markdown", printWidth: 110 })).toBe(document);
  });

  it("needs its markers", () => {
    expect(withFeatures("# A\n", "table")).toBeUndefined();
  });
});
