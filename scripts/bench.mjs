// npm run bench [-- routes|proxy|endpoints|cluster|dns]: benchmarks, printed as tables with the targets beside them. Machines differ and are busy, so what
// counts are ratios from one run.
//
//   --write                    puts the tables into docs/benchmarks.md, in place of those of the same sections
//   --peer envoy-gateway       the section `cluster` with this controller beside ours; without it, ours alone
//   --sizes 100,1000           numbers of routes of `cluster`; 100,1000,5000,10000 unless said
//   --hostnames own,shared     one for each route, or one for all of them
//   --seconds 60               for a series of the peer's changes: as many as fit in, of which one may take seconds; of ours there are always two hundred
//   --no-requests              `cluster` without requests per second
//   --profile FOLDER           CPU profiles of our controller
//   --keep FILE                `cluster` in several runs: each adds what it measures to this file, and shows all that it has

import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { contestants, peers } from "../bench/cluster/contestants.mjs";
import { measureCluster } from "../bench/cluster/measure.mjs";
import { shapes } from "../bench/cluster/objects.mjs";
import { clusterSection } from "../bench/cluster/section.mjs";
import { dnsSection, measureDns } from "../bench/dns/measure.mjs";
import { measureEndpoints } from "../bench/endpoints.mjs";
import { measureProxy } from "../bench/proxy.mjs";
import { measureRoutes } from "../bench/routes.mjs";
import { mergeSections, ms, table, targetTable } from "../bench/tables.mjs";
import { componentNamed, labComponents } from "../test/components/components.mjs";
import { prepareComponents } from "../test/components/prepare.mjs";
import { onPath } from "./search.mjs";
import { labObstacle } from "../test/lab/namespaces.mjs";
import { projectFolder, runCommand } from "./command.mjs";

const say = (text) => process.stderr.write(`${text}\n`);
const { values: options, positionals: chosen } = readArguments({
  allowPositionals: true,
  options: {
    help: { type: "boolean", short: "h", default: false },
    write: { type: "boolean", default: false },
    peer: { type: "string" },
    sizes: { type: "string", default: "100,1000,5000,10000" },
    hostnames: { type: "string", default: shapes.join(",") },
    seconds: { type: "string", default: "60" },
    "no-requests": { type: "boolean", default: false },
    profile: { type: "string" },
    keep: { type: "string" },
  },
});
if (options.help) {
  // What stands at the top of this file.
  const [help] = readFileSync(new URL(import.meta.url), "utf8").split("\n\n");
  process.stdout.write(`${help.replaceAll(/^\/\/ ?/gm, "")}\n`);
  process.exit();
}
// Those that need a lab take long, so they are never run unasked.
const inLab = ["cluster", "dns"];
if (options.peer && chosen.length === 0) chosen.push("cluster");
const wants = (name) => (chosen.length === 0 ? !inLab.includes(name) : chosen.includes(name));

await runCommand(process.execPath, ["scripts/build.mjs"], { show: true });
const sections = [];
if (wants("routes")) sections.push(routesSection(await measureRoutes(say)));
if (wants("endpoints")) sections.push(endpointsSection(await measureEndpoints(say, runnableDrivers())));
if (wants("proxy")) sections.push(proxySection(await measureProxy(say, await proxyPrograms())));
if (wants("cluster")) sections.push(clusterSection(await measureCluster(say, await clusterOptions())));
if (wants("dns")) sections.push(dnsSection(await measureDns(say, await dnsOptions())));
process.stdout.write(`\n${sections.join("\n")}`);
if (options.write) {
  const file = join(projectFolder, "docs/benchmarks.md");
  writeFileSync(file, page(mergeSections(readFileSync(file, "utf8"), sections.map(dated))));
  await runCommand("prettier", ["--write", file]);
}

function readArguments(wanted) {
  try {
    return parseArgs(wanted);
  } catch (error) {
    return stop(`${error.message} (npm run bench -- --help)`);
  }
}

async function clusterOptions() {
  const { peer, profile, keep } = options;
  const sizes = options.sizes.split(",").map(Number);
  const seconds = Number(options.seconds);
  if (!(seconds > 0)) stop("--seconds wants a number");
  const chosenShapes = options.hostnames.split(",");
  if (peer && !Object.hasOwn(peers, peer)) stop(`--peer: there is ${Object.keys(peers).join(", ")}`);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1))
    stop("--sizes wants numbers, as in 100,1000");
  if (chosenShapes.some((shape) => !shapes.includes(shape)))
    stop(`--hostnames: there are ${shapes.join(", ")}`);
  requireLab();
  const withRequests = !options["no-requests"];
  if (withRequests) requireWrk();
  const needed = ["gatewright", ...(peer ? [peer] : [])].flatMap((key) => contestants[key].components);
  await requireComponents(["envoy", ...needed]);
  return {
    peer,
    sizes,
    shapes: chosenShapes,
    seconds,
    withRequests,
    ...(profile && { profile: resolve(profile) }),
    ...(keep && { kept: resolve(keep) }),
  };
}

async function dnsOptions() {
  requireLab();
  await requireComponents(["named"]);
  return { named: componentNamed("named").find() };
}

function requireLab() {
  const obstacle = labObstacle();
  if (obstacle) stop(`No lab here: ${obstacle}.`);
}

/** Beside those of the lab. */
async function requireComponents(names) {
  const missing = await prepareComponents([...new Set(["go", "gateway-api", ...labComponents, ...names])], {
    say,
  });
  if (missing.length > 0) stop(`Not without ${missing.join(", ")}.`);
}

function stop(message) {
  say(message);
  process.exit(2);
}

function requireWrk() {
  const wrk = onPath("wrk");
  if (wrk) return wrk;
  say("Requests per second are measured with wrk, which is missing: sudo apt-get install -y wrk");
  return process.exit(3);
}

async function proxyPrograms() {
  const wrk = requireWrk();
  // Without it there is nothing to compare with, and the rest is measured all the same.
  await prepareComponents(["envoy"], { say });
  return { wrk, envoy: componentNamed("envoy").find() };
}

function routesSection(results) {
  const rows = results.map(({ layout, size, start, changes }) => [
    layout,
    size,
    ms(start.wall),
    ms(start.cpu),
    `${start.memory.toFixed(0)} MB`,
    ...["changed", "added", "deleted", "endpoint"].map((kind) => changes[kind].cpu.toFixed(2)),
    `${changes.changed.p50.toFixed(1)} / ${changes.changed.p99.toFixed(1)}`,
  ]);
  const head = [
    "routes in",
    "routes",
    "start",
    "start CPU",
    "peak memory",
    "changed",
    "added",
    "deleted",
    "endpoint",
    "file to traffic",
  ];
  const of = (layout, size) => results.find((result) => result.layout === layout && result.size === size);
  const targets = ["a file per route", "one file"].flatMap((layout) => {
    const small = of(layout, 100);
    const large = of(layout, 10_000);
    const ratio = large.changes.changed.cpu / small.changes.changed.cpu;
    const p99 = large.changes.changed.p99;
    return [
      [`${layout}: CPU of one change, 10,000 routes to 100`, `${ratio.toFixed(2)} ×`, "≤ 2 ×", ratio <= 2],
      [`${layout}: start of 10,000 routes, CPU`, ms(large.start.cpu), "≤ 3,000 ms", large.start.cpu <= 3000],
      [
        `${layout}: start of 10,000 routes, memory`,
        `${large.start.memory.toFixed(0)} MB`,
        "≤ 300 MB",
        large.start.memory <= 300,
      ],
      layout === "one file"
        ? [`${layout}: file to traffic at 10,000, p99`, ms(p99), "≤ 60 ms", p99 <= 60]
        : [`${layout}: file to traffic at 10,000, p99`, ms(p99), "≤ 25 ms", p99 <= 25],
    ];
  });
  return [
    "## Routes\n",
    "`gatewright run` on a folder. Each route has its own hostname, a path prefix and a header to match, a filter, and a backend with one endpoint.",
    "CPU of one change is in milliseconds, the mean of 200; file to traffic is the time from writing the file to the first answer by it, p50 / p99 in milliseconds.\n",
    table(head, rows),
    targetTable(targets),
  ].join("\n");
}

function proxySection(results) {
  const rows = results.map(({ name, perSecond, cpu, p99, ratio, p99Ratio }) => [
    name,
    perSecond.toFixed(0),
    ratio.toFixed(2),
    `${cpu.toFixed(1)} µs`,
    `${p99.toFixed(2)} ms`,
    p99Ratio.toFixed(2),
  ]);
  const [, gateway, envoy] = results;
  const targets = [
    ["requests per second, to bare node:http", gateway.ratio.toFixed(2), "≥ 0.40", gateway.ratio >= 0.4],
    ["p99, to bare node:http", `${gateway.p99Ratio.toFixed(2)} ×`, "≤ 3 ×", gateway.p99Ratio <= 3],
  ];
  if (envoy) {
    const ratio = gateway.ratio / envoy.ratio;
    targets.push(["requests per second, to Envoy with one worker", ratio.toFixed(2), "≥ 1", ratio >= 1]);
  }
  return [
    "## Proxy\n",
    "The embedded gateway in one process: 1 KB answers, HTTP/1.1 keep-alive, 32 connections of `wrk`, one thread. Medians of interleaved rounds; ratios are of pairs from one round.\n",
    table(["", "requests/s", "to bare", "CPU per request", "p99", "p99 to bare"], rows),
    targetTable(targets),
  ].join("\n");
}

/** The embedded one, and those whose proxy is on this machine. */
function runnableDrivers() {
  return ["embedded", ...["envoy", "haproxy", "nginx"].filter((name) => componentNamed(name).find())];
}

function endpointsSection(results) {
  const rows = results.map(({ name, p50, p99, requests, failed, processes }) => [
    name,
    `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`,
    processes,
    `${failed} of ${requests.toLocaleString("en")}`,
  ]);
  const targets = results.map(({ name, failed }) => [
    `${name}: requests that failed`,
    failed,
    "0",
    failed === 0,
  ]);
  const haproxy = results.find(({ name }) => name === "haproxy");
  if (haproxy) {
    targets.push(["haproxy: processes for it", haproxy.processes, "0", haproxy.processes === 0]);
  }
  return [
    "## Endpoints\n",
    "One endpoint of 1,000 routes is replaced by another, 50 times, while clients ask over connections that stay open. Change to traffic is the time from the change of the model to the first answer by the new endpoint, p50 / p99.\n",
    table(["driver", "change to traffic", "reloads", "failed requests"], rows),
    targetTable(targets),
  ].join("\n");
}

/** Sections are measured on different days, and on machines that differ. */
function dated(section) {
  const machine = `${cpus().length} cores (${cpus()[0].model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
  return section.replace("\n", () => `\n\nOn ${machine}.\n`);
}

function page(text) {
  return `# Benchmarks\n\n<!-- Written by \`npm run bench -- --write\`. -->\n\nMeasured on shared machines. Trust the ratios more than the figures.\n\n${text}`;
}
