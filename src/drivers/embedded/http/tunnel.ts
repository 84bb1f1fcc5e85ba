/*
 * Copies bytes both ways between a client and a backend that have agreed on another protocol. Each side's end is passed on;
 * when both have ended, or one breaks, or nothing moves for too long, the tunnel is over.
 */
import type { Duplex } from "node:stream";

export interface TunnelSide {
  readonly stream: Duplex;
  /** Bytes that came with the handshake. */
  readonly first: Buffer;
}

export interface TunnelCounts {
  readonly bytesIn: number;
  readonly bytesOut: number;
}

export function joinTunnel(
  client: TunnelSide,
  backend: TunnelSide,
  { idleTimeout, onEnd }: { readonly idleTimeout: number; readonly onEnd: (counts: TunnelCounts) => void },
): { cancel(): void } {
  let bytesIn = 0;
  let bytesOut = 0;
  let isOver = false;
  const timer = setTimeout(end, idleTimeout);
  copy(client, backend.stream, (count) => (bytesIn += count));
  copy(backend, client.stream, (count) => (bytesOut += count));
  return { cancel: end };

  function copy(from: TunnelSide, to: Duplex, count: (bytes: number) => void): void {
    const source = from.stream;
    const pass = (chunk: Buffer): void => {
      timer.refresh();
      count(chunk.length);
      if (!to.write(chunk)) source.pause();
    };
    if (from.first.length > 0) pass(from.first);
    to.on("drain", () => source.resume());
    source.on("data", pass);
    source.on("end", () => to.end());
    source.on("error", end);
    source.on("close", () => {
      // A side that closed in good order may leave bytes behind which the other still has to take.
      if (source.readableEnded && source.writableFinished && to.writableEnded && !to.destroyed)
        finishWhenDone();
      else end();
    });
    source.resume();
  }

  function finishWhenDone(): void {
    if (client.stream.destroyed && backend.stream.destroyed) end();
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    client.stream.destroy();
    backend.stream.destroy();
    onEnd({ bytesIn, bytesOut });
  }
}
