/*
 * Where listeners are opened on this machine. A port below 1024 that we may not open becomes port + 8000, or the next that is
 * free among ours; so does a port that another Gateway has already. What a listener was once given it keeps.
 */
import { readFileSync } from "node:fs";
import type { Listener } from "../../model/index.ts";

export interface PortRules {
  /** Where a listener is opened whose Gateway asks for no address. */
  readonly address: string;
  /** `true` maps ports below 1024 always, `false` never; by default where the system does not let us open them. */
  readonly mapPrivilegedPorts?: boolean;
  /** `ignore`: addresses that Gateways ask for belong to something in front of this machine. */
  readonly listenerAddresses?: "bind" | "ignore";
  /** Hears of ports that were mapped. */
  readonly notify?: (notice: string) => void;
}

export class PortMapping {
  readonly #rules: PortRules;
  readonly #ports = new Map<string, { readonly listener: Listener; readonly port: number }>();
  readonly #firstFreePort: number;

  constructor(rules: PortRules) {
    this.#rules = rules;
    this.#firstFreePort = rules.mapPrivilegedPorts === undefined ? firstUnprivilegedPort() : 1024;
  }

  /** The listener with the port that it is opened at. */
  map(asked: Listener): Listener {
    const listener = this.#rules.listenerAddresses === "ignore" ? { ...asked, addresses: [] } : asked;
    if (listener.bindPort !== undefined) {
      this.#ports.set(listener.key, { listener, port: listener.bindPort });
      return listener;
    }
    const known = this.#ports.get(listener.key)?.port;
    const port = known ?? this.#choose(listener);
    this.#ports.set(listener.key, { listener, port });
    return port === listener.port ? listener : { ...listener, bindPort: port };
  }

  forget(key: string): void {
    this.#ports.delete(key);
  }

  /** Where clients reach it. */
  addressesOf(key: string): readonly { readonly address: string; readonly port: number }[] | undefined {
    const known = this.#ports.get(key);
    if (!known) return undefined;
    const { listener, port } = known;
    const addresses = listener.addresses.length > 0 ? listener.addresses : [this.#rules.address];
    return addresses.map((address) => ({ address, port }));
  }

  #choose(listener: Listener): number {
    const { port, gateway, key } = listener;
    const mayOpen = this.#rules.mapPrivilegedPorts === false || port >= this.#firstFreePort;
    let chosen = mayOpen ? port : port + 8000;
    while (this.#isTaken(listener, chosen))
      chosen = chosen === port && port < 1024 ? port + 8000 : chosen + 1;
    if (chosen !== port) {
      const why = mayOpen ? "another Gateway has that port here" : "ports below 1024 need privileges";
      this.#rules.notify?.(
        `Gateway ${gateway}: port ${port} (${key.split("/").at(-2)}) is opened as ${chosen}, because ${why}.`,
      );
    }
    return chosen;
  }

  #isTaken({ key, transport, addresses }: Listener, port: number): boolean {
    for (const [other, held] of this.#ports) {
      if (other === key || held.port !== port || held.listener.transport !== transport) continue;
      const theirs = held.listener.addresses;
      if (
        addresses.length === 0 ||
        theirs.length === 0 ||
        addresses.some((address) => theirs.includes(address))
      )
        return true;
    }
    return false;
  }
}

function firstUnprivilegedPort(): number {
  if (process.platform === "win32" || process.getuid?.() === 0) return 0;
  try {
    return Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
  } catch {
    return 1024;
  }
}
