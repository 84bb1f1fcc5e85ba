import { describe, expect, it } from "vitest";
import { Slots } from "./slots.ts";

function slotsAt(start = 0) {
  let now = start;
  return { slots: new Slots(() => now), pass: (length: number) => (now += length) };
}

describe("slots", () => {
  it("an endpoint keeps its number as long as anybody uses it", () => {
    const { slots } = slotsAt();
    expect(slots.hold("a")).toEqual({ slot: 0, isNew: true });
    expect(slots.hold("b")).toEqual({ slot: 1, isNew: true });
    expect(slots.hold("a")).toEqual({ slot: 0, isNew: false });
    expect(slots.release("a")).toBeUndefined();
    expect(slots.hold("a")).toEqual({ slot: 0, isNew: false });
    expect(slots.count).toBe(2);
  });

  it("a number rests before it stands for another endpoint", () => {
    const { slots, pass } = slotsAt();
    slots.hold("a");
    expect(slots.release("a")).toBe(0);
    pass(179_000);
    expect(slots.hold("b")).toEqual({ slot: 1, isNew: true });
    pass(1_000);
    expect(slots.hold("c")).toEqual({ slot: 0, isNew: true });
    expect(slots.count).toBe(2);
  });

  it("what nobody uses is not released twice", () => {
    const { slots } = slotsAt();
    expect(slots.release("a")).toBeUndefined();
    slots.hold("a");
    expect(slots.release("a")).toBe(0);
    expect(slots.release("a")).toBeUndefined();
  });
});
