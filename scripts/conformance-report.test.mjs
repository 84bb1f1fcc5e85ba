import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import { judgeReport, judgeTests, SuiteTests } from "./conformance-report.mjs";

const statistics = (Passed, Failed = 0, Skipped = 0) => ({ Passed, Failed, Skipped });
const profile = (core = {}, extended = {}) => ({
  name: "GATEWAY-TCP",
  core: { result: "success", statistics: statistics(5), ...core },
  extended: { result: "success", statistics: statistics(2), supportedFeatures: ["A", "B"], ...extended },
});
const judge = (...profiles) => judgeReport(dump({ profiles }), ["GATEWAY-TCP"]);

it("is content with everything passed and every feature claimed", () => {
  expect(judge(profile())).toEqual({
    lines: [
      "GATEWAY-TCP: core success: 5 passed, 0 failed, 0 skipped | extended success: 2 passed, 0 failed, 0 skipped, 2 features",
    ],
    isPassed: true,
    isComplete: true,
  });
});

it.each([
  [
    "a failed test",
    profile({ result: "failure", statistics: statistics(4, 1), failedTests: ["X"] }),
    "failed: X",
    false,
  ],
  [
    "a skipped test",
    profile({ result: "partial", statistics: statistics(4, 0, 1), skippedTests: ["X"] }),
    "skipped: X",
    false,
  ],
  ["a feature that is not claimed", profile({}, { unsupportedFeatures: ["C"] }), "not claimed: C", true],
])("is not content with %s", (_, given, words, passed) => {
  const { lines, isPassed, isComplete } = judge(given);
  expect({ isPassed, isComplete }).toEqual({ isPassed: passed, isComplete: false });
  expect(lines[0]).toContain(words);
});

it("misses a profile that was not run", () => {
  expect(judge()).toEqual({ lines: ["GATEWAY-TCP: not in the report"], isPassed: false, isComplete: false });
});

describe("the tests of a suite", () => {
  const ran = (name, features, verdict = "PASS") => [
    `=== RUN   TestGatewayAPI/${name}`,
    `    conformance.go:75: 2026-11-17T02:00:00Z: Running ${name}, relying on the following features: ${features}`,
    `    --- ${verdict}: TestGatewayAPI/${name} (1.04s)`,
    `        --- ${verdict}: TestGatewayAPI/${name}/a_part_of_it (1.00s)`,
  ];
  const skipped = (name, why) => [
    `=== RUN   TestGatewayAPI/${name}`,
    `    conformance.go:60: Skipping ${name}: ${why}`,
    `    --- SKIP: TestGatewayAPI/${name} (0.00s)`,
  ];
  const mesh = skipped("MeshBasic", "suite does not support Mesh");
  const core = ran("HTTPRouteSimple", "Gateway-standard, HTTPRoute-standard");
  const named = ran("GRPCRouteNamedRule", "Gateway-standard, GRPCRouteNamedRouteRule-standard");
  const claimed = ["Gateway", "HTTPRoute", "GRPCRouteNamedRouteRule", "HTTPRouteUntested"];
  const report = dump({ profiles: [profile({}, { supportedFeatures: ["HTTPRouteUntested"] })] });
  const judgeOutput = (...lines) => {
    const tests = new SuiteTests();
    for (const line of lines) tests.hear(line);
    return judgeTests(tests.all(), { claimed, report });
  };

  it("are complete when all but those of a mesh have run, and one of each claimed feature has passed", () => {
    expect(judgeOutput(...mesh, ...core, ...named)).toEqual({
      lines: ["tests of gateways: 2 of 2 have run"],
      isComplete: true,
    });
  });

  it.each([
    [
      "a feature that no profile has is not claimed",
      [...mesh, ...core, ...skipped("GRPCRouteNamedRule", "suite does not support GRPCRouteNamedRouteRule")],
      "1 of 2 have run; not run: GRPCRouteNamedRule (GRPCRouteNamedRouteRule is not claimed)",
    ],
    [
      "a test is left out",
      [...core, ...named, ...skipped("HTTPRouteOther", "test explicitly skipped")],
      "2 of 3 have run; not run: HTTPRouteOther",
    ],
    [
      "a feature is claimed that no test has looked at",
      [...mesh, ...core],
      "1 of 1 have run; claimed, and no test has passed: GRPCRouteNamedRouteRule",
    ],
    [
      "the only test of a feature has failed",
      [...core, ...ran("GRPCRouteNamedRule", "GRPCRouteNamedRouteRule-standard", "FAIL")],
      "2 of 2 have run; claimed, and no test has passed: GRPCRouteNamedRouteRule",
    ],
    [
      "a test has begun and not ended",
      [...core, ...named, ...ran("HTTPRouteOther", "Gateway-standard").slice(0, 2)],
      "2 of 3 have run; not run: HTTPRouteOther",
    ],
    ["there are none", [], "0 of 0 have run; claimed, and no test has passed: Gateway, HTTPRoute, GRPCR"],
  ])("are not when %s", (_, lines, words) => {
    const judged = judgeOutput(...lines);
    expect(judged.isComplete).toBe(false);
    expect(judged.lines[0]).toContain(words);
  });

  it("are counted by their own verdicts, not by those of their parts", () => {
    const tests = new SuiteTests();
    const heard = [...mesh, ...core, ...named].map((line) => tests.hear(line)).filter(Boolean);
    expect(heard.map(({ verdict, name }) => `${verdict} ${name}`)).toEqual([
      "SKIP MeshBasic",
      "PASS HTTPRouteSimple",
      "PASS GRPCRouteNamedRule",
    ]);
    expect([tests.count("PASS"), tests.count("SKIP"), tests.count("FAIL")]).toEqual([2, 1, 0]);
  });
});
