import type { Socket } from "node:net";

/*
 * Copies bytes both ways between two connections, with back-pressure.
 *
 * The end of one direction is passed on and leaves the other direction open. A connection that breaks
 * (reset, lost, destroyed before both directions ended) breaks its partner; one that closes in good order does not,
 * because its partner may still have bytes to deliver. No byte in either direction for `idle` ms ends both.
 */

export interface RelayEnd {
  readonly socket: Socket;
  /** Ends the connection in a way that tells the other side that bytes are missing. */
  break(): void;
}

export function relay(client: RelayEnd, upstream: RelayEnd, { idle }: { readonly idle: number }): void {
  const breakBoth = (): void => {
    client.break();
    upstream.break();
  };
  for (const [end, partner] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    const { socket } = end;
    socket.setTimeout(idle, breakBoth);
    socket.on("error", () => {});
    socket.once("close", () => {
      if (!endedWell(socket)) partner.break();
    });
  }
  // One of them may have gone while the other was being connected.
  if (client.socket.destroyed || upstream.socket.destroyed) return breakBoth();
  client.socket.pipe(upstream.socket);
  upstream.socket.pipe(client.socket);
}

function endedWell(socket: Socket): boolean {
  return socket.readableEnded && socket.writableFinished && socket.errored === null;
}
