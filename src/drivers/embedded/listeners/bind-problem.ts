import { networkInterfaces } from "node:os";
import type { ItemState } from "../../driver.ts";

type Refused = Extract<ItemState, { type: "refused" }>;

export interface BindAttempt {
  readonly transport: "tcp" | "udp";
  readonly host: string;
  readonly port: number;
}

const codesOfAddress = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL", "ENOTFOUND", "EAI_AGAIN"]);

export function isAddressProblem(error: unknown): boolean {
  return codesOfAddress.has(codeOf(error));
}

export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}

/** Why a socket could not be opened, in words for whoever owns the Gateway: where, why, and what to do. */
export function explainBindError(error: unknown, attempt: BindAttempt): Refused {
  const { transport, host, port } = attempt;
  const where = `${transport.toUpperCase()} port ${port} on ${host}`;
  const code = codeOf(error);
  if (isAddressProblem(error)) {
    return {
      type: "refused",
      reason: "AddressNotUsable",
      message: `Address ${host} is not on this machine (${code}); it has ${ownAddresses().join(", ")}. Ask for one of these, or for none.`,
    };
  }
  const message = (() => {
    switch (code) {
      case "EADDRINUSE":
        return `${where} is in use by another program. Stop it (${findHolder(attempt)} shows which it is) or give the listener another port; until then it is tried again.`;
      case "EACCES":
      case "EPERM":
        return `${where} may not be opened by this user. Use a port from 1024 up, run with the capability CAP_NET_BIND_SERVICE, or let ports below 1024 be mapped.`;
      case "EMFILE":
      case "ENFILE":
        return `${where} could not be opened: too many open files. Raise the limit (ulimit -n).`;
      default:
        return `${where} could not be opened: ${error instanceof Error ? error.message : String(error)}`;
    }
  })();
  return { type: "refused", reason: "PortUnavailable", message };
}

function findHolder({ transport, port }: BindAttempt): string {
  return process.platform === "linux"
    ? `ss -lnp${transport === "tcp" ? "t" : "u"} 'sport = :${port}'`
    : process.platform === "win32"
      ? `netstat -ano | findstr :${port}`
      : `lsof -nP -i ${transport}:${port}`;
}

function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [...new Set(addresses.filter(({ scopeid }) => !scopeid).map(({ address }) => address))].slice(0, 8);
}
