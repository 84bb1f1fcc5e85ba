/** The channel as a controller in a cluster serves it: with the authority that is kept there, and certificates that are renewed in time. */
import {
  channelServer,
  Renewal,
  type AuthorityKeeping,
  type ChannelAuthority,
  type ChannelCertificate,
  type ChannelServer,
  type ChannelService,
  type ControllerService,
} from "../../channel/index.ts";
import { watchObjects, type KubernetesClient, type ObjectWatch } from "../../kubernetes/index.ts";
import type { AdminAddress } from "../names/index.ts";
import { authorityName, keptAuthority, openKeptAuthority } from "./kept-authority.ts";
import { secrets } from "./resource-types.ts";

export interface ServedChannelOptions {
  readonly client: KubernetesClient;
  /** Where the authority is kept. */
  readonly namespace: string;
  readonly listen: AdminAddress;
  readonly services: readonly (ChannelService | ControllerService)[];
  readonly events: ServedChannelEvents;
}

export interface ServedChannelEvents {
  turnedAway(peer: string, why: string): void;
  /** Proxies need new certificates: the authority is another one. */
  authorityReplaced(): void;
  failed(error: unknown): void;
}

export class ServedChannel {
  readonly #options: ServedChannelOptions;
  readonly #server: ChannelServer;
  readonly #renewal: Renewal;
  #authority: ChannelAuthority | undefined;
  #certificate: ChannelCertificate | undefined;
  #watch: ObjectWatch | undefined;
  #isOpen = false;
  #isStopped = false;

  constructor(options: ServedChannelOptions) {
    this.#options = options;
    const { listen, services, events } = options;
    this.#server = channelServer({
      ...listen,
      services,
      refused: (peer, why) => events.turnedAway(peer, why),
      failed: (peer, cause) =>
        events.failed(new Error(`A message of ${peer} could not be handled: ${String(cause)}`, { cause })),
    });
    this.#renewal = new Renewal({
      issue: () => this.#current().issueServer(),
      use: async (certificate) => {
        this.#certificate = certificate;
        if (this.#isOpen) this.#server.replaceCertificate(certificate);
        else await this.#open(certificate);
      },
      failed: (error) => events.failed(error),
    });
  }

  async start(): Promise<void> {
    const { client, namespace } = this.#options;
    this.#authority = await keptAuthority(client, namespace);
    if (!this.#isOpen) await this.#renewal.start();
    if (this.#isStopped) return;
    this.#watch = watchObjects(
      client,
      { type: secrets, namespace, fieldSelector: `metadata.name=${authorityName}` },
      {
        replaced: () => void this.#look(),
        changed: () => void this.#look(),
        trouble: () => undefined,
      },
    );
  }

  /** Those whose certificates are to be believed now. */
  get authorities(): string {
    return this.#current().authorities;
  }

  issueProxy(gateway: string): Promise<ChannelCertificate> {
    return this.#current().issueProxy(gateway);
  }

  issueController(name: string): Promise<ChannelCertificate> {
    return this.#current().issueController(name);
  }

  /** For good: a start that is under way opens nothing any more, or closes it again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#renewal.stop();
    this.#watch?.stop();
    if (this.#isOpen) await this.#server.stop();
  }

  async #open(certificate: ChannelCertificate): Promise<void> {
    await this.#server.start(certificate);
    this.#isOpen = true;
    if (this.#isStopped) await this.#server.stop();
  }

  async #look(): Promise<void> {
    const { client, namespace, events } = this.#options;
    try {
      const before = this.#current().keeping;
      const secret = await client.get(secrets, authorityName, namespace);
      const found = secret ? await openKeptAuthority(secret) : await keptAuthority(client, namespace, before);
      if (found.keeping.certificate === this.#current().keeping.certificate) return;
      this.#authority = found;
      await this.#renewal.replace(await this.#certificateAfter(before));
      events.authorityReplaced();
    } catch (error) {
      events.failed(error);
    }
  }

  /**
   * Proxies hear of a new authority when their volumes are refreshed, and until then believe the old one alone. Where that one's
   * certificates stay good, ours does too, to old and new proxies alike, until it is renewed.
   */
  async #certificateAfter({ certificate: old }: AuthorityKeeping): Promise<ChannelCertificate> {
    const authority = this.#current();
    const { authorities, renewBy } = authority;
    if (this.#certificate && authorities.includes(old)) return { ...this.#certificate, authorities, renewBy };
    return authority.issueServer();
  }

  #current(): ChannelAuthority {
    if (!this.#authority) throw new Error("The channel has not been started.");
    return this.#authority;
  }
}
