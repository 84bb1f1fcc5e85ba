import type { ChannelCertificate } from "../../channel/index.ts";
import { randomBytes } from "node:crypto";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import {
  authoritiesOf,
  haveSameContent,
  keepChannelSecret,
  renderChannelSecret,
  renewalTime,
  sessionKeyOf,
} from "./channel-secret.ts";
import type { FleetNames } from "./fleet-names.ts";
import type { WantedObject } from "./fleet-objects.ts";
import { failed, type Setback } from "./object-changes.ts";
import type { ObservedObjects } from "./observed-objects.ts";
import { belongsTo } from "./ownership.ts";
import { secrets } from "./resource-types.ts";
import { retryDelay } from "./retry-delay.ts";

export interface ChannelCertificatesOptions {
  readonly names: FleetNames;
  readonly observed: ObservedObjects;
  /** For the proxies of a Gateway, `<namespace>/<name>`. */
  readonly issueCertificate: (gateway: string) => Promise<ChannelCertificate>;
  /** Those that a certificate issued now would name. */
  readonly authorities: () => string;
  readonly random: () => number;
}

interface Failure extends Setback {
  readonly failures: number;
}

export interface WantedSecret extends WantedObject {
  /** ms since the epoch. */
  readonly renewAt: number;
}

/** Each fleet's Secret: the one that is there while it is good, else a new one. */
export class ChannelCertificates {
  readonly #options: ChannelCertificatesOptions;
  /** Issued but not yet seen in the cluster: a failed write does not mean another certificate. */
  readonly #issued = new Map<string, WantedObject["object"]>();
  readonly #failures = new Map<string, Failure>();

  constructor(options: ChannelCertificatesOptions) {
    this.#options = options;
  }

  async wanted(fleet: Fleet): Promise<WantedSecret | Setback> {
    const { names, observed } = this.#options;
    const found = observed.get(secrets, fleet.namespace, names.secretName(fleet));
    const live = found && belongsTo(found, fleet) ? found : undefined;
    const issued = this.#issued.get(fleet.key);
    if (live && issued && haveSameContent(live, issued)) this.#issued.delete(fleet.key);
    const good = [issued, live].find((secret) => secret && this.#isGood(secret));
    if (!good) return this.#issue(fleet, live);
    return { type: secrets, object: keepChannelSecret(fleet, names, good), renewAt: renewalTime(good) };
  }

  /** What is of a CA that is no more is not, however long it would last: nobody would let its proxies in. */
  #isGood(secret: KubernetesObject): boolean {
    return authoritiesOf(secret) === this.#options.authorities() && renewalTime(secret) > Date.now();
  }

  async #issue(fleet: Fleet, live: KubernetesObject | undefined): Promise<WantedSecret | Setback> {
    const { names, issueCertificate, random } = this.#options;
    const before = this.#failures.get(fleet.key);
    if (before && before.retryAt > Date.now()) return before;
    try {
      const issued = await issueCertificate(fleet.key);
      const sessionKey = (live && sessionKeyOf(live)) ?? randomBytes(32);
      const object = renderChannelSecret(fleet, names, issued, sessionKey);
      this.#issued.set(fleet.key, object);
      this.#failures.delete(fleet.key);
      return { type: secrets, object, renewAt: renewalTime(object) };
    } catch (error) {
      const failures = (before?.failures ?? 0) + 1;
      const trouble = failed(`Secret ${fleet.namespace}/${names.secretName(fleet)}`, error);
      const failure = { ...trouble, failures, retryAt: Date.now() + retryDelay(failures, random) };
      this.#failures.set(fleet.key, failure);
      return failure;
    }
  }

  forget(fleetKey: string): void {
    this.#issued.delete(fleetKey);
    this.#failures.delete(fleetKey);
  }
}
