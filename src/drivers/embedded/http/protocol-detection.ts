import type net from "node:net";

/**
 * Which HTTP a plain connection speaks, by its first bytes: HTTP/2 with prior knowledge begins with `PRI`, which is no
 * method of HTTP/1.1. The bytes are put back. Nothing within `timeout` ms: the connection is closed.
 */
export function detectProtocol(
  socket: net.Socket,
  timeout: number,
  detected: (protocol: "h2" | "http/1.1") => void,
): void {
  let first: Buffer | undefined;
  const timer = setTimeout(() => socket.destroy(), timeout);
  const onData = (bytes: Buffer): void => {
    first = first ? Buffer.concat([first, bytes]) : bytes;
    const protocol = protocolOf(first);
    if (!protocol) return;
    stop();
    // Node's HTTP/2 session reads what waits in the stream; its HTTP/1.1 server wants the stream to flow.
    if (protocol === "h2") socket.pause();
    socket.unshift(first);
    detected(protocol);
  };
  const onError = (): void => {
    socket.destroy();
  };
  const stop = (): void => {
    clearTimeout(timer);
    socket.removeListener("data", onData);
    socket.removeListener("error", onError);
    socket.removeListener("close", stop);
  };
  socket.on("error", onError);
  socket.on("close", stop);
  socket.on("data", onData);
}

const preface = [0x50, 0x52, 0x49];

function protocolOf(bytes: Buffer): "h2" | "http/1.1" | undefined {
  for (let index = 0; index < preface.length; index++) {
    if (index === bytes.length) return undefined;
    if (bytes[index] !== preface[index]) return "http/1.1";
  }
  return "h2";
}
