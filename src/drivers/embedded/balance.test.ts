import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rotation, WeightedRoundRobin } from "./balance.ts";

const choices = (weights: readonly number[]) => weights.map((weight, value) => ({ weight, value }));

describe("WeightedRoundRobin", () => {
  it("spreads instead of choosing in bursts", () => {
    const balance = new WeightedRoundRobin([
      { weight: 5, value: "a" },
      { weight: 1, value: "b" },
      { weight: 1, value: "c" },
    ]);
    expect(Array.from({ length: 7 }, () => balance.next()).join("")).toBe("aabacaa");
  });

  it("gives every value exactly its weight in each round", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 8 }), fc.nat(3), (weights, rounds) => {
        const balance = new WeightedRoundRobin(choices(weights));
        const sum = weights.reduce((a, b) => a + b, 0);
        for (let round = 0; round <= rounds; round++) {
          const counts = weights.map(() => 0);
          for (let choice = 0; choice < sum; choice++) counts[balance.next()!]!++;
          expect(counts).toEqual(weights);
        }
      }),
    );
  });

  it("has no choice without weights", () => {
    expect(new WeightedRoundRobin([]).next()).toBeUndefined();
    expect(new WeightedRoundRobin([{ weight: 0, value: 1 }]).next()).toBeUndefined();
  });
});

describe("Rotation", () => {
  it("takes turns, and lists the others as second choices", () => {
    const rotation = new Rotation(["a", "b", "c"]);
    expect([rotation.next().join(""), rotation.next().join(""), rotation.next().join("")]).toEqual([
      "abc",
      "bca",
      "cab",
    ]);
    expect(rotation.nextOne()).toBe("a");
  });

  it("goes on after a replacement, also by fewer or none", () => {
    const rotation = new Rotation(["a", "b", "c"]);
    rotation.next();
    rotation.replace(["x", "y"]);
    expect(rotation.next()).toEqual(["y", "x"]);
    rotation.replace([]);
    expect(rotation.next()).toEqual([]);
    expect(rotation.nextOne()).toBeUndefined();
  });
});
