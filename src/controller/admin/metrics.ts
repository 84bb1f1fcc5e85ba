import type { ObjectStatus, Verdict } from "../../status/index.ts";
import { expiryOf } from "../certificate-notes.ts";
import type { Controller } from "../controller.ts";
import type { Metric, Sample } from "./metrics-text.ts";

/** Everything that can be counted, at this moment. */
export function collectMetrics(controller: Controller, version: string): readonly Metric[] {
  return [
    {
      name: "gatewright_build_info",
      help: "The version that runs",
      type: "gauge",
      samples: [{ labels: { version, driver: controller.driver.name, node: process.version }, value: 1 }],
    },
    {
      name: "gatewright_objects",
      help: "Objects read, by kind",
      type: "gauge",
      samples: countBy(controller.resources(), ({ kind }) => ({ kind })),
    },
    {
      name: "gatewright_problems",
      help: "Problems with the objects' files that stand now",
      type: "gauge",
      samples: (["error", "warning"] as const).map((severity) => ({
        labels: { severity },
        value: controller.problems.filter((problem) => problem.severity === severity).length,
      })),
    },
    {
      name: "gatewright_conditions",
      help: "Conditions in the statuses that Gatewright writes",
      type: "gauge",
      samples: countBy(conditionsOf(controller), ({ kind, verdict }) => ({
        kind,
        type: verdict.type,
        status: verdict.status,
      })),
    },
    {
      name: "gatewright_recomputations_total",
      help: "Computations of derived items, by the collection they belong to",
      type: "counter",
      samples: Array.from(controller.recomputations, ([node, value]) => ({ labels: { node }, value })),
    },
    {
      name: "gatewright_model_items",
      help: "Items that the proxy was told of, by kind",
      type: "gauge",
      samples: Object.entries(controller.model).map(([kind, { size }]) => ({
        labels: { kind },
        value: size,
      })),
    },
    {
      name: "gatewright_certificate_expiry_timestamp_seconds",
      help: "When a certificate that the proxy has expires; of authorities, the last of them",
      type: "gauge",
      samples: Array.from(controller.model.certificates.entries(), ([key, certificate]) => {
        const [kind = "", namespace = "", name = "", entry] = key.split("/");
        const labels = { kind, namespace, name, ...(entry !== undefined && { entry }) };
        return { labels, value: expiryOf(certificate) };
      }),
    },
    ...processMetrics(),
  ];
}

function* conditionsOf({ statuses }: Controller): Generator<{ kind: string; verdict: Verdict }> {
  for (const [, status] of statuses.entries()) {
    for (const verdict of verdictsOf(status)) yield { kind: status.kind, verdict };
  }
}

function verdictsOf({ content }: ObjectStatus): readonly Verdict[] {
  if ("entries" in content) return content.entries.flatMap(({ conditions }) => conditions);
  return "conditions" in content ? content.conditions : [];
}

function countBy<T>(items: Iterable<T>, labelsOf: (item: T) => Readonly<Record<string, string>>): Sample[] {
  const samples = new Map<string, { labels: Readonly<Record<string, string>>; value: number }>();
  for (const item of items) {
    const labels = labelsOf(item);
    const key = JSON.stringify(labels);
    const sample = samples.get(key);
    if (sample) sample.value++;
    else samples.set(key, { labels, value: 1 });
  }
  return [...samples.values()];
}

/** By the names that Prometheus' own libraries use. */
function processMetrics(): readonly Metric[] {
  const { user, system } = process.cpuUsage();
  const started = Math.round(Date.now() / 1000 - process.uptime());
  const single = (name: string, help: string, type: Metric["type"], value: number): Metric => ({
    name,
    help,
    type,
    samples: [{ value }],
  });
  return [
    single("process_cpu_seconds_total", "CPU time spent", "counter", (user + system) / 1e6),
    single("process_resident_memory_bytes", "Memory in use", "gauge", process.memoryUsage.rss()),
    single("process_start_time_seconds", "Start of the process", "gauge", started),
  ];
}
