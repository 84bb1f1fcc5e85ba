import { expect, it } from "vitest";
import { resourceKey } from "./resource-key.ts";

it("is namespace/name, or name where there is no namespace", () => {
  expect(resourceKey({ metadata: { name: "web", namespace: "shop" } })).toBe("shop/web");
  expect(resourceKey({ metadata: { name: "class" } })).toBe("class");
});
