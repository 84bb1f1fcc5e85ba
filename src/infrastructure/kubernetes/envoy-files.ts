import { renderBootstrapFiles } from "../../drivers/envoy/index.ts";
import type { Fleet } from "../../translate/index.ts";
import { adminSocket, bootstrapFolder, channelFolder, readinessPort, statusPort } from "./proxy-container.ts";

export interface EnvoyFilesContext {
  /** `host:port` */
  readonly channel: string;
  readonly tellsReadiness: boolean;
}

/** What Envoy starts with: name of file → content. */
export function renderEnvoyFiles(
  { settings }: Fleet,
  { channel, tellsReadiness }: EnvoyFilesContext,
): Readonly<Record<string, string>> {
  const colon = channel.lastIndexOf(":");
  const limit = bytesOf(settings.resources.limits.memory);
  const files = renderBootstrapFiles({
    channel: {
      host: channel.slice(0, colon).replace(/^\[|\]$/g, ""),
      port: Number(channel.slice(colon + 1)),
    },
    folder: bootstrapFolder,
    certificates: channelFolder,
    adminSocket,
    status: { address: "0.0.0.0", port: statusPort },
    ...(tellsReadiness && { readiness: { address: "0.0.0.0", port: readinessPort } }),
    statisticsPerBackend: settings.statistics.perBackend,
    // The rest is for threads and what is not on the heap.
    ...(limit !== undefined && { maxHeapSize: Math.floor(limit * 0.9) }),
  });
  return Object.fromEntries([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const units: ReadonlyMap<string, number> = new Map([
  ["m", 1e-3],
  ["", 1],
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
  ["T", 1e12],
  ["Ki", 2 ** 10],
  ["Mi", 2 ** 20],
  ["Gi", 2 ** 30],
  ["Ti", 2 ** 40],
]);

function bytesOf(quantity: string | number | undefined): number | undefined {
  const [, number, unit = ""] = /^([0-9.]+)([A-Za-z]*)$/.exec(String(quantity ?? "")) ?? [];
  const factor = units.get(unit);
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
