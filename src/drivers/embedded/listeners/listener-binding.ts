import { isIP } from "node:net";
import type { BoundAddress, ItemState } from "../../driver.ts";
import type { Listener } from "../../../model/index.ts";
import { codeOf, explainBindError } from "./bind-problem.ts";
import { firstPort, nextPort } from "../../bind-rules.ts";
import { wantedSockets, type EmbeddedBindRules } from "./wanted-sockets.ts";
import type { OpenSocket, SocketTarget } from "./open-socket.ts";
import type { PortClaims } from "./port-claims.ts";

/*
 * The sockets of one listener: one for each address, all on one port.
 *
 * `open` brings them in line with the listener: what is missing is opened before what is not wanted is closed, and what
 * stays is not touched. The port, once found, is kept as long as a socket of the listener is open. If an address or the port cannot be
 * had, the rest is opened all the same; the state tells what is missing, and a later `open` tries that again.
 */

export interface ListenerBindingOptions {
  readonly rules: EmbeddedBindRules;
  readonly claims: PortClaims;
  readonly openSocket: (target: SocketTarget) => Promise<OpenSocket>;
  /** Something that the user should be told and that is no problem. */
  readonly notify: (notice: string) => void;
}

interface Attempt {
  readonly port: number;
  readonly opened: Map<string, OpenSocket>;
  readonly failures: Map<string, unknown>;
}

/** Ports that are tried in place of one. */
const mostPorts = 200;

export class ListenerBinding {
  readonly #options: ListenerBindingOptions;
  readonly #sockets = new Map<string, OpenSocket>();
  #listener: Listener;
  #port: number | undefined;

  constructor(listener: Listener, options: ListenerBindingOptions) {
    this.#listener = listener;
    this.#options = options;
  }

  /** The port by which clients reach it, as far as this machine decides that. */
  get publicPort(): number {
    const { port, bindPort } = this.#listener;
    return this.#options.rules.bind || bindPort !== undefined ? port : (this.#port ?? port);
  }

  get addresses(): readonly BoundAddress[] {
    return [...this.#sockets.values()].map(({ bound }) => bound);
  }

  async open(listener: Listener): Promise<ItemState> {
    this.#listener = listener;
    const wanted = wantedSockets(listener, this.#options.rules);
    const { bindPort } = listener;
    if (bindPort !== undefined && this.#port !== undefined && this.#port !== bindPort) this.close();
    const missing = wanted.hosts.filter((host) => !this.#sockets.has(host));
    const usable = missing.filter((host) => this.#options.rules.bind || isIP(host) !== 0);
    const port = wanted.port ?? this.#port;
    const attempt =
      port === undefined ? await this.#openOnSomePort(usable) : await this.#openOn(usable, port);
    for (const [host, socket] of attempt.opened) this.#sockets.set(host, socket);
    for (const host of missing) {
      if (!usable.includes(host)) attempt.failures.set(host, { code: "EADDRNOTAVAIL" });
    }
    for (const host of this.#sockets.keys()) if (!wanted.hosts.includes(host)) this.#closeOne(host);
    return this.#stateAfter(attempt);
  }

  close(): void {
    for (const host of this.#sockets.keys()) this.#closeOne(host);
  }

  async #openOnSomePort(hosts: readonly string[]): Promise<Attempt> {
    const { rules, claims } = this.#options;
    const { port, transport, key } = this.#listener;
    let tried = firstPort(port, rules);
    let reason = tried === port ? "" : "ports below 1024 often need privileges";
    for (let count = 1; ; count++) {
      const attempt = await this.#openOn(hosts, tried);
      const failure = failureOfPort(attempt.failures);
      const heldByAnotherListener = claims.isHeldByAnother(transport, tried, key);
      const next = failure && nextPort({ port, tried, rules, failure, heldByAnotherListener });
      if (next === undefined || count === mostPorts) {
        if (attempt.opened.size > 0) this.#tellMapping(reason);
        return attempt;
      }
      for (const socket of attempt.opened.values()) socket.close();
      this.#releasePort();
      reason ||=
        failure === "denied" ? "ports below 1024 need privileges" : "another Gateway has it on this machine";
      tried = next;
    }
  }

  async #openOn(hosts: readonly string[], port: number): Promise<Attempt> {
    const attempt: Attempt = { port, opened: new Map(), failures: new Map() };
    for (const host of hosts) {
      try {
        const socket = await this.#options.openSocket({ host, port });
        attempt.opened.set(host, socket);
        this.#claimPort(socket.bound.port);
      } catch (error) {
        attempt.failures.set(host, error);
      }
    }
    return attempt;
  }

  #claimPort(port: number): void {
    this.#port = port;
    this.#options.claims.take(this.#listener.transport, port, this.#listener.key);
  }

  #releasePort(): void {
    if (this.#port !== undefined) {
      this.#options.claims.release(this.#listener.transport, this.#port, this.#listener.key);
    }
    this.#port = undefined;
  }

  #closeOne(host: string): void {
    this.#sockets.get(host)?.close();
    this.#sockets.delete(host);
    if (this.#sockets.size === 0) this.#releasePort();
  }

  #stateAfter({ port, failures }: Attempt): ItemState {
    const { transport } = this.#listener;
    const problems = [...failures].map(([host, error]) => explainBindError(error, { transport, host, port }));
    const [first] = problems;
    if (first) return { ...first, message: problems.map(({ message }) => message).join(" ") };
    return { type: "programmed", addresses: this.addresses };
  }

  #tellMapping(reason: string): void {
    const { gateway, port, transport } = this.#listener;
    if (this.#port === undefined || this.#port === port || reason === "") return;
    this.#options.notify(
      `Gateway ${gateway}: ${transport.toUpperCase()} port ${port} is served on port ${this.#port}, because ${reason}.`,
    );
  }
}

/** What is wrong with the port rather than with an address. */
function failureOfPort(failures: ReadonlyMap<string, unknown>): "denied" | "taken" | undefined {
  const codes = [...failures.values()].map(codeOf);
  if (codes.some((code) => code === "EACCES" || code === "EPERM")) return "denied";
  return codes.includes("EADDRINUSE") ? "taken" : undefined;
}
