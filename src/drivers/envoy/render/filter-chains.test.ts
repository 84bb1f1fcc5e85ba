import { describe, expect, it } from "vitest";
import { backendItem, listenerItem, serverNameItem, to } from "../../../../test/model-items.ts";
import type { ServerNameAction } from "../../../model/index.ts";
import { isStreamWildcard, needsChain, renderFilterChains } from "./filter-chains.ts";

const listener = listenerItem("tls", 443);
const settings = { addresses: ["0.0.0.0"], systemRoots: "/roots.pem" };
const http = (...certificates: string[]): ServerNameAction => ({ type: "http", certificates });
const passed: ServerNameAction = {
  type: "passthrough",
  route: undefined,
  backends: [to(backendItem("web"))],
};

/** Name of the chain, the server names it takes, and whether TLS ends there. */
function chainsOf(
  names: Readonly<Record<string, ServerNameAction>>,
  isOnDemand: boolean,
  broken: readonly string[] = [],
) {
  const all = Object.entries(names).map(([name, action]) => serverNameItem(listener, name, action));
  const context = { isOnDemand, hasStreamWildcard: all.some(isStreamWildcard) };
  const inputs = {
    serverNames: all.filter((name) => needsChain(name, context)),
    isUsable: (key: string) => !broken.includes(key),
    hasTls: () => false,
    isOnDemand,
  };
  return renderFilterChains(listener, inputs, settings).map(({ filterChainMatch, transportSocket }) => [
    filterChainMatch?.serverNames ?? "rest",
    transportSocket ? "ends" : "passes",
  ]);
}

describe("filter chains of a TLS listener", () => {
  it("are one for all HTTP names whose certificates come on demand", () => {
    expect(chainsOf({ "a.test": http("one"), "*.b.test": http("two"), "*": http("three") }, true)).toEqual([
      ["rest", "ends"],
    ]);
  });

  it("are one for each set of certificates otherwise, and one that refuses the rest", () => {
    expect(chainsOf({ "a.test": http("one"), "b.test": http("one"), "c.test": http("two") }, false)).toEqual([
      [["a.test", "b.test"], "ends"],
      [["c.test"], "ends"],
      ["rest", "passes"],
    ]);
  });

  it("are more for names with several certificates, and for streams", () => {
    expect(chainsOf({ "a.test": http("one"), "b.test": http("ec", "rsa"), "c.test": passed }, true)).toEqual([
      [["c.test"], "passes"],
      [["b.test"], "ends"],
      ["rest", "ends"],
    ]);
  });

  it("tell HTTP below a wildcard of a stream from it", () => {
    expect(chainsOf({ "www.a.test": http("one"), "*.a.test": passed }, true)).toEqual([
      [["*.a.test"], "passes"],
      [["www.a.test"], "ends"],
      ["rest", "ends"],
    ]);
    expect(chainsOf({ "a.test": http("one"), "*": passed }, true)).toEqual([
      ["rest", "passes"],
      [["a.test"], "ends"],
    ]);
  });

  it("leave out certificates that cannot be used: Envoy would wait for them", () => {
    expect(chainsOf({ "a.test": http("one"), "b.test": http("two", "one") }, false, ["one"])).toEqual([
      [["b.test"], "ends"],
      ["rest", "passes"],
    ]);
  });
});
