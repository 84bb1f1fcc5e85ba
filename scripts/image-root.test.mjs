import { describe, expect, it } from "vitest";
import { productionPackages } from "./image-root.mjs";

describe("the image's packages", () => {
  it("are those that the program runs with", () => {
    const packages = {
      "": { name: "us" },
      "node_modules/b": {},
      "node_modules/a/node_modules/b": {},
      "node_modules/compiler": { dev: true },
      "node_modules/either": { devOptional: true },
      "node_modules/@types/node": {},
    };
    expect(productionPackages({ packages })).toEqual([
      "node_modules/a/node_modules/b",
      "node_modules/b",
      "node_modules/either",
    ]);
  });
});
