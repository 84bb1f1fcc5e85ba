import type { ChannelCertificate } from "./authority.ts";

export interface RenewalOptions {
  issue(): Promise<ChannelCertificate>;
  /** Gets each certificate, the first one too. */
  use(certificate: ChannelCertificate): void | Promise<void>;
  /** Hears of what went wrong; it is tried again. */
  failed?(error: unknown): void;
}

/** setTimeout takes no more. */
const longestWait = 2 ** 31 - 1;
const retryWait = 10_000;

/** Keeps a certificate fresh: the next one is issued when half of the time is over, or earlier if it says so, so that there is never a gap. */
export class Renewal {
  readonly #options: RenewalOptions;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Resolves when the first certificate is in use, or it was stopped; rejects if there is none to be had. */
  async start(): Promise<void> {
    const certificate = await this.#options.issue();
    if (this.#isStopped) return;
    await this.#options.use(certificate);
    this.#scheduleAfter(certificate);
  }

  /** This one takes the place of the one in use. */
  async replace(certificate: ChannelCertificate): Promise<void> {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#options.use(certificate);
    this.#scheduleAfter(certificate);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #scheduleAfter({ notAfter, renewBy = notAfter }: ChannelCertificate): void {
    const now = Date.now();
    this.#schedule(Math.min((notAfter.getTime() - now) / 2, renewBy.getTime() - now));
  }

  #schedule(wait: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#renew(), Math.min(Math.max(wait, 0), longestWait));
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    const timer = this.#timer;
    try {
      const certificate = await this.#options.issue();
      // Another one may have taken the place of the one that was to be renewed.
      if (this.#isStopped || this.#timer !== timer) return;
      await this.#options.use(certificate);
      this.#scheduleAfter(certificate);
    } catch (error) {
      this.#options.failed?.(error);
      this.#schedule(retryWait);
    }
  }
}
