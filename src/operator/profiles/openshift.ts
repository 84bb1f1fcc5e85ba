/**
 * OpenShift: the cluster's FeatureGate and the ingress operator's own configuration say what is wanted; how it is goes to ClusterOperator
 * `ingress`, and what an admin has to agree to into the ConfigMap of admin gates.
 */
import { deepEqual } from "../../incremental/index.ts";
import {
  KubernetesError,
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectWatch,
  type ResourceType,
} from "../../kubernetes/index.ts";
import { gateNames } from "../../resources/index.ts";
import { conditionsOf, mergeConditions } from "../conditions.ts";
import { openshiftDialect, type DnsDialect, type DnsSettings } from "../dns/dns-settings.ts";
import type { Health, RelatedObject } from "../health.ts";
import type { Compat } from "../profile-names.ts";
import type { ProfileWords } from "../profile-words.ts";
import type { Profile, ProfileHandler } from "../profile.ts";
import {
  clusterDnses,
  clusterInfrastructures,
  clusterOperators,
  configMaps,
  featureGates,
  ingressOperators,
} from "../resource-types.ts";
import type { Maturity, PlatformSettings } from "../settings.ts";
import { openshiftDns, operandNamespace } from "./openshift-dns.ts";
import { telemetryRules } from "../telemetry.ts";
import { isGateNamed, isGateOn } from "./openshift-feature-gate.ts";

const configName = "cluster";
const dnsSources = [clusterDnses, clusterInfrastructures];
const operatorName = "ingress";
const gates = { name: "admin-gates", namespace: "openshift-config-managed" };
const acknowledgements = { name: "admin-acks", namespace: "openshift-config" };
const openshiftGate = "ack-4.18-gateway-api-management-in-4.19";
const gateMessage =
  "Gateway API Custom Resource Definitions are already in this cluster, and the next release takes over their management. See docs/crd-succession.md for what to check before you agree.";

function wordsOf(compat: Compat): ProfileWords {
  return {
    policyName: "openshift-ingress-operator-gatewayapi-crd-admission",
    managedMessage:
      "Gateway API Custom Resource Definitions are managed by the Ingress Operator and may not be modified",
    adminRole: "system:openshift:gateway-api:aggregate-to-admin",
    viewRole: "system:openshift:gateway-api:aggregate-to-view",
    givesReferenceGrants: compat === "shipped",
    unexpectedMessage: (names) => `Unmanaged Gateway API CRDs found: ${names.join(",")}.`,
    incompatibleMessage: (names) =>
      `Incompatible Gateway API CRDs found: ${names.join(", ")}\nPlease see the release notes, and docs/crd-succession.md, for how to go on.`,
    isAvailableWhenOff: true,
  };
}

interface OpenshiftOptions {
  readonly client: KubernetesClient;
  readonly maturity: Maturity;
  readonly compat: Compat;
  readonly dnsNamespaces: readonly string[];
}

export function openshiftProfile(options: OpenshiftOptions): Profile {
  return new OpenshiftProfile(options);
}

interface Followed {
  readonly watch: ObjectWatch;
  object: KubernetesObject | undefined;
  isKnown: boolean;
  isServed: boolean;
}

class OpenshiftProfile implements Profile {
  readonly words: ProfileWords;
  readonly dnsDialect: DnsDialect;
  readonly telemetry = [telemetryRules];
  readonly #client: KubernetesClient;
  readonly #maturity: Maturity;
  readonly #dnsNamespaces: readonly string[];
  readonly #followed = new Map<ResourceType, Followed>();
  readonly #missing = new Set<ResourceType>();
  #handler: ProfileHandler | undefined;
  #operatorUid: string | undefined;

  constructor({ client, maturity, compat, dnsNamespaces }: OpenshiftOptions) {
    this.#client = client;
    this.#maturity = maturity;
    this.#dnsNamespaces = dnsNamespaces;
    this.words = wordsOf(compat);
    this.dnsDialect = openshiftDialect(compat);
  }

  follow(handler: ProfileHandler): void {
    this.#handler = handler;
    this.#follow(featureGates);
  }

  async report(health: Health): Promise<void> {
    await this.#reportOperator(health.needsConsent ? await this.#withConsent(health) : health);
    if (health.crdConditions.length > 0) await this.#reportManagement(health);
    if (health.isConsentKnown) await this.#demandConsent(health.needsConsent);
  }

  get subject() {
    const { group, version, kind } = clusterOperators;
    return { apiVersion: `${group}/${version}`, kind, name: operatorName, uid: this.#operatorUid };
  }

  stop(): void {
    for (const { watch } of this.#followed.values()) watch.stop();
    this.#followed.clear();
  }

  #follow(type: ResourceType): void {
    if (this.#followed.has(type)) return;
    const see = (object: KubernetesObject | undefined, isServed = true) => {
      followed.object = object;
      followed.isKnown = true;
      followed.isServed = isServed;
      this.#tell();
    };
    const watch = watchObjects(
      this.#client,
      { type, fieldSelector: `metadata.name=${configName}` },
      {
        replaced: (objects) => see(objects[0]),
        changed: (events) => {
          const last = events.at(-1);
          see(last?.type === "set" ? last.object : undefined);
        },
        trouble: (found) => {
          // An older platform does not have the kind: then nothing is asked for.
          if (found?.kind === "not-served" && type !== featureGates) see(undefined, false);
          else this.#handler?.trouble(`${type.kind} ${configName}`, found?.message);
        },
      },
    );
    const followed: Followed = { watch, object: undefined, isKnown: false, isServed: true };
    this.#followed.set(type, followed);
  }

  #tell(): void {
    const gate = this.#followed.get(featureGates);
    if (!gate?.isKnown) return;
    const isOn = isGateOn(gate.object, "GatewayAPI", this.#maturity);
    if (isOn) for (const type of [ingressOperators, ...dnsSources]) this.#follow(type);
    const config = this.#followed.get(ingressOperators);
    if (isOn && !config?.isKnown) return;
    this.#handler?.changed(this.#settings(isOn, gate.object, config?.object));
  }

  #settings(
    isOn: boolean,
    gate: KubernetesObject | undefined,
    config: KubernetesObject | undefined,
  ): PlatformSettings {
    const spec = (config?.["spec"] ?? {}) as {
      gatewayAPI?: { managementMode?: string };
      unsupportedConfigOverrides?: { gatewayAPI?: { keepCRDs?: boolean } } | null;
    };
    const hasMode = isGateOn(gate, "GatewayAPIManagementMode", "general");
    const managed = conditionsOf(config).find(({ type }) => type === "GatewayAPICRDsManaged");
    return {
      isOn,
      servesClasses: isGateOn(gate, "GatewayAPIController", "general"),
      withoutOlm: isGateNamed(gate, "GatewayAPIWithoutOLM"),
      managementMode: hasMode && spec.gatewayAPI?.managementMode === "Unmanaged" ? "Unmanaged" : "Managed",
      channel: "standard",
      gates: gateNames.filter((name) => isGateNamed(gate, name)),
      keepsCrds: spec.unsupportedConfigOverrides?.gatewayAPI?.keepCRDs === true,
      dns: this.#dns(),
      wasUnmanaged: managed?.status === "False" && managed.reason === "Unmanaged",
    };
  }

  /** Undefined: it is not known, or the platform does not say what it is. */
  #dns(): DnsSettings | undefined {
    const [dns, infrastructure] = dnsSources.map((type) => {
      const followed = this.#followed.get(type);
      const isMissing = followed?.isKnown === true && followed.isServed && !followed.object;
      this.#tellMissing(type, isMissing);
      return followed?.object;
    });
    return dns && infrastructure && openshiftDns(dns, infrastructure, this.#dnsNamespaces);
  }

  /** Every OpenShift has them: without, there are no names until there are. */
  #tellMissing(type: ResourceType, isMissing: boolean): void {
    if (this.#missing.has(type) === isMissing) return;
    if (isMissing) this.#missing.add(type);
    else this.#missing.delete(type);
    const message = isMissing ? "there is none, so no names are published" : undefined;
    this.#handler?.trouble(`${type.kind} ${configName}`, message);
  }

  async #reportOperator(health: Health): Promise<void> {
    const names = health.unmanagedCrds.join(",");
    await this.#updateStatus(clusterOperators, operatorName, (object) => ({
      ...(object["status"] as object | undefined),
      conditions: mergeConditions(conditionsOf(object), health.conditions, { now: new Date().toISOString() }),
      versions: health.versions,
      relatedObjects: relatedObjects(object, health.related),
      extension: names === "" ? null : { unmanagedGatewayAPICRDNames: names },
    }));
  }

  async #reportManagement({ crdConditions }: Health): Promise<void> {
    const followed = this.#followed.get(ingressOperators);
    if (!followed?.object) return;
    await this.#updateStatus(ingressOperators, configName, (object) => ({
      ...(object["status"] as object | undefined),
      conditions: mergeConditions(conditionsOf(object), crdConditions, { now: new Date().toISOString() }),
    }));
  }

  /** The platform itself blocks the upgrade until the admin agrees; we say what it waits for. */
  async #withConsent(health: Health): Promise<Health> {
    const found = await this.#client.get(configMaps, acknowledgements.name, acknowledgements.namespace);
    const data = (found?.["data"] ?? {}) as Record<string, string>;
    const isGiven = Object.hasOwn(data, openshiftGate) && data[openshiftGate] === "true";
    const message = isGiven
      ? `The admin has agreed by ${openshiftGate} that the CRDs are taken over.`
      : `The admin has not agreed yet that the CRDs are taken over: set ${openshiftGate} to "true" in ConfigMap ${acknowledgements.namespace}/${acknowledgements.name}.`;
    const conditions = health.conditions.map((one) =>
      one.type === "Upgradeable" && one.status === "True" ? { ...one, message } : one,
    );
    return { ...health, conditions };
  }

  /** Only our key; a text that was changed is put right. */
  async #demandConsent(isDemanded: boolean): Promise<void> {
    const found = await this.#client.get(configMaps, gates.name, gates.namespace);
    const data = (found?.["data"] ?? {}) as Record<string, string>;
    const standing = Object.hasOwn(data, openshiftGate) ? data[openshiftGate] : undefined;
    if (standing === (isDemanded ? gateMessage : undefined)) return;
    if (found) {
      await this.#client.patch(configMaps, gates.name, gates.namespace, {
        metadata: { resourceVersion: found.metadata.resourceVersion },
        data: { [openshiftGate]: isDemanded ? gateMessage : null },
      });
    } else {
      await this.#client.create(configMaps, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: gates,
        data: { [openshiftGate]: gateMessage },
      });
    }
  }

  async #updateStatus(
    type: ResourceType,
    name: string,
    statusOf: (object: KubernetesObject) => object,
  ): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const object = (await this.#client.get(type, name)) ?? (await this.#create(type, name));
      if (type === clusterOperators) this.#operatorUid = object.metadata.uid;
      const status = withoutNulls(statusOf(object));
      if (deepEqual(withoutNulls(object["status"] ?? {}), status)) return;
      try {
        await this.#client.replaceStatus(type, { ...object, status });
        return;
      } catch (error) {
        if (!(error instanceof KubernetesError && error.isConflict) || attempt > 3) throw error;
      }
    }
  }

  #create(type: ResourceType, name: string): Promise<KubernetesObject> {
    const apiVersion = `${type.group}/${type.version}`;
    return this.#client.create(type, { apiVersion, kind: type.kind, metadata: { name }, spec: {} });
  }
}

function withoutNulls(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** What somebody who looks into a problem will want to see, beside what others have put there. */
function relatedObjects(object: KubernetesObject, made: readonly RelatedObject[]): readonly RelatedObject[] {
  const { relatedObjects: standing = [] } = (object["status"] ?? {}) as { relatedObjects?: RelatedObject[] };
  const ours: readonly RelatedObject[] = [
    { group: "gateway.networking.k8s.io", resource: "gatewayclasses", name: "" },
    { group: "gateway.networking.k8s.io", resource: "gateways", namespace: operandNamespace, name: "" },
    ...made,
  ];
  const isThere = (one: RelatedObject) =>
    standing.some(({ group, resource }) => group === one.group && resource === one.resource);
  return [...standing, ...ours.filter((one) => !isThere(one))];
}
