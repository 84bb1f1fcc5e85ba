import { describe, expect, it } from "vitest";
import { renderMetrics } from "./metrics-text.ts";

describe("Prometheus' text format", () => {
  it("escapes labels and leaves out metrics without samples", () => {
    const text = renderMetrics([
      { name: "a_total", help: "with \\ and\nbreak", type: "counter", samples: [{ value: 3 }] },
      {
        name: "b",
        help: "b",
        type: "gauge",
        samples: [{ labels: { x: 'say "hi"\\\n', y: "z" }, value: 1.5 }],
      },
      { name: "c", help: "c", type: "gauge", samples: [] },
    ]);
    expect(text).toBe(
      [
        "# HELP a_total with \\\\ and\\nbreak",
        "# TYPE a_total counter",
        "a_total 3",
        "# HELP b b",
        "# TYPE b gauge",
        'b{x="say \\"hi\\"\\\\\\n",y="z"} 1.5',
        "",
      ].join("\n"),
    );
  });
});
