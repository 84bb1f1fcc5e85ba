/*
 * The provider by the settings and the Secret as they are now. It is made when it is needed and made anew when either has changed; the Secret's content never
 * leaves it, not even in what a provider says when it fails.
 */
import { deepEqual } from "../../incremental/index.ts";
import {
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectWatch,
} from "../../kubernetes/index.ts";
import { messageOf } from "../error-message.ts";
import { secrets } from "../resource-types.ts";
import { CallCounts, countedProvider } from "./counted-provider.ts";
import { publishes, type DnsSettings, type SecretName } from "./dns-settings.ts";
import { DnsError, type DnsProvider, type DnsProviderModule } from "./provider.ts";
import { loadProvider } from "./providers/index.ts";

export interface CurrentProviderOptions {
  readonly client: KubernetesClient;
  /** Another may do from now on what failed before. */
  readonly changed: () => void;
  readonly trouble: (where: string, message: string | undefined) => void;
  readonly load?: (name: string) => Promise<DnsProviderModule> | undefined;
}

/** Texts as short as this may stand in any message. */
const shortestSecret = 6;

export class CurrentProvider {
  readonly calls = new CallCounts();
  readonly #options: CurrentProviderOptions;
  #settings: DnsSettings | undefined;
  #watch: ObjectWatch | undefined;
  /** Resolves when it is known what the Secret says, or why that is not known. */
  #known: Promise<void> | undefined;
  #unreadable: string | undefined;
  #credentials: ReadonlyMap<string, string> | undefined;
  #made: Promise<DnsProvider> | undefined;

  constructor(options: CurrentProviderOptions) {
    this.#options = options;
  }

  use(settings: DnsSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    const isSame =
      before?.provider === settings.provider &&
      deepEqual(before.providerSettings, settings.providerSettings) &&
      deepEqual(before.credentials, settings.credentials);
    if (isSame) return;
    if (!deepEqual(before?.credentials, settings.credentials)) this.#follow(settings.credentials);
    this.#forget();
  }

  /** Rejects with a `DnsError` that says what is missing. */
  async get(): Promise<DnsProvider> {
    const settings = this.#settings;
    if (!settings) throw new DnsError("nothing is asked for yet");
    await this.#known;
    this.#made ??= this.#make(settings);
    return await this.#made;
  }

  /** What failed, in words for a status. */
  explain(error: unknown): string {
    let message = messageOf(error);
    for (const value of this.#credentials?.values() ?? []) {
      for (const text of [value, value.trim()])
        if (text.length >= shortestSecret) message = message.replaceAll(text, "…");
    }
    const secret = this.#settings?.credentials;
    return error instanceof DnsError && error.isDenied && secret
      ? `with the credentials of Secret ${secret.namespace}/${secret.name}: ${message}`
      : message;
  }

  async stop(): Promise<void> {
    this.#watch?.stop();
    await (await this.#made?.catch(() => undefined))?.stop();
    this.#made = undefined;
  }

  async #make({ provider, providerSettings, credentials }: DnsSettings): Promise<DnsProvider> {
    if (credentials && !this.#credentials) {
      const why = this.#unreadable === undefined ? "there is no such Secret" : this.#unreadable;
      throw new DnsError(why, { isDenied: true });
    }
    const { load = loadProvider } = this.#options;
    const module = await load(provider);
    if (!module) throw new DnsError(`there is no provider ${provider}`);
    const given = { credentials: this.#credentials ?? new Map<string, string>(), settings: providerSettings };
    return countedProvider(module.createProvider(given), this.calls);
  }

  #follow(secret: SecretName | undefined): void {
    this.#watch?.stop();
    this.#watch = undefined;
    this.#known = undefined;
    this.#unreadable = undefined;
    this.#credentials = undefined;
    if (!secret || (this.#settings && !publishes(this.#settings))) return;
    const see = (object: KubernetesObject | undefined) => {
      const credentials = object && decode(object);
      if (
        deepEqual([...(credentials ?? [])], [...(this.#credentials ?? [])]) &&
        Boolean(credentials) === Boolean(this.#credentials)
      )
        return;
      this.#credentials = credentials;
      this.#forget();
    };
    let markKnown: () => void = () => undefined;
    const troubled = new Promise<void>((resolve) => (markKnown = resolve));
    const watch = watchObjects(
      this.#options.client,
      { type: secrets, namespace: secret.namespace, fieldSelector: `metadata.name=${secret.name}` },
      {
        replaced: (objects) => see(objects[0]),
        changed: (events) => {
          const last = events.at(-1);
          see(last?.type === "set" ? last.object : undefined);
        },
        trouble: (found) => {
          this.#unreadable = found?.message;
          markKnown();
          // What was made without it is made again.
          if (!found && !this.#credentials) this.#forget();
          this.#options.trouble(`Secret ${secret.namespace}/${secret.name}`, found?.message);
        },
      },
    );
    this.#watch = watch;
    this.#known = Promise.race([watch.synced, troubled]);
  }

  #forget(): void {
    const before = this.#made;
    this.#made = undefined;
    void before?.then((provider) => provider.stop()).catch(() => undefined);
    this.#options.changed();
  }
}

function decode(secret: KubernetesObject): ReadonlyMap<string, string> {
  const data = Object.entries((secret["data"] ?? {}) as Record<string, string>);
  return new Map(data.map(([key, value]) => [key, Buffer.from(value, "base64").toString()]));
}
