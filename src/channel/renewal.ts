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

/** Keeps a certificate fresh: the next one is issued when half of the time is over, so that there is never a gap. */
export class Renewal {
  readonly #options: RenewalOptions;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Resolves when the first certificate is in use, rejects if there is none to be had. */
  async start(): Promise<void> {
    const certificate = await this.#options.issue();
    await this.#options.use(certificate);
    this.#scheduleAfter(certificate);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #scheduleAfter({ notAfter }: ChannelCertificate): void {
    this.#schedule((notAfter.getTime() - Date.now()) / 2);
  }

  #schedule(wait: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#renew(), Math.min(Math.max(wait, 0), longestWait));
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    try {
      const certificate = await this.#options.issue();
      if (this.#isStopped) return;
      await this.#options.use(certificate);
      this.#scheduleAfter(certificate);
    } catch (error) {
      this.#options.failed?.(error);
      this.#schedule(retryWait);
    }
  }
}
