import type { Controllers } from "../src/drivers/index.ts";

/** A data plane that writes down what it is asked to do, and fails where it is told to. */
export class RecordingDataPlane {
  /** `addListener shop/web/tcp/80`, in order; routes as `addRoute NAME on LISTENER`. */
  calls: string[] = [];
  /** The latest value of each name that is there, by interface. */
  readonly held = { listeners: new Map(), certificates: new Map(), backends: new Map(), routes: new Map() };
  /** The most calls that were under way at once. */
  overlap = 0;
  /** Calls that begin with one of these fail. */
  failing: string[] = [];
  failure: Error = new Error("out of order");
  #underWay = 0;

  readonly controllers: Controllers = {
    listeners: {
      addListener: (name, value) => this.#do(`addListener ${name}`, "listeners", name, value),
      updateListener: (name, value) => this.#do(`updateListener ${name}`, "listeners", name, value),
      removeListener: (name) => this.#do(`removeListener ${name}`, "listeners", name),
    },
    certificates: {
      addCertificate: (name, value) => this.#do(`addCertificate ${name}`, "certificates", name, value),
      removeCertificate: (name) => this.#do(`removeCertificate ${name}`, "certificates", name),
    },
    routes: {
      addRoute: (name, on, value) => this.#do(`addRoute ${name} on ${on}`, "routes", name, value),
      updateRoute: (name, on, value) => this.#do(`updateRoute ${name} on ${on}`, "routes", name, value),
      removeRoute: (name, on) => this.#do(`removeRoute ${name} on ${on}`, "routes", name),
    },
    backends: {
      addBackend: (name, endpoints) => this.#do(`addBackend ${name}`, "backends", name, endpoints),
      updateBackend: (name, endpoints) => this.#do(`updateBackend ${name}`, "backends", name, endpoints),
      removeBackend: (name) => this.#do(`removeBackend ${name}`, "backends", name),
    },
  };

  /** The calls since it was last asked. */
  takeCalls(): string[] {
    return this.calls.splice(0);
  }

  async #do(call: string, kind: keyof RecordingDataPlane["held"], name: string, value?: unknown) {
    this.calls.push(call);
    this.overlap = Math.max(this.overlap, ++this.#underWay);
    await new Promise((resolve) => setImmediate(resolve));
    this.#underWay--;
    if (this.failing.some((begin) => call.startsWith(begin))) throw this.failure;
    if (value === undefined) this.held[kind].delete(name);
    else this.held[kind].set(name, value);
  }
}
