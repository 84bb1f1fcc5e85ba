// Everything that `npm test` does, in this order. To add a check or a suite, add an entry.
//
//   name        for --only, and for the report
//   quick       part of `npm run check`
//   command     a check: one test, passed if the command exits with 0
//   files       a suite: a vitest project of that name over these files (vitest.config.ts reads them from here)
//   isolate     false: files of one worker share what they import, which spares most of the time; they leave nothing behind that others could see
//   testTimeout milliseconds for one of the suite's tests
//   labs        the suite's files run inside so many labs at a time (test/lab), one after the other in each: they wait more than they work
//   components  what to get ready before it (test/components/components.mjs)
//   needsLab    a check that makes a lab (test/lab) of its own: skipped where there can be none
//   minutes     after which it is ended and failed; 5 unless said

import { labComponents } from "../test/components/components.mjs";

export const steps = [
  { name: "format", quick: true, command: ["prettier", "--check", "--log-level=warn", "."] },
  { name: "lint", quick: true, command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "types", quick: true, command: ["tsc", "--noEmit", "-p", "tsconfig.json"] },
  {
    name: "imports",
    quick: true,
    command: ["depcruise", "--output-type=err-long", "--config", ".dependency-cruiser.cjs", "src"],
  },
  { name: "import-table", command: ["node", "scripts/import-table.mjs", "--check"] },
  { name: "envoy-messages", command: ["node", "scripts/envoy-messages.mjs", "--check"] },
  { name: "unused", command: ["knip", "--no-config-hints"] },
  { name: "changes", command: ["node", "scripts/changes.mjs"] },
  { name: "hygiene", command: ["node", "scripts/hygiene.mjs"] },
  { name: "build", command: ["node", "scripts/build.mjs"] },
  { name: "permissions-table", command: ["node", "scripts/permissions-table.mjs", "--check"] },
  { name: "manifests", command: ["node", "scripts/manifests.mjs", "--check"], components: ["go", "helm"] },
  { name: "feature-table", command: ["node", "scripts/feature-table.mjs", "--check"] },
  { name: "crds", command: ["node", "scripts/crds.mjs", "--check"] },
  {
    name: "unit",
    quick: true,
    files: [
      "src/**/*.test.ts",
      "scripts/**/*.test.mjs",
      "test/components/**/*.test.mjs",
      "test/lab/**/*.test.mjs",
    ],
    isolate: false,
    testTimeout: 30_000,
    components: ["go", "gateway-api", "helm", "named"],
    minutes: 10,
  },
  { name: "golden", files: ["test/golden/**/*.test.ts"], isolate: false, testTimeout: 40_000, minutes: 10 },
  {
    name: "features",
    files: ["test/features/**/*.test.ts", "examples/**/*.test.ts"],
    testTimeout: 60_000,
    components: ["gateway-api", "curl", "unshare", "image-node", "envoy", "nginx", "haproxy", "moto"],
    minutes: 30,
  },
  {
    name: "lab",
    files: ["test/lab/**/*.test.ts"],
    testTimeout: 120_000,
    labs: 2,
    components: [
      "go",
      "gateway-api",
      "curl",
      ...labComponents,
      "helm",
      "image-node",
      "echo-basic",
      "coredns",
      "envoy",
      "named",
      "external-dns",
    ],
    minutes: 40,
  },
  {
    name: "conformance",
    command: ["node", "scripts/conformance.mjs", "--complete", "--report", "conformance/latest.yaml"],
    needsLab: true,
    components: [
      "go",
      "gateway-api",
      ...labComponents,
      "helm",
      "echo-basic",
      "coredns",
      "conformance-suite",
      "envoy",
    ],
    minutes: 20,
  },
];

export const suites = steps.filter(({ files }) => files);

/** What the arguments ask for: the `chosen` steps and whether to be `quick`, or the `mistake` in them. */
export function chooseSteps(args, all = steps) {
  const names = new Set();
  let quick = false;
  for (let i = 0; i < args.length; i++) {
    const [option, inline] = args[i].split(/=(.*)/s);
    if (option === "--quick" && inline === undefined) quick = true;
    else if (option === "--only") {
      const value = inline ?? args[++i] ?? "";
      for (const name of value.split(",").filter(Boolean)) names.add(name);
      if (names.size === 0) return { mistake: "--only wants the names of steps, as in --only unit,golden." };
    } else return { mistake: `Unknown argument ${args[i]}. There are --quick and --only STEP,...` };
  }
  const unknown = [...names].filter((name) => !all.some((step) => step.name === name));
  if (unknown.length > 0) {
    return {
      mistake: `No step ${unknown.join(", ")}. There are: ${all.map(({ name }) => name).join(", ")}.`,
    };
  }
  const chosen = all.filter((step) => (!quick || step.quick) && (names.size === 0 || names.has(step.name)));
  return { chosen, quick };
}
