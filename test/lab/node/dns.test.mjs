import { expect, it } from "vitest";
import { parseQuery, renderAnswer, types } from "./dns-message.mjs";
import { lookUp } from "./dns.mjs";

const services = {
  service: (key) =>
    new Map([
      [
        "default/web",
        { spec: { clusterIP: "10.96.0.7", clusterIPs: ["10.96.0.7"], ports: [{ name: "http", port: 80 }] } },
      ],
      ["default/pods", { spec: { clusterIP: "None" } }],
      ["default/out", { spec: { type: "ExternalName", externalName: "example.org" } }],
    ]).get(key),
  endpoints: (key, family) =>
    key === "default/pods" && family === "IPv4"
      ? [
          { address: "10.244.0.3", hostname: "a" },
          { address: "10.244.0.4", hostname: "b" },
        ]
      : [],
};
const a = (data) => ({ type: "A", data });

it.each([
  ["web.default.svc.cluster.local", types.A, [a("10.96.0.7")]],
  ["web.default.svc.cluster.local", types.AAAA, []],
  [
    "_http._tcp.web.default.svc.cluster.local",
    types.SRV,
    [{ type: "SRV", data: { port: 80, target: "web.default.svc.cluster.local" } }],
  ],
  ["_grpc._tcp.web.default.svc.cluster.local", types.SRV, undefined],
  ["pods.default.svc.cluster.local", types.A, [a("10.244.0.3"), a("10.244.0.4")]],
  ["b.pods.default.svc.cluster.local", types.A, [a("10.244.0.4")]],
  ["c.pods.default.svc.cluster.local", types.A, undefined],
  ["out.default.svc.cluster.local", types.A, [{ type: "CNAME", data: "example.org" }]],
  ["web.other.svc.cluster.local", types.A, undefined],
  ["example.org", types.A, undefined],
])("looks up %s (%i)", (name, type, records) => {
  expect(lookUp(services, name, type)).toEqual(records);
});

it("answers a query with its own question and the address", () => {
  const question = Buffer.from([3, ...Buffer.from("Web"), 2, ...Buffer.from("ns"), 0, 0, 1, 0, 1]);
  const query = Buffer.concat([Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]), question]);
  const parsed = parseQuery(query);
  expect(parsed).toMatchObject({ id: 0x1234, name: "web.ns", type: types.A });
  const answer = renderAnswer(parsed, [a("10.96.0.7")]);
  expect(answer.subarray(12, 12 + question.length)).toEqual(question);
  expect([...answer.subarray(-4)]).toEqual([10, 96, 0, 7]);
  expect(renderAnswer(parsed, undefined)[3] & 15).toBe(3);
});

it("writes an IPv6 address in full", () => {
  const answer = renderAnswer({ id: 1, flags: 0, question: Buffer.alloc(0) }, [
    { type: "AAAA", data: "fd00:10::a" },
  ]);
  expect(answer.subarray(-16).toString("hex")).toBe(`fd000010${"0".repeat(23)}a`);
});

it.each([
  [Buffer.alloc(3)],
  [Buffer.alloc(40)],
  [Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 99, 1, 1, 1, 1])],
])("passes over what is no query", (bytes) => {
  expect(parseQuery(bytes)).toBeUndefined();
});
