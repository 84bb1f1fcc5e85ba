import { describe, expect, it } from "vitest";
import type { SourceProblem } from "../controller/index.ts";
import { problemIdentity, renderFixed, renderProblem } from "./problem-lines.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false);
const problem: SourceProblem = {
  severity: "error",
  origin: "shop.yaml",
  line: 12,
  column: 9,
  object: "HTTPRoute shop/cart",
  field: "spec.rules[0]",
  message: "must be an object",
  lastGoodInForce: true,
};

describe("a problem on one line", () => {
  it("begins with the place, as editors expect it", () => {
    expect(renderProblem(problem, plain)).toBe(
      "shop.yaml:12:9: error: HTTPRoute shop/cart: spec.rules[0]: must be an object (the last good version stays in force)",
    );
  });

  it("says once that the last good version stays", () => {
    const message = "is not valid YAML; until it is fixed, HTTPRoute shop/cart stays as it was";
    expect(renderProblem({ severity: "error", origin: "x", message, lastGoodInForce: true }, plain)).toBe(
      `x: error: ${message}`,
    );
  });

  it("leaves out what is not known", () => {
    expect(renderProblem({ severity: "warning", origin: "x", message: "does not exist" }, plain)).toBe(
      "x: warning: does not exist",
    );
  });

  it("does not let a file's text steer the terminal", () => {
    expect(renderProblem({ ...problem, message: "\u001b[2Jnot\nhere" }, plain)).toContain(
      "\\u001b[2Jnot here",
    );
  });

  it("is the same problem where an edit moved it", () => {
    expect(problemIdentity({ ...problem, line: 20 })).toBe(problemIdentity(problem));
    expect(problemIdentity({ ...problem, message: "other" })).not.toBe(problemIdentity(problem));
    expect(renderFixed(problem, plain)).toBe("shop.yaml: fixed: HTTPRoute shop/cart: spec.rules[0]");
  });
});
