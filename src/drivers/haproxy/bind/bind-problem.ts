import { networkInterfaces } from "node:os";
import type { ItemState } from "../../driver.ts";

type Refused = Extract<ItemState, { type: "refused" }>;

const codesOfAddress = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL", "ENOTFOUND", "EAI_AGAIN"]);

/** Why a socket could not be opened, in words for whoever owns the Gateway: where, why, and what to do. */
export function explainBindError(
  error: unknown,
  { transport, host, port }: { readonly transport: "tcp"; readonly host: string; readonly port: number },
): Refused {
  const where = `${transport.toUpperCase()} port ${port} on ${host}`;
  const code = String((error as NodeJS.ErrnoException | undefined)?.code ?? "");
  if (codesOfAddress.has(code)) {
    return {
      type: "refused",
      reason: "AddressNotUsable",
      message: `Address ${host} is not on this machine (${code}); it has ${ownAddresses().join(", ")}. Ask for one of these, or for none.`,
    };
  }
  return { type: "refused", reason: "PortUnavailable", message: portProblem(code, where, port, error) };
}

function portProblem(code: string, where: string, port: number, error: unknown): string {
  switch (code) {
    case "EADDRINUSE":
      return `${where} is in use by another program. Stop it (ss -lnpt 'sport = :${port}' shows which it is) or give the listener another port; until then it is tried again.`;
    case "EACCES":
    case "EPERM":
      return `${where} may not be opened by this user. Use a port from 1024 up, run with the capability CAP_NET_BIND_SERVICE, or let ports below 1024 be mapped.`;
    default:
      return `${where} could not be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [...new Set(addresses.filter(({ scopeid }) => !scopeid).map(({ address }) => address))].slice(0, 8);
}
