import type { Listener } from "../model/index.ts";

/** Where listeners are bound on this machine: the rules are the same for all drivers that bind by themselves. */
export interface BindRules {
  /**
   * Where a listener is bound whose Gateway asks for no address. Default `127.0.0.1`: nothing is open to the network
   * unless somebody wants it. `::` is every address, of IPv4 too.
   */
  readonly address?: string;
  /**
   * `bind` (default): a Gateway's own addresses are addresses of this machine. `ignore`: they belong to something in
   * front of it, like a load balancer.
   */
  readonly listenerAddresses?: "bind" | "ignore";
  /**
   * Ports below 1024: `true` maps them to port + 8000 always, `false` never, and by default only where the system does not
   * let this process open them.
   */
  readonly mapPrivilegedPorts?: boolean;
}

export function wantedAddresses(listener: Listener, rules: BindRules): readonly string[] {
  const asked = rules.listenerAddresses === "ignore" ? [] : listener.addresses;
  return asked.length > 0 ? [...new Set(asked)] : [rules.address ?? "127.0.0.1"];
}

const isPrivileged = (port: number): boolean => port < 1024;

/** The port that is tried first, for a listener's own port. */
export function firstPort(port: number, rules: BindRules): number {
  return isPrivileged(port) && rules.mapPrivilegedPorts === true ? port + 8000 : port;
}

/**
 * The port to try after `tried`, or `undefined` if the listener has to wait for it. A stranger on the listener's own port is a
 * problem that its owner should hear of; on a port that was only a substitute, the next one is as good.
 */
export function nextPort(attempt: {
  readonly port: number;
  readonly tried: number;
  readonly rules: BindRules;
  readonly failure: "denied" | "taken";
  readonly heldByAnotherListener: boolean;
}): number | undefined {
  const { port, tried, rules, failure, heldByAnotherListener } = attempt;
  const isOwn = tried === port;
  if (failure === "denied") {
    return isOwn && isPrivileged(port) && rules.mapPrivilegedPorts !== false ? port + 8000 : undefined;
  }
  if (isOwn && !heldByAnotherListener) return undefined;
  const next = isOwn && isPrivileged(port) ? port + 8000 : tried + 1;
  return next <= 65535 ? next : undefined;
}
