import { TLSSocket } from "node:tls";
import type { EmbeddedLimits } from "../limits.ts";
import { relay, type RelayEnd } from "./relay.ts";
import type { Dial, Dialing, StreamBackend } from "./stream-backend.ts";
import type { StreamChoice } from "./stream-choice.ts";

export interface Forwarding {
  readonly client: RelayEnd;
  /** Absent: nobody takes the connection. */
  readonly choice: StreamChoice | undefined;
  readonly mode: Dial["mode"];
  readonly limits: EmbeddedLimits;
  readonly backendOf: (key: string) => StreamBackend | undefined;
}

/**
 * Chooses a backend, connects to it and copies bytes. A backend that cannot be reached breaks the connection: another
 * one taking its share would make the weights untrue.
 */
export function forward({ client, choice, mode, limits, backendOf }: Forwarding): void {
  const target = choice?.next();
  const backend = target?.type === "backend" ? backendOf(target.backend) : undefined;
  if (!backend) return client.break();
  let dialing: Dialing | undefined;
  const onClientGone = (): void => dialing?.cancel();
  client.socket.once("close", onClientGone);
  dialing = backend.dial({
    mode,
    limits,
    onConnected(socket) {
      client.socket.off("close", onClientGone);
      relay(client, { socket, break: () => breakUpstream(socket) }, limits);
    },
    onFailed() {
      client.socket.off("close", onClientGone);
      client.break();
    },
  });
}

/** TLS has no reset of its own: what tells the backend is that there is no close_notify. */
function breakUpstream(socket: RelayEnd["socket"]): void {
  if (socket.destroyed) return;
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
