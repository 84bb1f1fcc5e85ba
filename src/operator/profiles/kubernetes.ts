/** Any Kubernetes: the object Platform `cluster` says what is wanted, and how it is. It is made if there is none. */
import { deepEqual } from "../../incremental/index.ts";
import {
  KubernetesError,
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectWatch,
} from "../../kubernetes/index.ts";
import { gateNames, type PlatformSpec } from "../../resources/index.ts";
import { conditionsOf, mergeConditions } from "../conditions.ts";
import { kubernetesDialect, platformDns } from "../dns/dns-settings.ts";
import type { Health } from "../health.ts";
import type { ProfileWords } from "../profile-words.ts";
import type { Profile, ProfileHandler } from "../profile.ts";
import { platforms } from "../resource-types.ts";
import { isOnByDefault, type Maturity, type PlatformSettings } from "../settings.ts";

const name = "cluster";
const newPlatform: KubernetesObject = {
  apiVersion: "gatewright.dev/v1alpha1",
  kind: "Platform",
  metadata: { name },
  spec: {},
};

const words: ProfileWords = {
  policyName: "gatewright-gateway-api-crds",
  managedMessage:
    "The CRDs of the Gateway API are managed by Gatewright and may not be modified; see spec.crds of Platform cluster",
  adminRole: "gatewright:gateway-api:aggregate-to-admin",
  viewRole: "gatewright:gateway-api:aggregate-to-view",
  givesReferenceGrants: false,
  unexpectedMessage: (names) =>
    `CRDs of the Gateway API that do not belong here: ${names.join(", ")}. Delete them, or choose another channel in spec.crds of Platform cluster.`,
  incompatibleMessage: (names) =>
    `CRDs of the Gateway API that the next release could not take over: ${names.join(", ")}. Delete them or bring them to the expected version (gatewright crds diff).`,
  isAvailableWhenOff: false,
};

/** The admin gate of a release that does not manage the CRDs yet. */
const gate = "gateway-api-crd-management";
const gateMessage =
  "The next release takes over the CRDs of the Gateway API. See docs/crd-succession.md for what to check, then add this name to spec.acknowledgements of Platform cluster.";

export function kubernetesProfile(client: KubernetesClient, maturity: Maturity): Profile {
  return new KubernetesProfile(client, maturity);
}

class KubernetesProfile implements Profile {
  readonly words = words;
  readonly dnsDialect = kubernetesDialect;
  readonly #client: KubernetesClient;
  readonly #maturity: Maturity;
  #watch: ObjectWatch | undefined;
  #platform: KubernetesObject | undefined;

  constructor(client: KubernetesClient, maturity: Maturity) {
    this.#client = client;
    this.#maturity = maturity;
  }

  follow(handler: ProfileHandler): void {
    const see = (platform: KubernetesObject | undefined) => {
      this.#platform = platform;
      handler.changed(this.#settings());
    };
    this.#watch = watchObjects(
      this.#client,
      { type: platforms, fieldSelector: `metadata.name=${name}` },
      {
        replaced: (objects) => see(objects[0]),
        changed: (events) => {
          const last = events.at(-1);
          see(last?.type === "set" ? last.object : undefined);
        },
        trouble: (found) => handler.trouble("Platform cluster", found?.message),
      },
    );
  }

  async report(health: Health): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        this.#platform ??= await this.#client.create(platforms, newPlatform);
        const status = this.#statusOf(this.#platform, health);
        if (deepEqual(this.#platform["status"], status)) return;
        this.#platform = await this.#client.replaceStatus(platforms, { ...this.#platform, status });
        return;
      } catch (error) {
        const isStale = error instanceof KubernetesError && (error.status === 409 || error.isNotFound);
        if (!isStale || attempt > 3) throw error;
        this.#platform = await this.#client.get(platforms, name);
      }
    }
  }

  get subject() {
    const { apiVersion, kind } = newPlatform;
    return { apiVersion, kind, name, uid: this.#platform?.metadata.uid };
  }

  stop(): void {
    this.#watch?.stop();
  }

  #settings(): PlatformSettings {
    const { featureGates = {}, crds = {}, unsupportedConfigOverrides = {}, defaultClass, dns } = this.#spec();
    const isOn = (one: string, unless: boolean) =>
      Object.hasOwn(featureGates, one) ? featureGates[one] === true : unless;
    const managed = conditionsOf(this.#platform).find(({ type }) => type === "GatewayAPICRDsManaged");
    return {
      isOn: isOn("GatewayAPI", isOnByDefault(this.#maturity)),
      servesClasses: isOn("GatewayAPIController", true),
      withoutOlm: false,
      managementMode: isOn("GatewayAPIManagementMode", true) ? (crds.managementMode ?? "Managed") : "Managed",
      channel: crds.channel ?? "standard",
      gates: gateNames.filter((gate) => isOn(gate, false)),
      keepsCrds: unsupportedConfigOverrides.keepCRDs ?? false,
      defaultClass,
      dns: dns && platformDns(dns),
      wasUnmanaged: managed?.status === "False" && managed.reason === "Unmanaged",
    };
  }

  #spec(): PlatformSpec {
    return (this.#platform?.["spec"] ?? {}) as PlatformSpec;
  }

  #statusOf(platform: KubernetesObject, health: Health): object {
    const { conditions, crdConditions, unmanagedCrds, deadFields, versions } = health;
    const {
      unmanagedCRDs: _crds,
      deadFields: _fields,
      adminGates,
      ...foreign
    } = (platform["status"] ?? {}) as Record<string, unknown>;
    const { acknowledgements = [] } = this.#spec();
    const gates = health.needsConsent
      ? [{ name: gate, message: gateMessage, acknowledged: acknowledgements.includes(gate) }]
      : undefined;
    // A release that manages the CRDs leaves behind what was asked before it came.
    const shownGates = health.isConsentKnown ? gates : adminGates;
    return {
      ...foreign,
      conditions: mergeConditions(conditionsOf(platform), [...conditions, ...crdConditions], {
        now: new Date().toISOString(),
        generation: platform.metadata.generation,
      }),
      versions,
      ...(unmanagedCrds.length > 0 && { unmanagedCRDs: unmanagedCrds }),
      ...(deadFields.length > 0 && { deadFields }),
      ...(shownGates !== undefined && { adminGates: shownGates }),
    };
  }
}
