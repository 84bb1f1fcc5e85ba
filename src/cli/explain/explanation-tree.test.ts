import { describe, expect, it } from "vitest";
import type { Explanation } from "../../controller/index.ts";
import { styleFor } from "../style.ts";
import { renderExplanation } from "./explanation-tree.ts";

const route = { kind: "HTTPRoute", namespace: "shop", name: "cart", rule: 0 };
const forwarded = {
  type: "forwarded",
  route,
  request: { method: "GET", host: "a.example.com", target: "/x" },
  backends: [
    { backend: "Service/shop/cart/80|h2c", share: 0.75, endpoints: ["10.0.0.1:80"] },
    { share: 0.25, endpoints: [], problem: "gone" },
  ],
} as const;
const explanation: Explanation = {
  request: { method: "GET", url: "http://a.example.com/x\u001b[2J" },
  walks: [
    {
      gateway: "shop/web",
      steps: [
        {
          about: "virtual host",
          mark: "yes",
          text: "host",
          steps: [
            {
              about: "rule",
              mark: "no",
              text: "rule 0",
              steps: [{ about: "condition", mark: "no", text: "path must be /y" }],
            },
            {
              about: "rule",
              mark: "yes",
              text: "rule 1",
              steps: [
                { about: "condition", mark: "yes", text: "path is /x" },
                { about: "condition", mark: "yes", text: "method is GET" },
              ],
            },
          ],
        },
        { about: "filter", mark: "note", text: "rewrite" },
        { about: "backend", mark: "trouble", text: "nowhere" },
      ],
      outcome: forwarded,
    },
  ],
  outcome: forwarded,
};

describe("an explanation on a terminal", () => {
  it("is a tree, with a rule's only condition on the rule's line", () => {
    expect(renderExplanation(explanation, styleFor(false)).split("\n")).toEqual([
      "GET http://a.example.com/x\\u001b[2J",
      "",
      "├─ ✓ host",
      "│  ├─ ✗ rule 0: path must be /y",
      "│  └─ ✓ rule 1",
      "│     ├─ ✓ path is /x",
      "│     └─ ✓ method is GET",
      "├─ · rewrite",
      "└─ ! nowhere",
      "",
      "⇒ forwarded to Service shop/cart:80 (25 % fail), as GET /x with host a.example.com",
      "",
    ]);
  });

  it("says how to ask one Gateway where several have the port", () => {
    const [walk] = explanation.walks;
    const text = renderExplanation({ ...explanation, walks: [walk!, walk!] }, styleFor(false));
    expect(text).toContain("2 Gateways have this port; --gateway NAMESPACE/NAME asks one of them.");
  });

  it.each([
    [
      { type: "redirected", route, status: 301, location: "https://b/" } as const,
      "⇒ 301, Location: https://b/",
    ],
    [{ type: "answered", status: 404, reason: "no rule" } as const, "⇒ 404: no rule"],
    [{ type: "not connected", reason: "nothing listens" } as const, "⇒ no answer: nothing listens"],
    [
      {
        type: "relayed",
        transport: "tcp",
        route,
        backends: [{ backend: "Service/a/b/1", share: 1, endpoints: ["x"] }],
      } as const,
      "⇒ the connection is relayed to Service a/b:1",
    ],
    [
      {
        type: "relayed",
        transport: "udp",
        route,
        backends: [{ backend: "Service/a/b/1", share: 1, endpoints: ["x"] }],
      } as const,
      "⇒ the datagrams are relayed to Service a/b:1",
    ],
  ])("ends with what comes of it: %j", (outcome, line) => {
    const text = renderExplanation(
      { ...explanation, walks: [{ steps: [], outcome }], outcome },
      styleFor(false),
    );
    expect(text.split("\n").at(-2)).toBe(line);
  });
});
