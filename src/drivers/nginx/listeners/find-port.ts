/*
 * Where a listener is bound on this machine, and what is said when it cannot be. The sockets are NGINX's; whether they can be had is tried here
 * first, because NGINX waits for seconds for a port that is taken.
 */
import dgram from "node:dgram";
import net from "node:net";
import type { Listener } from "../../../model/index.ts";
import { firstPort, wantedAddresses, type BindRules } from "../../bind-rules.ts";
import type { ItemState } from "../../driver.ts";

type Refused = Extract<ItemState, { type: "refused" }>;

export type BindVerdict =
  | { readonly type: "free"; readonly hosts: readonly string[]; readonly port: number }
  | { readonly type: "refused"; readonly state: Refused };

/** A port that can be had: the listener's own, or what stands in for it. `isOurs`: another listener has it here. */
export async function findPort(
  listener: Listener,
  rules: BindRules,
  isOurs: (port: number) => boolean,
): Promise<BindVerdict> {
  const hosts = wantedAddresses(listener, rules);
  const own = listener.bindPort ?? listener.port;
  const isPrivileged = own < 1024;
  let port = firstPort(own, rules);
  for (let attempt = 0; attempt < 100 && port <= 65535; attempt++) {
    const problem = isOurs(port)
      ? { host: hosts[0]!, code: "ours" }
      : await firstProblem(listener, hosts, port);
    if (!problem) return { type: "free", hosts, port };
    const isSubstitute = port !== own;
    if (problem.code === "EACCES" && isPrivileged && !isSubstitute && rules.mapPrivilegedPorts !== false) {
      port = own + 8000;
    } else if (problem.code === "ours" || (isSubstitute && problem.code === "EADDRINUSE")) {
      port = isPrivileged && !isSubstitute ? own + 8000 : port + 1;
    } else {
      return { type: "refused", state: explain(listener, problem, port) };
    }
  }
  return { type: "refused", state: explain(listener, { host: hosts[0]!, code: "EADDRINUSE" }, own) };
}

interface BindProblem {
  readonly host: string;
  readonly code: string;
}

async function firstProblem(
  { transport }: Listener,
  hosts: readonly string[],
  port: number,
): Promise<BindProblem | undefined> {
  for (const host of hosts) {
    const code = await (transport === "udp" ? tryUdp(host, port) : tryTcp(host, port));
    if (code !== undefined) return { host, code };
  }
  return undefined;
}

function tryTcp(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function tryUdp(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket(net.isIPv6(host) ? "udp6" : "udp4");
    socket.once("error", (error: NodeJS.ErrnoException) => {
      socket.close();
      resolve(error.code ?? error.message);
    });
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve(undefined)));
  });
}

const codesOfAddress = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL", "ENOTFOUND", "EAI_AGAIN"]);

function explain({ transport }: Listener, { host, code }: BindProblem, port: number): Refused {
  const where = `${transport.toUpperCase()} port ${port} on ${host}`;
  if (codesOfAddress.has(code)) {
    const message = `Address ${host} is not on this machine (${code}). Ask for one that it has, or for none.`;
    return { type: "refused", reason: "AddressNotUsable", message };
  }
  const why =
    code === "EADDRINUSE"
      ? `is in use by another program. Stop it (ss -lnp 'sport = :${port}' shows which it is) or give the listener another port; until then it is tried again.`
      : code === "EACCES"
        ? "may not be opened by this user. Use a port from 1024 up, or let ports below 1024 be mapped."
        : `could not be opened: ${code}`;
  return { type: "refused", reason: "PortUnavailable", message: `${where} ${why}` };
}
