import type { Socket } from "node:net";
import { ClientHelloReader, type ClientHello } from "./client-hello.ts";

export interface Peek {
  /** ms for the whole ClientHello, however often a byte of it arrives. */
  readonly timeout: number;
  /** The socket is paused, and all bytes are in it again. */
  readonly onHello: (hello: ClientHello) => void;
  /** Not TLS, too long, too slow, or gone. */
  readonly onFailure: (reason: string) => void;
}

export function peekClientHello(socket: Socket, { timeout, onHello, onFailure }: Peek): void {
  const reader = new ClientHelloReader();
  const timer = setTimeout(() => fail("no ClientHello in time"), timeout);

  const onData = (piece: Buffer): void => {
    const result = reader.push(piece);
    if (result.type === "more") return;
    leave();
    if (result.type === "invalid") return onFailure(result.reason);
    socket.pause();
    socket.unshift(reader.bytes);
    onHello(result.hello);
  };
  const fail = (reason: string): void => {
    leave();
    onFailure(reason);
  };
  const onEnd = (): void => fail("closed before a ClientHello");
  const leave = (): void => {
    clearTimeout(timer);
    socket.off("data", onData).off("end", onEnd).off("close", onEnd);
  };

  socket.on("data", onData).on("end", onEnd).on("close", onEnd);
}
