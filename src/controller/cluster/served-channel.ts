/** The channel as a controller in a cluster serves it: with the authority that is kept there, and certificates that are renewed in time. */
import {
  channelServer,
  Renewal,
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
  #watch: ObjectWatch | undefined;
  #isOpen = false;

  constructor(options: ServedChannelOptions) {
    this.#options = options;
    const { listen, services, events } = options;
    this.#server = channelServer({
      ...listen,
      services,
      refused: (peer, why) => events.turnedAway(peer, why),
    });
    this.#renewal = new Renewal({
      issue: () => this.#current().issueServer(),
      use: async (certificate) => {
        if (this.#isOpen) this.#server.replaceCertificate(certificate);
        else await this.#server.start(certificate);
        this.#isOpen = true;
      },
      failed: (error) => events.failed(error),
    });
  }

  async start(): Promise<void> {
    const { client, namespace } = this.#options;
    this.#authority = await keptAuthority(client, namespace);
    if (!this.#isOpen) await this.#renewal.start();
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

  issueProxy(gateway: string): Promise<ChannelCertificate> {
    return this.#current().issueProxy(gateway);
  }

  issueController(name: string): Promise<ChannelCertificate> {
    return this.#current().issueController(name);
  }

  async stop(): Promise<void> {
    this.#renewal.stop();
    this.#watch?.stop();
    if (this.#isOpen) await this.#server.stop();
  }

  async #look(): Promise<void> {
    const { client, namespace, events } = this.#options;
    try {
      const secret = await client.get(secrets, authorityName, namespace);
      const found = secret ? await openKeptAuthority(secret) : await keptAuthority(client, namespace);
      const before = this.#current();
      if (found.keeping.certificate === before.keeping.certificate) return;
      this.#authority = found;
      this.#server.replaceCertificate(await found.issueServer());
      events.authorityReplaced();
    } catch (error) {
      events.failed(error);
    }
  }

  #current(): ChannelAuthority {
    if (!this.#authority) throw new Error("The channel has not been started.");
    return this.#authority;
  }
}
