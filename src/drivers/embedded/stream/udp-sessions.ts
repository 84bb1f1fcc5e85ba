import dgram from "node:dgram";
import { lookup } from "node:dns";
import { isIP } from "node:net";
import type { Endpoint } from "../../../model/index.ts";
import type { EmbeddedLimits } from "../limits.ts";
import type { ListenerCounters } from "../metrics.ts";
import type { StreamBackend } from "./stream-backend.ts";
import type { StreamChoice } from "./stream-choice.ts";

/*
 * UDP by sessions. A session is a client (address and port) and the endpoint that was chosen at its first
 * datagram; it has a socket of its own towards the endpoint, connected, so that only the endpoint can answer. Answers go out
 * by the listener's socket.
 *
 * Sessions are kept in the order of their last use, oldest first. They end when idle, when their endpoint is removed,
 * and when the route no longer leads to their backend. A client whose share falls to nothing (an invalid
 * backend, or one without endpoints) has a session too, which swallows its datagrams: else its next
 * datagram would be another throw of the dice.
 *
 * At the limit a new client takes the place of the one that was silent longest, if that was for a second at least;
 * otherwise its datagram is dropped. So a flood of forged senders does not end the sessions of active clients.
 */

export interface UdpSessionsOptions {
  /** Where clients send to, and whence they are answered. */
  readonly socket: dgram.Socket;
  readonly limits: Pick<EmbeddedLimits, "udpIdle" | "udpSessions">;
  readonly counters: ListenerCounters;
  readonly choice: () => StreamChoice | undefined;
  readonly backendOf: (key: string) => StreamBackend | undefined;
}

interface Peer {
  readonly address: string;
  readonly port: number;
}

interface Session {
  readonly id: string;
  readonly client: Peer;
  readonly backend: string | undefined;
  /** Absent: datagrams are swallowed. */
  readonly endpoint: Endpoint | undefined;
  upstream: dgram.Socket | undefined;
  /** What arrived before the upstream socket was connected; absent from then on. */
  waiting: Buffer[] | undefined;
  used: number;
}

const mostWaiting = 16;
const evictable = 1000;
/** Bytes that may wait in a socket's send queue; beyond that datagrams are dropped, as a full buffer in the kernel would. */
const longestQueue = 4 * 1024 * 1024;

export class UdpSessions {
  readonly #options: UdpSessionsOptions;
  readonly #sessions = new Map<string, Session>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UdpSessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  receive(datagram: Buffer, { address, port }: Peer): void {
    const { counters } = this.#options;
    counters.datagramsIn++;
    counters.bytesIn += datagram.length;
    const id = `${address} ${port}`;
    const known = this.#sessions.get(id);
    if (known) this.#touch(known);
    const session = known ?? this.#open(id, { address, port });
    if (session?.waiting && session.endpoint && session.waiting.length < mostWaiting) {
      session.waiting.push(datagram);
    } else if (session?.upstream && !session.waiting) {
      send(session.upstream, datagram, counters);
    } else {
      counters.datagramsDropped++;
    }
  }

  /** The endpoints of a backend changed: sessions of those that are gone end. */
  endpointsChanged(backend: string): void {
    if (!this.#options.choice()?.includes(backend)) return;
    const present = new Set(this.#options.backendOf(backend)?.endpoints.values.map(nameOf));
    for (const session of this.#sessions.values()) {
      if (session.backend !== backend) continue;
      if (!session.endpoint || !present.has(nameOf(session.endpoint))) this.#end(session);
    }
  }

  /** The route changed or is gone: sessions that it would not lead to their backend end. */
  routeChanged(): void {
    const choice = this.#options.choice();
    for (const session of this.#sessions.values()) {
      if (session.backend === undefined || !choice?.includes(session.backend)) this.#end(session);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const session of this.#sessions.values()) this.#end(session);
  }

  #open(id: string, client: Peer): Session | undefined {
    const { choice, backendOf, limits, counters } = this.#options;
    const turns = choice();
    if (!turns || !this.#makeRoom()) return undefined;
    const target = turns.next();
    const backend = target?.type === "backend" ? target.backend : undefined;
    const endpoint = backend === undefined ? undefined : backendOf(backend)?.endpoints.nextOne();
    const session: Session = {
      id,
      client,
      backend,
      endpoint,
      upstream: undefined,
      waiting: [],
      used: performance.now(),
    };
    this.#sessions.set(id, session);
    counters.connections++;
    counters.active++;
    this.#timer ??= this.#schedule(limits.udpIdle);
    if (endpoint) this.#resolve(session, endpoint);
    return session;
  }

  #resolve(session: Session, { address, port }: Endpoint): void {
    const family = isIP(address);
    if (family !== 0) return this.#connect(session, { address, port }, family);
    lookup(address, (error, resolved, resolvedFamily) => {
      if (this.#sessions.get(session.id) !== session) return;
      if (error) this.#end(session);
      else this.#connect(session, { address: resolved, port }, resolvedFamily);
    });
  }

  #connect(session: Session, { address, port }: Peer, family: number): void {
    const { socket, counters } = this.#options;
    const upstream = dgram.createSocket(family === 6 ? "udp6" : "udp4");
    session.upstream = upstream;
    // A refusal (nobody listens there) ends the session, so that the client's next datagram finds another endpoint.
    upstream.on("error", () => this.#end(session));
    upstream.on("message", (datagram) => {
      this.#touch(session);
      counters.datagramsOut++;
      counters.bytesOut += datagram.length;
      send(socket, datagram, counters, session.client);
    });
    // Node hands a failure to the callback instead of emitting it, though its types do not say so.
    upstream.connect(port, address, (error?: Error) => {
      if (error) return this.#end(session);
      const waiting = session.waiting ?? [];
      session.waiting = undefined;
      for (const datagram of waiting) send(upstream, datagram, counters);
    });
  }

  #touch(session: Session): void {
    session.used = performance.now();
    if (this.#sessions.delete(session.id)) this.#sessions.set(session.id, session);
  }

  #end(session: Session): void {
    if (!this.#sessions.delete(session.id)) return;
    this.#options.counters.active--;
    session.upstream?.close();
    session.upstream = undefined;
  }

  #makeRoom(): boolean {
    if (this.#sessions.size < this.#options.limits.udpSessions) return true;
    const [oldest] = this.#sessions.values();
    if (!oldest || performance.now() - oldest.used < evictable) return false;
    this.#end(oldest);
    return true;
  }

  /** One timer for all: it wakes up when the oldest session would be idle for too long. */
  #schedule(delay: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), delay).unref();
  }

  #expire(): void {
    const { udpIdle } = this.#options.limits;
    this.#timer = undefined;
    for (const session of this.#sessions.values()) {
      const left = session.used + udpIdle - performance.now();
      if (left > 0) {
        this.#timer = this.#schedule(left);
        return;
      }
      this.#end(session);
    }
  }
}

function nameOf({ address, port }: Endpoint): string {
  return `${address} ${port}`;
}

function send(socket: dgram.Socket, datagram: Buffer, counters: ListenerCounters, to?: Peer): void {
  if (socket.getSendQueueSize() > longestQueue) return void counters.datagramsDropped++;
  // Errors (too long for the path, host unreachable) mean a lost datagram, which UDP allows.
  const onSent = (error: Error | null): void => {
    if (error) counters.datagramsDropped++;
  };
  if (to) socket.send(datagram, to.port, to.address, onSent);
  else socket.send(datagram, onSent);
}
