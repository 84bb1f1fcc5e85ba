/** A replica's way to the one that leads: looks who that is, keeps a stream to it, and says there what it has to say. */
import type { ChannelStream } from "../../channel/index.ts";
import { encodeReports } from "./replica-protocol.ts";
import type { ReplicaReport } from "./replica-states.ts";

export interface LeaderLinkOptions {
  /** `address:port` of the leader's channel; undefined: not known, or it is us. */
  leader(): string | undefined;
  connect(address: string): Promise<ChannelStream>;
  /** Calls with all there is to say, and then with what changes. */
  follow(subscriber: (reports: readonly ReplicaReport[]) => void): () => void;
  /** Why the leader cannot be told; undefined: it can again. */
  trouble(message: string | undefined): void;
  /** Between two looks, ms. */
  readonly every?: number;
}

/** A leader that has only just taken over may not know it yet, and an old one may not know that it is none. */
const toBeTold = 3;

export class LeaderLink {
  readonly #options: LeaderLinkOptions;
  readonly #timer: NodeJS.Timeout;
  #link: { readonly address: string; end(): void } | undefined;
  #isConnecting = false;
  #failures = 0;
  #isStopped = false;

  constructor(options: LeaderLinkOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.every ?? 1_000).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#link?.end();
    this.#link = undefined;
  }

  async #look(): Promise<void> {
    const address = this.#options.leader();
    if (this.#link && this.#link.address !== address) {
      this.#link.end();
      this.#link = undefined;
    }
    if (address === undefined || this.#link || this.#isConnecting) return;
    this.#isConnecting = true;
    try {
      const stream = await this.#options.connect(address);
      if (this.#isStopped) stream.close("the controller stops");
      else this.#report(address, stream);
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isConnecting = false;
    }
  }

  #report(address: string, stream: ChannelStream): void {
    let isFirst = true;
    const unfollow = this.#options.follow((reports) => {
      for (const message of encodeReports(reports, isFirst)) stream.send(message);
      isFirst = false;
    });
    const link = {
      address,
      end() {
        unfollow();
        stream.close("another replica leads");
      },
    };
    this.#link = link;
    const believed = setTimeout(() => this.#succeed(), 2_000).unref();
    stream.listen({
      message: () => undefined,
      closed: (reason) => {
        clearTimeout(believed);
        unfollow();
        if (this.#link !== link) return;
        this.#link = undefined;
        this.#fail(reason);
      },
    });
  }

  #fail(message: string): void {
    if (!this.#isStopped && ++this.#failures === toBeTold) this.#options.trouble(message);
  }

  #succeed(): void {
    if (this.#failures >= toBeTold) this.#options.trouble(undefined);
    this.#failures = 0;
  }
}
