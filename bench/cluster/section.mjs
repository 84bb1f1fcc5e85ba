// The section on controllers: one table per subject, ours and the peer's rows together, then ratios and targets.

import { loadavg } from "node:os";
import { imageNodeVersion } from "../../test/components/components.mjs";
import { median } from "../statistics.mjs";
import { megabytes, ms, table, targetTable } from "../tables.mjs";
import { bareEnvoy } from "./bare-envoy.mjs";
import { changeKinds } from "./changes.mjs";

const shapeNames = { own: "own", shared: "shared" };

export function clusterSection({ results, requests, failures }) {
  const peer = results.find(({ key }) => key !== "gatewright");
  return [
    "## Controllers on a cluster\n",
    `Each controller as a Pod of its own chart on a real API server, one after the other, on fresh clusters with the same objects; Envoy is the same binary, in a Pod of the controller's making. Gatewright runs on Node ${imageNodeVersion}, as in its image. Load average at the end of the run: ${loadavg()[1].toFixed(1)}.`,
    "Hostnames: each route has its own, or all share one. Start is from the controller's process to the answer of every route, with a new Envoy; memory is the most there was until then, and until all statuses were written.\n",
    startTable(results),
    "CPU of one change in milliseconds, the controller's (without statuses: as a replica that does not lead, which writes none) and Envoy's: the mean of as many changes as it says, one after the other. A route that is added leads to a Service that was there before.\n",
    changesTable(results),
    "From the API server's yes to the first answer by it, p50 / p99 in milliseconds, and requests that failed meanwhile.\n",
    waysTable(results),
    "100 routes changed a second, for 30 seconds. CPU is of one change; behind is the time from the last write to the traffic.\n",
    stormTable(results),
    ...(requests.length > 0 ? [requestsText, requestsTable(requests)] : []),
    ...(peer ? [`How many times what Gatewright takes ${peer.name} takes:\n`, ratioTable(results)] : []),
    ...(failures.length > 0 ? [`Could not be measured: ${failures.join("; ")}.\n`] : []),
    targetTable([...results.filter(isTarget).flatMap(targetsOf), ...comparisons(results, requests)]),
  ].join("\n");
}

const requestsText =
  "Requests per second through Envoy: 1 KB answers, HTTP/1.1 keep-alive, 32 connections of `wrk`, medians of interleaved rounds. Envoy alone has one static route and nothing of what a gateway does, not even counters: no configuration of it passes on more here.\n";

const isTarget = ({ key, shape }) => key === "gatewright" && shape === "own";
const count = (value) => value.toLocaleString("en");
const labels = ({ name, shape, size }) => [name, shapeNames[shape], count(size)];
const labelHead = ["controller", "hostnames", "routes"];

function startTable(results) {
  const rows = results.map((result) => {
    const { start, withoutStatuses } = result;
    return [
      ...labels(result),
      ms(start.wall),
      ms(start.settledCpu),
      withoutStatuses ? ms(withoutStatuses.start.cpu) : "",
      ms(start.envoyCpu),
      `${megabytes(start.memory)} / ${megabytes(start.settledMemory)}`,
      megabytes(start.envoyMemory),
    ];
  });
  const head = [
    ...labelHead,
    "start",
    "CPU",
    "CPU without statuses",
    "Envoy's CPU",
    "memory",
    "Envoy's memory",
  ];
  return table(head, rows);
}

function changesTable(results) {
  const rows = results.map((result) => {
    const { changes, withoutStatuses } = result;
    const each = (values, field) =>
      values ? changeKinds.map((kind) => values[kind][field].toFixed(2)).join(" / ") : "";
    return [
      ...labels(result),
      each(changes, "cpu"),
      each(withoutStatuses?.changes, "cpu"),
      each(changes, "envoyCpu"),
      range(changeKinds.map((kind) => changes[kind].count)),
    ];
  });
  const head = [
    ...labelHead,
    `CPU: ${changeKinds.join(" / ")}`,
    "without statuses",
    "Envoy's",
    "changes of each kind",
  ];
  return table(head, rows);
}

function waysTable(results) {
  const rows = results.map((result) => [
    ...labels(result),
    ...changeKinds.map((kind) => {
      const { p50, p99, asked, failed } = result.changes[kind];
      return `${p50.toFixed(1)} / ${p99.toFixed(1)}, ${failed} of ${count(asked)} failed`;
    }),
  ]);
  return table([...labelHead, ...changeKinds], rows);
}

function stormTable(results) {
  const rows = results.map((result) => {
    const { rate, cpu, envoyCpu, lag, asked, failed } = result.storm;
    return [
      ...labels(result),
      rate.toFixed(0),
      `${cpu.toFixed(2)} ms`,
      `${envoyCpu.toFixed(2)} ms`,
      ms(lag),
      `${failed} of ${count(asked)}`,
    ];
  });
  return table([...labelHead, "changes a second", "CPU", "Envoy's CPU", "behind", "failed requests"], rows);
}

function requestsTable(requests) {
  const rows = requests.flatMap(({ size, entries }) =>
    entries.map(({ contestant, settings, perSecond, cpu }) => [
      contestant,
      settings.join(", "),
      count(size),
      count(Math.round(perSecond)),
      `${cpu.toFixed(1)} µs`,
    ]),
  );
  return table(["controller", "setting", "routes", "requests/s", "Envoy's CPU per request"], rows);
}

function ratioTable(results) {
  const rows = pairs(results).map(([ours, theirs]) => {
    const ratio = (pick) => `${(pick(theirs) / pick(ours)).toFixed(1)} ×`;
    return [
      shapeNames[ours.shape],
      count(ours.size),
      ratio(({ start }) => start.wall),
      ratio(({ start }) => start.settledCpu),
      ratio(({ start }) => start.settledMemory),
      ratio(({ changes }) => changes.changed.cpu),
      ratio(({ changes }) => changes.changed.envoyCpu),
      ratio(({ changes }) => changes.changed.p50),
      ratio(({ storm }) => storm.cpu),
    ];
  });
  const head = [
    ...labelHead.slice(1),
    "start",
    "start CPU",
    "memory",
    "CPU of a change",
    "Envoy's",
    "change to traffic",
    "CPU of a change among many",
  ];
  return table(head, rows);
}

function pairs(results) {
  return results
    .filter(({ key }) => key === "gatewright")
    .flatMap((ours) => {
      const isSame = ({ key, shape, size }) =>
        key !== "gatewright" && shape === ours.shape && size === ours.size;
      const theirs = results.find(isSame);
      return theirs ? [[ours, theirs]] : [];
    });
}

function targetsOf({ size, start, changes, storm, withoutStatuses }) {
  const worst = (values, field) => Math.max(...changeKinds.map((kind) => values[kind][field]));
  const at = (what) => `${what}, ${count(size)} routes`;
  const limit = (what, value, most, show) => [at(what), show(value), `≤ ${show(most)}`, value <= most];
  const oneDigit = (value) => `${value.toFixed(1)} ms`;
  const failed = changeKinds.reduce((sum, kind) => sum + changes[kind].failed, storm.failed);
  return [
    limit("CPU of a change, the dearest kind", worst(changes, "cpu"), 5, oneDigit),
    limit("Envoy's CPU of a change, the dearest kind", worst(changes, "envoyCpu"), 5, oneDigit),
    [at("failed requests"), String(failed), "0", failed === 0],
    ...(size < 10_000
      ? []
      : [
          limit("change to traffic, p50", changes.changed.p50, 20, oneDigit),
          limit("start, CPU without statuses", (withoutStatuses?.start ?? start).cpu, 4000, ms),
          limit("start, memory until all answer", start.memory, 450, megabytes),
          limit("start, Envoy's CPU", start.envoyCpu, 4000, ms),
        ]),
  ];
}

function comparisons(results, requests) {
  const way = pairs(results).find(([{ shape, size }]) => shape === "own" && size === 1000);
  const ratio = way && way[0].changes.changed.p50 / way[1].changes.changed.p50;
  const rows = way
    ? [
        [
          "change to traffic to the peer's, 1,000 routes",
          `1/${(1 / ratio).toFixed(0)}`,
          "≤ 1/20",
          ratio <= 1 / 20,
        ],
      ]
    : [];
  for (const { size, entries } of requests) {
    for (const [setting, least] of [
      ["no access log", 1],
      ["access log", 1],
      ["defaults", 1.3],
    ]) {
      const [ours, theirs] = entries.filter(({ settings }) => settings.includes(setting));
      if (!theirs) continue;
      const value = perSecondRatio(ours, theirs);
      const alone = entries.find(({ contestant }) => contestant === bareEnvoy.contestant);
      const most = alone ? ` (Envoy alone: ${perSecondRatio(alone, theirs).toFixed(2)} ×)` : "";
      rows.push([
        `requests/s to the peer's, ${setting}, ${count(size)} routes`,
        `${value.toFixed(2)} ×${most}`,
        `≥ ${least} ×`,
        value >= least,
      ]);
    }
  }
  return rows;
}

/** Pairs from the same round: their median is less noisy than the ratio of medians. */
function perSecondRatio(ours, theirs) {
  return median(ours.samples.map(({ perSecond }, round) => perSecond / theirs.samples[round].perSecond));
}

function range(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? String(most) : `${least}–${most}`;
}
