// Names of 1,000 Gateways with three hostnames each, on a real API server and a real BIND: what the operator asks of its provider, and whether
// it asks anything twice.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInLab } from "../lab-task.mjs";
import { ms, table, targetTable } from "../tables.mjs";

const program = fileURLToPath(new URL("run.mjs", import.meta.url));
const gateways = 1_000;
const hostnames = 3;

export async function measureDns(say, { named }) {
  say(`${gateways} Gateways with ${hostnames} hostnames each ...`);
  const place = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
  try {
    return await runInLab(program, place, { named, gateways, hostnames });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

export function dnsSection({ phases, load }) {
  const rows = phases.map(({ what, wall, cpu, calls, records }) => [
    what,
    ms(wall),
    ms(cpu),
    calls.look,
    calls.change,
    calls.repeated,
    records,
  ]);
  const [publish, restart, , remove] = phases;
  const names = gateways * hostnames;
  // What AWS takes of one account.
  const rate = (publish.calls.look + publish.calls.change) / (publish.wall / 1000);
  const isOnce = phases.every(({ calls }) => calls.repeated === 0);
  return [
    "## Names\n",
    `${gateways.toLocaleString("en")} Gateways with ${hostnames} hostnames each, their load balancers' addresses set by the benchmark, on a real API server; names are published by RFC 2136 to a real BIND. Load average at the end of the run: ${load.toFixed(1)}.`,
    "A look asks for what stands at many names, a change puts or removes up to 200 record sets (a name and its mark are two); repeated are names that were looked at or changed more than once. CPU is the operator's, with the requests to the API server; DNSRecords are those that there are at the end.\n",
    table(["", "time", "CPU", "looks", "changes", "repeated", "DNSRecords"], rows),
    targetTable([
      ["names that are published", publish.resolved, names, publish.resolved === names],
      ["provider calls a second, while they are published", rate.toFixed(1), "≤ 5", rate <= 5],
      [
        "provider calls of an operator that starts again",
        restart.calls.look + restart.calls.change,
        "0",
        restart.calls.look + restart.calls.change === 0,
      ],
      ["names that are looked at or changed twice", isOnce ? 0 : "some", "0", isOnce],
      ["names that are left when the Gateways are gone", remove.resolved, "0", remove.resolved === 0],
    ]),
  ].join("\n");
}
