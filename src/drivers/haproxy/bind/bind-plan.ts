/*
 * Which address and port each listener gets. HAProxy says only that it could not start if a port is taken, so each new socket is
 * tried here first: opened, and closed again at once. What a running process of ours has is kept without a look.
 *
 * State: the sockets of listeners that are planned. A listener keeps its port as long as it is planned.
 */
import net from "node:net";
import type { BoundAddress, ItemState } from "../../driver.ts";
import type { Listener } from "../../../model/index.ts";
import { explainBindError } from "./bind-problem.ts";
import { firstPort, nextPort, wantedAddresses, type BindRules } from "../../bind-rules.ts";

export interface PlannedListener {
  readonly listener: Listener;
  readonly bound: readonly BoundAddress[];
  readonly state: ItemState;
}

const mostPorts = 200;

export class BindPlan {
  readonly #rules: BindRules;
  readonly #notify: (notice: string) => void;
  readonly #planned = new Map<string, PlannedListener>();

  constructor(rules: BindRules, notify: (notice: string) => void) {
    this.#rules = rules;
    this.#notify = notify;
  }

  get planned(): ReadonlyMap<string, PlannedListener> {
    return this.#planned;
  }

  /** Listeners that could not have all of their sockets. */
  get waiting(): boolean {
    return [...this.#planned.values()].some(({ state }) => state.type === "refused");
  }

  /** Brings the plan in line with the listeners; what is planned and wanted still is left alone. */
  async update(listeners: ReadonlyMap<string, Listener>): Promise<void> {
    for (const key of this.#planned.keys()) if (!listeners.has(key)) this.#planned.delete(key);
    for (const listener of listeners.values()) this.#planned.set(listener.key, await this.#plan(listener));
  }

  /** The system refused a socket after all: its listener waits. */
  refuse(key: string, state: ItemState): void {
    const planned = this.#planned.get(key);
    if (planned) this.#planned.set(key, { ...planned, bound: [], state });
  }

  async #plan(listener: Listener): Promise<PlannedListener> {
    const hosts = wantedAddresses(listener, this.#rules);
    const before = this.#planned.get(listener.key);
    const wanted = wantedPort(listener);
    const samePort = before && wantedPort(before.listener) === wanted;
    const kept = samePort ? before.bound.filter(({ address }) => hosts.includes(address)) : [];
    const missing = hosts.filter((host) => !kept.some(({ address }) => address === host));
    if (missing.length === 0) {
      return { listener, bound: kept, state: { type: "programmed", addresses: kept } };
    }
    const port = kept[0]?.port;
    const attempt =
      port === undefined
        ? await this.#trySomePort(listener, missing)
        : await this.#tryPort(listener, missing, port);
    const bound = [...kept, ...attempt.free.map((address) => ({ address, port: attempt.port }))];
    const problems = attempt.failures.map(([host, error]) =>
      explainBindError(error, { transport: "tcp", host, port: attempt.port }),
    );
    const [first] = problems;
    const state: ItemState = first
      ? { ...first, message: problems.map(({ message }) => message).join(" ") }
      : { type: "programmed", addresses: bound };
    return { listener, bound, state };
  }

  async #trySomePort(listener: Listener, hosts: readonly string[]): Promise<Attempt> {
    const port = wantedPort(listener);
    let tried = firstPort(port, this.#rules);
    let reason = tried === port ? "" : "ports below 1024 often need privileges";
    for (let count = 1; ; count++) {
      const attempt = await this.#tryPort(listener, hosts, tried);
      const failure = failureOfPort(attempt.failures);
      const heldByAnotherListener = attempt.heldByAnotherListener;
      const next = failure && nextPort({ port, tried, rules: this.#rules, failure, heldByAnotherListener });
      if (next === undefined || count === mostPorts) {
        if (attempt.free.length > 0 && reason !== "") {
          this.#notify(
            `Gateway ${listener.gateway}: TCP port ${listener.port} is served on port ${tried}, because ${reason}.`,
          );
        }
        return attempt;
      }
      reason ||=
        failure === "denied" ? "ports below 1024 need privileges" : "another Gateway has it on this machine";
      tried = next;
    }
  }

  async #tryPort(listener: Listener, hosts: readonly string[], port: number): Promise<Attempt> {
    const attempt: Attempt = { port, free: [], failures: [], heldByAnotherListener: false };
    for (const host of hosts) {
      if (this.#isOurs(listener.key, host, port)) {
        attempt.heldByAnotherListener = true;
        attempt.failures.push([host, { code: "EADDRINUSE" }]);
        continue;
      }
      const error = net.isIP(host) === 0 ? { code: "EADDRNOTAVAIL" } : await tryToListen(host, port);
      if (error) attempt.failures.push([host, error]);
      else attempt.free.push(host);
    }
    return attempt;
  }

  #isOurs(key: string, host: string, port: number): boolean {
    for (const { listener, bound } of this.#planned.values()) {
      if (listener.key === key) continue;
      if (bound.some((taken) => taken.port === port && overlap(taken.address, host))) return true;
    }
    return false;
  }
}

interface Attempt {
  readonly port: number;
  readonly free: string[];
  readonly failures: [host: string, error: unknown][];
  heldByAnotherListener: boolean;
}

/** The port to be opened, which need not be the one that clients use. */
function wantedPort(listener: Listener): number {
  return listener.bindPort ?? listener.port;
}

function overlap(a: string, b: string): boolean {
  return a === b || [a, b].some((address) => address === "::" || address === "0.0.0.0");
}

function failureOfPort(failures: readonly (readonly [string, unknown])[]): "denied" | "taken" | undefined {
  const codes = failures.map(([, error]) => String((error as NodeJS.ErrnoException).code ?? ""));
  if (codes.some((code) => code === "EACCES" || code === "EPERM")) return "denied";
  return codes.includes("EADDRINUSE") ? "taken" : undefined;
}

function tryToListen(host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", resolve);
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}
