import net from "node:net";
import tls from "node:tls";
import type { Backend, Endpoint } from "../../../model/index.ts";
import { Rotation } from "../balance.ts";
import type { EmbeddedLimits } from "../limits.ts";
import { BackendTlsContext } from "../tls/backend-tls.ts";
import type { CertificateTable } from "../tls/certificate-table.ts";

export interface Dial {
  /** `plain`: bytes are passed on as they are, whatever the backend's TLS settings. */
  readonly mode: "plain" | "as the backend wants";
  readonly limits: Pick<EmbeddedLimits, "connect" | "connectAttempts">;
  onConnected(socket: net.Socket): void;
  /** No endpoint, or none that could be reached. */
  onFailed(): void;
}

export interface Dialing {
  /** Nobody waits any more: no callback after this. */
  cancel(): void;
}

/** A backend as TCP connections see it. */
export class StreamBackend {
  readonly backend: Backend;
  readonly endpoints: Rotation<Endpoint>;
  readonly #tls: BackendTlsContext | undefined;

  constructor(backend: Backend, endpoints: Rotation<Endpoint>, certificates: CertificateTable) {
    this.backend = backend;
    this.endpoints = endpoints;
    this.#tls = backend.tls && new BackendTlsContext(backend.tls, certificates);
  }

  /** Connects to the endpoint whose turn it is; if that fails, to the next ones. */
  dial({ mode, limits, onConnected, onFailed }: Dial): Dialing {
    const candidates = this.endpoints.next().slice(0, limits.connectAttempts);
    let current: net.Socket | undefined;
    let cancelled = false;
    const tryNext = (position: number): void => {
      const endpoint = candidates[position];
      if (!endpoint) return onFailed();
      const socket = this.#open(endpoint, mode);
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

  #open({ address, port }: Endpoint, mode: Dial["mode"]): net.Socket {
    const target = { host: address, port, allowHalfOpen: true, noDelay: true, keepAlive: true };
    return mode === "plain" || !this.#tls
      ? net.connect(target)
      : tls.connect({ ...target, ...this.#tls.options });
  }
}
