import { expect, it } from "vitest";
import { renderChange, renderTables } from "./services-nft.mjs";

const port = (more = {}) => ({
  key: "default/web/TCP/80/ipv4",
  family: "ipv4",
  protocol: "tcp",
  port: 80,
  addresses: ["10.96.0.7"],
  targets: [{ address: "10.244.0.3", port: 3000 }],
  ...more,
});
const two = [
  { address: "10.244.0.3", port: 3000 },
  { address: "10.244.0.4", port: 3000 },
];

it("leads a new Service port to its only endpoint", () => {
  expect(renderChange(undefined, { port: port(), chain: "s1" })).toEqual([
    "add chain ip gatewright_lab s1",
    "flush chain ip gatewright_lab s1",
    "add rule ip gatewright_lab s1 meta l4proto tcp dnat to 10.244.0.3:3000",
    "add element ip gatewright_lab hairpin { 10.244.0.3 . 10.244.0.3 }",
    "add element ip gatewright_lab services { 10.96.0.7 . tcp . 80 : goto s1 }",
  ]);
});

it("touches the map only where an address came or went", () => {
  const before = { port: port({ addresses: ["10.96.0.7", "10.200.0.10"] }), chain: "s1" };
  const after = { port: port({ targets: two }), chain: "s1" };
  const lines = renderChange(before, after);
  expect(lines[0]).toBe("delete element ip gatewright_lab services { 10.200.0.10 . tcp . 80 }");
  expect(lines.join("\n")).toContain(
    "numgen random mod 2 map { 0 : 10.244.0.3 . 3000, 1 : 10.244.0.4 . 3000 }",
  );
  expect(lines.join("\n")).not.toContain("add element ip gatewright_lab services");
});

it("empties the chain of a port that is gone", () => {
  expect(renderChange({ port: port(), chain: "s1" }, undefined)).toEqual([
    "delete element ip gatewright_lab services { 10.96.0.7 . tcp . 80 }",
    "add chain ip gatewright_lab s1",
    "flush chain ip gatewright_lab s1",
  ]);
});

it("writes IPv6 addresses with a port in brackets", () => {
  const ipv6 = port({
    family: "ipv6",
    addresses: ["fd00:10:96::7"],
    targets: [{ address: "fd00:10:244::1", port: 3000 }],
  });
  expect(renderChange(undefined, { port: ipv6, chain: "s1" })).toContain(
    "add rule ip6 gatewright_lab s1 meta l4proto tcp dnat to [fd00:10:244::1]:3000",
  );
});

it("refuses what is not translated", () => {
  const text = renderTables(["ipv4"]);
  for (const hook of ["input", "forward", "output"]) expect(text).toContain(`hook ${hook} priority 0`);
  expect(text).toContain("reject with tcp reset");
});
