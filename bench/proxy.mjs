// Requests per second through the embedded gateway, beside a bare node:http server and Envoy with one worker, all with the
// same backend and the same client. Rounds are interleaved, so that what else the machine does falls on all of them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../scripts/command.mjs";
import { freePorts, startGatewright, startNode, startProgram } from "./children.mjs";
import { cpuOf, pause } from "./process-cost.mjs";
import { untilAnswer } from "./request.mjs";
import { median } from "./statistics.mjs";

const seconds = 3;

/** `envoy`: path of its program, if there is one. */
export async function measureProxy(say, { wrk, envoy, rounds = 6 }) {
  const place = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
  const [backendPort, barePort, gatewayPort, envoyPort] = await freePorts(4);
  writeFileSync(join(place, "gateway.yaml"), gatewayYaml(gatewayPort, backendPort));
  writeFileSync(join(place, "envoy.json"), JSON.stringify(envoyBootstrap(envoyPort, backendPort)));
  const backend = startNode("bench/backend.mjs", backendPort);
  const contestants = [
    { name: "bare node:http", port: barePort, program: startNode("bench/server.mjs", barePort) },
    { name: "embedded gateway", port: gatewayPort, program: startGatewright(join(place, "gateway.yaml")) },
  ];
  if (envoy) {
    const args = [
      "-c",
      join(place, "envoy.json"),
      "--concurrency",
      "1",
      "--disable-hot-restart",
      "-l",
      "error",
    ];
    contestants.push({ name: "Envoy, one worker", port: envoyPort, program: startProgram(envoy, args) });
  }
  try {
    for (const { program, port } of contestants) {
      await untilAnswer(
        program,
        port,
        { host: "bench.example.com", path: "/", headers: {} },
        ({ status }) => status === 200,
      );
    }
    for (const contestant of contestants) contestant.samples = [];
    for (let round = 0; round <= rounds; round++) {
      say(round === 0 ? "warming up ..." : `round ${round} of ${rounds} ...`);
      for (const { program, port, samples } of contestants) {
        const sample = await load(wrk, program.pid, port);
        if (round > 0) samples.push(sample);
        await pause(200);
      }
    }
    return contestants.map(({ name, samples }) => summary(name, samples, contestants[0].samples));
  } finally {
    await Promise.all(
      [backend, ...contestants.map(({ program }) => program)].map((program) => program.stop()),
    );
    rmSync(place, { recursive: true, force: true });
  }
}

async function load(wrk, pid, port) {
  const before = cpuOf(pid);
  const args = [
    "-t1",
    "-c32",
    `-d${seconds}s`,
    "--latency",
    "-H",
    "Host: bench.example.com",
    `http://127.0.0.1:${port}/`,
  ];
  const { output, code } = await runCommand(wrk, args);
  const found = /Requests\/sec:\s+([\d.]+)/.exec(output);
  const p99 = /99%\s+([\d.]+)(us|ms|s)/.exec(output);
  if (code !== 0 || !found || !p99 || /Non-2xx/.test(output)) throw new Error(`wrk: ${output}`);
  const perSecond = Number(found[1]);
  const unit = { us: 0.001, ms: 1, s: 1000 }[p99[2]];
  return {
    perSecond,
    p99: Number(p99[1]) * unit,
    cpu: ((cpuOf(pid) - before) * 1000) / (perSecond * seconds),
  };
}

/** Ratios are of pairs from the same round; their median is less noisy than the ratio of medians. */
function summary(name, samples, bare) {
  return {
    name,
    perSecond: median(samples.map(({ perSecond }) => perSecond)),
    p99: median(samples.map(({ p99 }) => p99)),
    cpu: median(samples.map(({ cpu }) => cpu)),
    ratio: median(samples.map(({ perSecond }, round) => perSecond / bare[round].perSecond)),
    p99Ratio: median(samples.map(({ p99 }, round) => p99 / bare[round].p99)),
  };
}

const gatewayYaml = (port, backendPort) => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: bench }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: ${port}, protocol: HTTP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: bench }
spec:
  parentRefs: [{ name: bench }]
  hostnames: [bench.example.com]
  rules: [{ backendRefs: [{ name: bench, port: 80 }] }]
---
apiVersion: v1
kind: Service
metadata: { name: bench }
spec: { ports: [{ port: 80, targetPort: ${backendPort} }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: bench, labels: { kubernetes.io/service-name: bench } }
addressType: IPv4
ports: [{ port: ${backendPort} }]
endpoints: [{ addresses: [127.0.0.1] }]
`;

function envoyBootstrap(port, backendPort) {
  const address = (value) => ({ socket_address: { address: "127.0.0.1", port_value: value } });
  const type = (name) => `type.googleapis.com/envoy.extensions.filters.${name}`;
  return {
    static_resources: {
      listeners: [
        {
          address: address(port),
          filter_chains: [
            {
              filters: [
                {
                  name: "http",
                  typed_config: {
                    "@type": type("network.http_connection_manager.v3.HttpConnectionManager"),
                    stat_prefix: "http",
                    route_config: {
                      virtual_hosts: [
                        {
                          name: "bench",
                          domains: ["bench.example.com"],
                          routes: [{ match: { prefix: "/" }, route: { cluster: "bench" } }],
                        },
                      ],
                    },
                    http_filters: [
                      { name: "router", typed_config: { "@type": type("http.router.v3.Router") } },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
      clusters: [
        {
          name: "bench",
          load_assignment: {
            cluster_name: "bench",
            endpoints: [{ lb_endpoints: [{ endpoint: { address: address(backendPort) } }] }],
          },
        },
      ],
    },
  };
}
