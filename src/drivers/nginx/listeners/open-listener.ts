/*
 * One listener that is wanted: its port, its NGINX, and what its routes need there.
 */
import type { Listener } from "../../../model/index.ts";
import type { BoundAddress, ItemState } from "../../driver.ts";
import type { ListenerShape, ShapedValidation } from "../config/listener-shape.ts";
import { includesNeeds, joinNeeds, usualNeeds, type Needs } from "../tables/listener-needs.ts";
import { wantedAddresses, type BindRules } from "../../bind-rules.ts";
import { findPort } from "./find-port.ts";
import {
  ListenerProcess,
  type Drained,
  type ListenerProcessOptions,
  type WantedShape,
} from "./listener-process.ts";

/** What all listeners' shapes have in common. */
export type CommonShape = Pick<
  ListenerShape,
  | "dataFolder"
  | "scripts"
  | "modules"
  | "user"
  | "workers"
  | "workerConnections"
  | "maxOpenFiles"
  | "accessLog"
>;

export interface OpenListenerOptions {
  readonly id: string;
  readonly common: CommonShape;
  readonly rules: BindRules;
  readonly process: Omit<ListenerProcessOptions, "onEnd" | "onAgain">;
  readonly slots: () => number;
  readonly trustFile: (number: number) => string | undefined;
  readonly clientTrust: (keys: readonly string[]) => string | undefined;
  /** Another listener of this driver has the port. */
  readonly isTaken: (port: number, hosts: readonly string[]) => boolean;
  readonly notify: (notice: string) => void;
  /** Something became different by itself. */
  readonly onState: () => void;
}

export class OpenListener {
  readonly #options: OpenListenerOptions;
  #process: ListenerProcess;
  listener: Listener;
  state: ItemState = { type: "pending", message: "NGINX has not been started yet." };
  /** Where it is bound. */
  hosts: readonly string[] = [];
  port: number | undefined;
  #needs: Needs = usualNeeds;

  constructor(listener: Listener, options: OpenListenerOptions) {
    this.listener = listener;
    this.#options = options;
    this.#process = this.#newProcess();
  }

  get process(): ListenerProcess {
    return this.#process;
  }

  get isOpen(): boolean {
    return this.port !== undefined && this.#process.isRunning;
  }

  get addresses(): readonly BoundAddress[] {
    return this.port === undefined ? [] : this.hosts.map((address) => ({ address, port: this.port! }));
  }

  /** By which clients reach it. */
  get publicPort(): number {
    const { bindPort, port } = this.listener;
    return bindPort === undefined ? (this.port ?? port) : port;
  }

  includes(needs: Needs): boolean {
    return includesNeeds(this.#needs, needs);
  }

  /** Opens the port, if it is not open, and starts NGINX. */
  async open(): Promise<void> {
    if (this.isOpen) return;
    const { rules, isTaken, notify } = this.#options;
    const hosts = wantedAddresses(this.listener, rules);
    const verdict = await findPort(this.listener, rules, (port) => isTaken(port, hosts));
    if (verdict.type === "refused") {
      this.state = verdict.state;
      return;
    }
    this.hosts = verdict.hosts;
    this.port = verdict.port;
    const refusal = await this.#process.apply(this.#shape(this.#needs));
    if (refusal !== undefined) {
      this.port = undefined;
      this.state = refusalState(refusal);
      return;
    }
    this.#programmed();
    const own = this.listener.bindPort ?? this.listener.port;
    if (verdict.port !== own) {
      notify(`Port ${own} of Gateway ${this.listener.gateway} is served on port ${verdict.port}.`);
    }
  }

  /**
   * Brings the configuration up to date with the listener and with what its routes need in addition. What NGINX refuses of the latter is left
   * out; the result says in which words.
   */
  async update(more: readonly Needs[]): Promise<ReadonlyMap<Needs, string>> {
    const before = this.#needs;
    const wanted = more.reduce(joinNeeds, before);
    this.#needs = wanted;
    if (!this.isOpen) return new Map();
    const refusal = await this.#process.apply(this.#shape(wanted));
    if (refusal === undefined) {
      this.#programmed();
      return new Map();
    }
    return this.#updatePart(before, more, refusal);
  }

  /** One by one, since together they were refused. */
  async #updatePart(
    before: Needs,
    more: readonly Needs[],
    words: string,
  ): Promise<ReadonlyMap<Needs, string>> {
    const refused = new Map<Needs, string>();
    this.#needs = before;
    for (const needs of more) {
      if (includesNeeds(this.#needs, needs)) continue;
      const candidate = joinNeeds(this.#needs, needs);
      const refusal = await this.#process.test(this.#shape(candidate));
      if (refusal === undefined) this.#needs = candidate;
      else refused.set(needs, refusal);
    }
    const rest = await this.#process.apply(this.#shape(this.#needs));
    if (rest === undefined) this.#programmed();
    else this.state = refusalState(refused.size > 0 ? rest : words);
    return refused;
  }

  /** Whether its sockets are those that the listener asks for now. */
  isBoundRight(): boolean {
    if (this.port === undefined) return true;
    const { rules } = this.#options;
    const sameHosts = wantedAddresses(this.listener, rules).join() === this.hosts.join();
    const { bindPort } = this.listener;
    return sameHosts && (bindPort === undefined || bindPort === this.port || this.port === bindPort + 8000);
  }

  /** Leaves its sockets. */
  async leave(grace: number): Promise<Drained> {
    const leaving = this.#process;
    this.#process = this.#newProcess();
    this.port = undefined;
    return leaving.drain(grace);
  }

  #programmed(): void {
    this.state = { type: "programmed", addresses: this.addresses };
  }

  #newProcess(): ListenerProcess {
    const { process, onState } = this.#options;
    const created: ListenerProcess = new ListenerProcess({
      ...process,
      onEnd: (words) => {
        if (created !== this.#process) return;
        this.state = { type: "pending", message: `NGINX ended and is started again: ${words}` };
        onState();
      },
      onAgain: () => {
        if (created !== this.#process) return;
        this.#programmed();
        onState();
      },
    });
    return created;
  }

  #shape(needs: Needs): WantedShape {
    const { id, common, slots, trustFile } = this.#options;
    const { protocol } = this.listener;
    const trusts = [...needs.trusts].flatMap((number) => {
      const file = trustFile(number);
      return file === undefined ? [] : [[number, file] as const];
    });
    const known = new Map(trusts);
    const isKnown = (trust: number | undefined) => trust === undefined || known.has(trust);
    return {
      ...common,
      workers: protocol === "udp" ? 1 : common.workers,
      protocol,
      listens: this.hosts.map((host) => `${host.includes(":") ? `[${host}]` : host}:${this.port}`),
      listenerId: id,
      slots: slots(),
      profiles: new Map([...needs.profiles].filter(([, { trust }]) => isKnown(trust))),
      mirrors: new Set(
        [...needs.mirrors].filter((kind) => isKnown(kind.length > 1 ? Number(kind.slice(1)) : undefined)),
      ),
      trusts: known,
      headerNames: [...needs.headerNames].sort(),
      clientValidation: this.#validation(),
    };
  }

  #validation(): ShapedValidation | undefined {
    const { clientValidation } = this.listener;
    if (!clientValidation) return undefined;
    const file = this.#options.clientTrust(clientValidation.trusted);
    if (file !== undefined) return { mode: clientValidation.mode, file };
    return clientValidation.mode === "require" ? { mode: "closed" } : undefined;
  }
}

function refusalState(words: string): ItemState {
  const isBind = /bind\(\) to (\S+) failed \((\d+): ([^)]+)\)/.exec(words);
  return {
    type: "refused",
    ...(isBind ? { reason: "PortUnavailable" as const } : {}),
    message: `NGINX refuses it: ${words}`,
  };
}
