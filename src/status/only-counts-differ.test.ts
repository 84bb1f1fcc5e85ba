import { describe, expect, it } from "vitest";
import { onlyCountsDiffer } from "./only-counts-differ.ts";

const status = {
  conditions: [{ type: "Programmed", status: "True" }],
  attachedListenerSets: 1,
  listeners: [
    { name: "http", attachedRoutes: 3, conditions: [{ type: "Accepted", status: "True" }] },
    { name: "https", attachedRoutes: 0, conditions: [] },
  ],
};
const [http, https] = status.listeners;

describe("onlyCountsDiffer", () => {
  it.each([
    ["routes of a listener", { listeners: [{ ...http, attachedRoutes: 4 }, https] }, true],
    ["ListenerSets", { attachedListenerSets: 2 }, true],
    [
      "a condition of a listener",
      { listeners: [{ ...http, attachedRoutes: 4, conditions: [] }, https] },
      false,
    ],
    ["a condition", { conditions: [{ type: "Programmed", status: "False" }] }, false],
    ["a listener", { listeners: [http] }, false],
    ["the listeners", { listeners: undefined }, false],
    ["a first count", { attachedListenerSets: undefined }, false],
    ["an address", { addresses: [{ type: "IPAddress", value: "192.0.2.1" }] }, false],
  ])("%s: %s", (_, difference, isCounts) => {
    expect(onlyCountsDiffer(status, { ...status, ...difference })).toBe(isCounts);
  });
});
