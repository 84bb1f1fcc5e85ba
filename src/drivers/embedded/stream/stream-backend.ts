import net from "node:net";
import tls from "node:tls";
import type { Endpoint } from "../../../model/index.ts";
import type { Rotation } from "../balance.ts";
import type { EmbeddedLimits } from "../limits.ts";
import { createTlsClient, type UpstreamTls } from "../upstream/index.ts";

export interface Dial {
  /** `plain`: bytes are passed on as they are, whatever the backend's TLS settings. */
  readonly mode: "plain" | "as the backend wants";
  readonly limits: Pick<EmbeddedLimits, "connect" | "connectAttempts">;
  readonly onConnected: (socket: net.Socket) => void;
  /** No endpoint, or none that could be reached. */
  readonly onFailed: () => void;
}

export interface Dialing {
  /** Nobody waits any more: no callback after this. */
  cancel(): void;
}

export interface StreamBackendOptions {
  readonly endpoints: Rotation<Endpoint>;
  readonly tls?: UpstreamTls;
}

/** A backend as TCP connections see it. */
export class StreamBackend {
  readonly endpoints: Rotation<Endpoint>;
  readonly #tls: tls.ConnectionOptions | "nobody is trusted" | undefined;

  constructor({ endpoints, tls: settings }: StreamBackendOptions) {
    this.endpoints = endpoints;
    // TLS that was asked for and cannot be had must never become plain text.
    this.#tls = settings && (createTlsClient(settings)?.options ?? "nobody is trusted");
  }

  /** Connects to the endpoint whose turn it is; if that fails, to the next ones. */
  dial({ mode, limits, onConnected, onFailed }: Dial): Dialing {
    const way = mode === "plain" ? undefined : this.#tls;
    const candidates = this.endpoints.next().slice(0, limits.connectAttempts);
    let current: net.Socket | undefined;
    let cancelled = false;
    const tryNext = (position: number): void => {
      const endpoint = candidates[position];
      if (!endpoint || way === "nobody is trusted") return onFailed();
      const socket = open(endpoint, way);
      current = socket;
      const timer = setTimeout(() => socket.destroy(), limits.connect);
      const onClose = (): void => {
        clearTimeout(timer);
        if (!cancelled) tryNext(position + 1);
      };
      socket.on("error", () => {});
      socket.once("close", onClose);
      socket.once(socket instanceof tls.TLSSocket ? "secureConnect" : "connect", () => {
        clearTimeout(timer);
        socket.off("close", onClose);
        if (!cancelled) onConnected(socket);
      });
    };
    tryNext(0);
    return {
      cancel: () => {
        cancelled = true;
        current?.destroy();
      },
    };
  }
}

function open({ address, port }: Endpoint, way: tls.ConnectionOptions | undefined): net.Socket {
  const target = { host: address, port, allowHalfOpen: true, noDelay: true, keepAlive: true };
  return way ? tls.connect({ ...way, ...target }) : net.connect(target);
}
