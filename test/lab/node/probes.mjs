// Probes: one question (`askProbe`), and the loops around it that make a container started, ready, or restarted.

import { spawn } from "node:child_process";
import { request as httpRequest } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

// Until a container is ready or started it is asked more often than the period says: tests wait for it.
const eager = 250;

/** Asks once; target: { address, ports (of the container), exec (argv → command) }. */
export async function askProbe(probe, target) {
  const timeout = (probe.timeoutSeconds ?? 1) * 1000;
  const port = (value) => target.ports.find(({ name }) => name === value)?.containerPort ?? Number(value);
  try {
    if (probe.httpGet) return await askHttp(probe.httpGet, port(probe.httpGet.port), target.address, timeout);
    if (probe.tcpSocket)
      return await askTcp(probe.tcpSocket.host || target.address, port(probe.tcpSocket.port), timeout);
    if (probe.grpc) return await askGrpc(target.address, probe.grpc.port, probe.grpc.service ?? "", timeout);
    if (probe.exec) return await askExec(target.exec(probe.exec.command), timeout);
  } catch {
    return false;
  }
  return true;
}

export function askHttp({ scheme = "HTTP", path = "/", host, httpHeaders = [] }, port, address, timeout) {
  return new Promise((resolve) => {
    const send = scheme === "HTTPS" ? httpsRequest : httpRequest;
    const headers = Object.fromEntries([
      ["user-agent", "kube-probe/lab"],
      ...httpHeaders.map(({ name, value }) => [name, value]),
    ]);
    const options = {
      host: host || address,
      port,
      path,
      headers,
      agent: false,
      rejectUnauthorized: false,
      timeout,
    };
    const request = send(options, (response) => {
      response.resume();
      resolve(response.statusCode >= 200 && response.statusCode < 400);
    });
    request.on("timeout", () => request.destroy(new Error("too slow")));
    request.on("error", () => resolve(false)).end();
  });
}

function askTcp(host, port, timeout) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout });
    const answer = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket
      .on("connect", () => answer(true))
      .on("timeout", () => answer(false))
      .on("error", () => answer(false));
  });
}

// grpc.health.v1.Health/Check: the request's field 1 is the service, the answer's field 1 is 1 for SERVING.
function askGrpc(host, port, service, timeout) {
  return new Promise((resolve) => {
    const session = connectHttp2(`http://${host.includes(":") ? `[${host}]` : host}:${port}`);
    const answer = (result) => {
      clearTimeout(timer);
      session.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => answer(false), timeout);
    session.on("error", () => answer(false));
    const name = Buffer.from(service);
    const message = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, name.length]), name]);
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    const stream = session.request({
      ":method": "POST",
      ":path": "/grpc.health.v1.Health/Check",
      "content-type": "application/grpc",
      te: "trailers",
    });
    let data = Buffer.alloc(0);
    stream.on("data", (chunk) => (data = Buffer.concat([data, chunk])));
    stream.on("error", () => answer(false));
    stream.on("end", () => answer(data.subarray(5).equals(Buffer.from([0x08, 0x01]))));
    stream.end(Buffer.concat([prefix, message]));
  });
}

export function askExec([command, ...args], timeout) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "ignore", timeout, killSignal: "SIGKILL" });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

/**
 * Watches over one run of a container until `signal` aborts. `events`: started(), ready(boolean), failed(which probe).
 * A container without a startup probe is started, without a readiness probe ready at once.
 */
export async function watchProbes(container, target, signal, events) {
  const { startupProbe, readinessProbe, livenessProbe } = container;
  if (startupProbe && !(await waitForStartup(startupProbe, target, signal))) {
    if (!signal.aborted) events.failed("startup");
    return;
  }
  if (signal.aborted) return;
  events.started();
  if (!readinessProbe) events.ready(true);
  await Promise.all([
    readinessProbe && watchReadiness(readinessProbe, target, signal, events),
    livenessProbe && watchLiveness(livenessProbe, target, signal, events),
  ]);
}

async function waitForStartup(probe, target, signal) {
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = probe;
  await pause(initialDelaySeconds * 1000, signal);
  const deadline = Date.now() + failureThreshold * periodSeconds * 1000;
  while (!signal.aborted) {
    if (await askProbe(probe, target)) return true;
    if (Date.now() > deadline) return false;
    await pause(eager, signal);
  }
  return false;
}

async function watchReadiness(probe, target, signal, events) {
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3, successThreshold = 1 } = probe;
  await pause(initialDelaySeconds * 1000, signal);
  let isReady = false;
  let against = 0; // answers in a row that speak against what we hold
  while (!signal.aborted) {
    const answer = await askProbe(probe, target);
    if (signal.aborted) return;
    against = answer === isReady ? 0 : against + 1;
    if (against >= (isReady ? failureThreshold : successThreshold)) {
      isReady = answer;
      against = 0;
      events.ready(isReady);
    }
    await pause(isReady ? periodSeconds * 1000 : Math.min(eager, periodSeconds * 1000), signal);
  }
}

async function watchLiveness(probe, target, signal, events) {
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = probe;
  await pause(initialDelaySeconds * 1000, signal);
  let failures = 0;
  while (!signal.aborted) {
    failures = (await askProbe(probe, target)) ? 0 : failures + 1;
    if (signal.aborted) return;
    if (failures >= failureThreshold) {
      events.failed("liveness");
      return;
    }
    await pause(periodSeconds * 1000, signal);
  }
}

async function pause(milliseconds, signal) {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch {
    // Aborted: whoever waits looks at the signal.
  }
}
