// npm run conformance: the official Gateway API suite against the chart's controller, on a fresh lab (test/lab).
//
//   --driver NAME       envoy (unless said), embedded, …: what the Gateways' proxies are
//   --run-test NAME     one test only; no report, no judgement of what is not claimed
//   --complete          all five profiles and every feature of them must be there, claimed or not, and every test of a gateway must run
//   --report FILE       where the report goes; conformance/reports/… unless said
//   --suite-args "…"    more arguments of the suite itself
//
// Nothing is excluded, repeated or given more time: what the suite says is the result. Its words, and the logs of
// everything that ran, are kept in our cache for the last runs.

import { spawn } from "node:child_process";
import { cpSync, createWriteStream, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { componentNamed, labComponents } from "../test/components/components.mjs";
import { prepareComponents } from "../test/components/prepare.mjs";
import { cacheFolder } from "./search.mjs";
import { startCluster } from "../test/lab/cluster.mjs";
import { currentLab, insideLab, labObstacle } from "../test/lab/namespaces.mjs";
import { build } from "./build.mjs";
import { projectFolder, runCommand, seconds } from "./command.mjs";
import { judgeReport, judgeTests, SuiteTests } from "./conformance-report.mjs";
import { renderChart, renderManifests } from "./manifests.mjs";

const self = fileURLToPath(import.meta.url);
const components = [
  "go",
  "gateway-api",
  ...labComponents,
  "echo-basic",
  "coredns",
  "conformance-suite",
  "helm",
  "envoy",
];
const allProfiles = ["HTTP", "GRPC", "TLS", "TCP", "UDP"];
const gatewayClass = "gatewright";
const namespace = "gatewright-system";

const { values: options } = parseArgs({
  options: {
    driver: { type: "string", default: "envoy" },
    "run-test": { type: "string" },
    report: { type: "string" },
    complete: { type: "boolean", default: false },
    "suite-args": { type: "string", default: "" },
  },
});
const { version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
const reportFile = resolve(
  options.report ??
    join(projectFolder, "conformance", "reports", `experimental-v${version}-${options.driver}-report.yaml`),
);
const runs = join(cacheFolder(), "conformance");
const runsKept = 10;
const kept = join(
  runs,
  `${new Date().toISOString().replaceAll(":", "-").slice(0, 19)}-${options.driver}-${Math.random().toString(36).slice(2, 6)}`,
);
process.exitCode = currentLab() ? await inside() : await outside();

async function outside() {
  const obstacle = labObstacle();
  if (obstacle) return complain(`No lab here: ${obstacle}.`);
  const missing = await prepareComponents(components);
  if (missing.length > 0) return complain(`No conformance run without ${missing.join(", ")}.`);
  if (!(await build())) return 1;
  const lab = insideLab([process.execPath, self, ...process.argv.slice(2)]);
  const { code } = await runCommand(lab.command[0], lab.command.slice(1), { show: true, disposable: true });
  lab.clean();
  return code;
}

async function inside() {
  mkdirSync(kept, { recursive: true });
  // Their names begin with the time.
  for (const old of readdirSync(runs).toSorted().slice(0, -runsKept))
    rmSync(join(runs, old), { recursive: true, force: true });
  const cluster = await startCluster();
  try {
    await cluster.installCrds();
    await installController(cluster);
    const features = await claimedFeatures(cluster);
    const { code, tests } = await runSuite(cluster, features);
    console.log(await cluster.kubectl("get", "pods", "-A"));
    return options["run-test"] ? code : judge(code, tests, features);
  } finally {
    cpSync(join(cluster.folder, "logs"), join(kept, "logs"), { recursive: true });
    console.log(`Logs: ${kept}`);
    await cluster.stop();
  }
}

async function installController(cluster) {
  const values = [
    "--include-crds",
    "--set",
    `proxies.driver=${options.driver}`,
    "--set",
    `gatewayClass.name=${gatewayClass}`,
  ];
  await cluster.apply(renderManifests(await renderChart(componentNamed("helm").find(), values)));
  await cluster.kubectl("rollout", "status", "deployment", "-n", namespace, "--timeout=120s");
  await cluster.kubectl("wait", "--for=condition=Accepted", `gatewayclass/${gatewayClass}`, "--timeout=60s");
}

// The suite reads them itself, but not if it is to run one test only.
async function claimedFeatures(cluster) {
  const path = "jsonpath={.status.supportedFeatures[*].name}";
  return (await cluster.kubectl("get", "gatewayclass", gatewayClass, "-o", path)).split(" ").filter(Boolean);
}

// A profile is claimed with the kind of its routes.
function claimedProfiles(features) {
  return allProfiles.filter((name) => features.includes(`${name}Route`)).map(profileName);
}

function profileName(name) {
  return `GATEWAY-${name}`;
}

async function runSuite(cluster, features) {
  const single = options["run-test"];
  if (!single) mkdirSync(dirname(reportFile), { recursive: true });
  const args = [
    "-test.v",
    "-test.timeout=60m",
    "-test.run=TestGatewayAPI",
    `-gateway-class=${gatewayClass}`,
    `-conformance-profiles=${claimedProfiles(features).join(",")}`,
    "-usable-address=10.200.0.200",
    "-unusable-address=192.0.2.1",
    "-cleanup-base-resources=false",
    ...(single
      ? [`-run-test=${single}`, `-supported-features=${features.join(",")}`]
      : [
          `-report-output=${reportFile}`,
          `-mode=${options.driver === "envoy" ? "default" : options.driver}`,
          "-organization=gatewright",
          "-project=gatewright",
          "-url=https://gatewright.dev",
          `-version=v${version}`,
          "-contact=@gatewright/maintainers",
        ]),
    ...options["suite-args"].split(" ").filter(Boolean),
  ];
  const started = Date.now();
  const tests = new SuiteTests();
  const child = spawn(componentNamed("conformance-suite").find(), args, {
    env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const file = createWriteStream(join(kept, "suite.log"));
  child.stderr.pipe(file, { end: false });
  for await (const line of createInterface({ input: child.stdout })) {
    file.write(`${line}\n`);
    const heard = tests.hear(line);
    if (heard && (heard.verdict !== "SKIP" || !single)) console.log(`${heard.verdict} ${heard.name}`);
  }
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((done) => child.once("exit", done));
  file.end();
  console.log(
    `${tests.count("PASS")} passed, ${tests.count("FAIL")} failed, ${tests.count("SKIP")} skipped in ${seconds(Date.now() - started)}`,
  );
  return { code: child.exitCode ?? 1, tests: tests.all() };
}

function judge(code, tests, claimed) {
  if (!existsSync(reportFile))
    return complain(`The suite wrote no report; its words are in ${kept}/suite.log`);
  const report = readFileSync(reportFile, "utf8");
  const wanted = options.complete ? allProfiles.map(profileName) : claimedProfiles(claimed);
  const byProfile = judgeReport(report, wanted);
  const byTest = judgeTests(tests, { claimed, report });
  for (const line of [...byProfile.lines, ...byTest.lines]) console.log(line);
  console.log(`Report: ${reportFile}`);
  const isGood = options.complete ? byProfile.isComplete && byTest.isComplete : byProfile.isPassed;
  return code === 0 && isGood ? 0 : 1;
}

function complain(message) {
  console.error(message);
  return 1;
}
