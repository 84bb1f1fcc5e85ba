import type { ChannelClient, ChannelService, ChannelStream } from "../../channel/index.ts";

/** How long a proxy may wait for its Gateway to be known at all, ms. */
const patience = 30_000;

/** Streams of proxies whose Gateway has nothing to tell them yet. Nothing is answered, and so they go on with what they have. */
export class HeldStreams {
  readonly #admitted = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** The service, for those who are admitted. */
  hold(service: ChannelService): ChannelService {
    return {
      path: service.path,
      open: (stream, client) => {
        if (this.#admitted.has(client.gateway)) service.open(stream, client);
        else this.#wait(service, stream, client);
      },
    };
  }

  admit(gateway: string): void {
    if (this.#admitted.has(gateway)) return;
    this.#admitted.add(gateway);
    for (const enter of this.#waiting.get(gateway) ?? []) enter();
    this.#waiting.delete(gateway);
  }

  stopAdmitting(gateway: string): void {
    this.#admitted.delete(gateway);
  }

  #wait(service: ChannelService, stream: ChannelStream, client: ChannelClient): void {
    const { gateway } = client;
    const others = this.#waiting.get(gateway) ?? new Set();
    const enter = () => {
      clearTimeout(timer);
      service.open(stream, client);
    };
    const timer = setTimeout(() => {
      others.delete(enter);
      if (others.size === 0 && this.#waiting.get(gateway) === others) this.#waiting.delete(gateway);
      stream.close(`Gateway ${gateway} is not served here`);
    }, patience).unref();
    this.#waiting.set(gateway, others.add(enter));
  }
}
