import type { BoundAddress, ItemState } from "../../driver.ts";
import type { Listener } from "../../../model/index.ts";
import { newCounters, type ListenerCounters } from "../metrics.ts";
import { UdpSessions, type UdpSessionsOptions } from "../stream/udp-sessions.ts";
import { ListenerBinding, type ListenerBindingOptions } from "./listener-binding.ts";
import { openTcp, openUdp, type OpenSocket, type SocketTarget } from "./open-socket.ts";
import { TcpConnections, type TcpConnectionsOptions } from "./tcp-connections.ts";

export type OpenListenerOptions = Omit<ListenerBindingOptions, "openSocket"> &
  Omit<TcpConnectionsOptions, "counters"> & {
    /** The HTTP service's part of draining. */
    readonly drainHttp: (listener: string, grace: number) => Promise<void>;
  };

/** A listener of the model while it is wanted: its sockets, whoever is connected, and how it stands. */
export class OpenListener {
  readonly counters: ListenerCounters = newCounters();
  state: ItemState = { type: "pending", message: "not opened yet" };
  /** How often in a row it could not be opened. */
  failures = 0;
  readonly #options: OpenListenerOptions;
  readonly #binding: ListenerBinding;
  readonly #connections: TcpConnections;
  readonly #sessions = new Set<UdpSessions>();
  #listener: Listener;

  constructor(listener: Listener, options: OpenListenerOptions) {
    this.#listener = listener;
    this.#options = options;
    this.#connections = new TcpConnections({ ...options, counters: this.counters });
    this.#binding = new ListenerBinding(listener, {
      ...options,
      openSocket: (target) => (listener.transport === "udp" ? this.#openUdp(target) : this.#openTcp(target)),
    });
  }

  get listener(): Listener {
    return this.#listener;
  }

  get publicPort(): number {
    return this.#binding.publicPort;
  }

  get addresses(): readonly BoundAddress[] {
    return this.#binding.addresses;
  }

  /**
   * From now on connections are taken as this listener says. Those that were accepted by rules that do not hold any more
   * (another protocol, other client certificates) are drained: requests under way are answered, then the connection ends.
   * Resolves when that is over.
   */
  async change(listener: Listener): Promise<void> {
    const before = this.#listener;
    this.#listener = listener;
    const differs =
      before.protocol !== listener.protocol ||
      JSON.stringify(before.clientValidation) !== JSON.stringify(listener.clientValidation);
    if (!differs) return;
    this.#connections.endHandshakes();
    await this.#options.drainHttp(listener.key, this.#options.limits.grace);
  }

  /** Opens what is missing, closes what is not wanted. */
  async open(): Promise<ItemState> {
    this.state = await this.#binding.open(this.#listener);
    this.failures = this.state.type === "refused" ? this.failures + 1 : 0;
    return this.state;
  }

  routeChanged(): void {
    for (const sessions of this.#sessions) sessions.routeChanged();
  }

  endpointsChanged(backend: string): void {
    for (const sessions of this.#sessions) sessions.endpointsChanged(backend);
  }

  /** Takes nothing more. Resolves when everybody has gone, within the grace. */
  async close(grace: number): Promise<void> {
    this.#binding.close();
    await Promise.all([this.#connections.drain(grace), this.#options.drainHttp(this.#listener.key, grace)]);
  }

  #openTcp(target: SocketTarget): Promise<OpenSocket> {
    return openTcp(target, {
      maxConnections: this.#options.limits.connections,
      onConnection: (socket) => this.#connections.accept(socket, this.#listener),
      onDrop: () => void this.counters.refused++,
    });
  }

  #openUdp(target: SocketTarget): Promise<OpenSocket> {
    return openUdp(target, (socket) => {
      const { limits, backendOf, streamChoice } = this.#options;
      const options: UdpSessionsOptions = {
        socket,
        limits,
        counters: this.counters,
        backendOf,
        choice: () => streamChoice(this.#listener.key),
      };
      const sessions = new UdpSessions(options);
      this.#sessions.add(sessions);
      socket.on("message", (datagram, client) => sessions.receive(datagram, client));
      return () => {
        this.#sessions.delete(sessions);
        sessions.close();
      };
    });
  }
}
