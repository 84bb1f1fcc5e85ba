/*
 * The operator: what must exist around the proxies, under the same Lease as the controller.
 *
 * Rounds, one after the other: something has changed (what is asked for, a CRD, a policy, a role), or a former round has failed. A round
 * looks at everything, puts right what is not as it should be, and says how it is. It is right whatever was missed before, so there is nothing to
 * remember but how often it failed.
 *
 *   the gate is off         nothing is watched but the gate; a preview's release looks now and then whether the next one could come
 *   it goes on              the watches start, once
 *   it goes off again       the watches stay, rounds do nothing; others may write the CRDs
 *   unmanaged               first the controller stops writing, then others may write the CRDs, then nothing more is done to them
 */
import { eventRecorder, KubernetesError } from "../kubernetes/index.ts";
import type { EventRecorder, KubernetesClient, KubernetesObject } from "../kubernetes/index.ts";
import type { Gate } from "../resources/index.ts";
import { defaultClass } from "./classes/default-class.ts";
import type { CrdBundle } from "./crds/bundle.ts";
import { CrdManagement } from "./crds/crd-management.ts";
import { surveyCrds, type CrdSurvey } from "./crds/crd-survey.ts";
import { CrdWatch } from "./crds/crd-watch.ts";
import { deadFields } from "./crds/dead-fields.ts";
import { gatedBundle } from "./crds/gated-bundle.ts";
import { judgePreUpgrade } from "./crds/pre-upgrade.ts";
import { DnsOperator, type DnsCounts, type DnsOperatorOptions } from "./dns/dns-operator.ts";
import { messageOf } from "./error-message.ts";
import { healthWhenOff, healthWhenOn, type CrdStance, type Health } from "./health.ts";
import { FollowedObjects } from "./followed-objects.ts";
import { KeptObjects, type Failure } from "./kept-objects.ts";
import { MeshInstall, type MeshReport } from "./mesh/mesh-install.ts";
import type { MeshSettings } from "./mesh/mesh-settings.ts";
import type { OperatorNumbers } from "./numbers.ts";
import { readOwnIdentity } from "./own-identity.ts";
import type { Compat, ProfileName } from "./profile-names.ts";
import type { Profile } from "./profile.ts";
import { createProfile } from "./profiles/index.ts";
import { customResourceDefinitions, gatewayClasses, gateways } from "./resource-types.ts";
import { userRoles } from "./roles/user-roles.ts";
import { Rounds } from "./rounds.ts";
import type { Maturity, PlatformSettings } from "./settings.ts";
import { countGateways, type GatewayUsage } from "./telemetry.ts";

export interface OperatorOptions {
  /** Of the cluster that is looked after. */
  readonly client: KubernetesClient;
  readonly bundle: CrdBundle;
  readonly profile: ProfileName;
  readonly compat?: Compat;
  /** Of the release. */
  readonly maturity?: Maturity;
  /** Of a class that we make. */
  readonly controllerName?: string;
  /** Classes of ours are served by this mesh instead of our own controller. OpenShift only. */
  readonly mesh?: MeshSettings | undefined;
  /** The mesh's control plane, for an install without OLM. */
  readonly meshManifests?: readonly KubernetesObject[] | undefined;
  /** Whose Gateways have names: all of these are ours; absent: `controllerName`. */
  readonly controllerNames?: readonly string[];
  /** Where Gateways have names, beside where they always have. OpenShift only. */
  readonly dnsNamespaces?: readonly string[];
  /** Instead of the providers that there are. */
  readonly loadDnsProvider?: DnsOperatorOptions["loadProvider"];
  /** Whether we still lead, though nobody has told us otherwise. */
  readonly stillLeads?: () => boolean;
  /** We run elsewhere, so our token here is bound to no Pod. */
  readonly isHosted?: boolean;
  readonly version: string;
  /** Between two looks of a release that does not manage the CRDs yet, ms. */
  readonly checkEvery?: number;
  readonly events?: OperatorEvents;
}

/** All of them are optional and must not throw. */
export interface OperatorEvents {
  /** Something was put right. */
  written?(what: string): void;
  trouble?(where: string, message: string | undefined): void;
  fault?(error: unknown): void;
  /** Whether the controller may write has changed. */
  mayWriteChanged?(mayWrite: boolean): void;
  /** Those that are on; called at first, and when they change. */
  gatesChanged?(gates: readonly Gate[]): void;
}

export interface Operator {
  /** Resolves when the controller may start: the gate is on, and everything that it reads is served. Once. */
  readonly served: Promise<void>;
  /** Whether the controller may write, if it leads. */
  readonly mayWrite: boolean;
  readonly numbers: OperatorNumbers;
  start(): void;
  lead(isLeader: boolean): void;
  /** Undefined: there are no classes of ours. */
  dnsCounts(): DnsCounts | undefined;
  stop(): Promise<void>;
}

export function createOperator(options: OperatorOptions): Operator {
  return new PlatformOperator(options);
}

/** Rounds in a row that must fail before that is worth an alarm. */
const persistent = 3;

interface Parts {
  readonly crds: CrdWatch;
  readonly management: CrdManagement;
}

interface Found {
  readonly stance: CrdStance;
  readonly survey: CrdSurvey;
  readonly failures: readonly Failure[];
  readonly all: readonly KubernetesObject[];
  readonly mesh?: MeshReport | undefined;
}

class PlatformOperator implements Operator {
  readonly served: Promise<void>;
  mayWrite = false;
  readonly #options: OperatorOptions;
  readonly #events: OperatorEvents;
  readonly #maturity: Maturity;
  readonly #profile: Profile;
  readonly #kept: KeptObjects;
  readonly #rounds: Rounds;
  readonly #mesh: MeshInstall | undefined;
  readonly #dns: DnsOperator | undefined;
  #settings: PlatformSettings | undefined;
  #parts: Parts | undefined;
  #gates: readonly Gate[] = [];
  #hasToldGates = false;
  /** With the fields of the gates. */
  #bundle: CrdBundle;
  #isLeader = false;
  #keepsNames = false;
  #failedRounds = 0;
  #hasLetGo = false;
  #reported: Health | undefined;
  #failures = 0;
  #gateways: GatewayUsage | undefined;
  #hasOrphan = false;
  readonly #written = new Map<string, number>();
  readonly #telemetry: FollowedObjects;
  readonly #recorder: EventRecorder;
  #markServed: () => void = () => undefined;

  constructor(options: OperatorOptions) {
    this.#options = options;
    this.#bundle = options.bundle;
    this.#events = options.events ?? {};
    this.#maturity = options.maturity ?? "general";
    const { client, profile, compat = "proposal", dnsNamespaces = [] } = options;
    this.#profile = createProfile(profile, { client, maturity: this.#maturity, compat, dnsNamespaces });
    this.#rounds = new Rounds(
      () => this.#round(),
      (error) => this.#events.fault?.(error),
    );
    this.#kept = new KeptObjects(client, {
      canWrite: () => this.#isLeader,
      changed: () => this.#rounds.ask(),
    });
    this.#telemetry = new FollowedObjects(client, () => this.#rounds.ask());
    const { mesh, controllerName } = options;
    this.#recorder = eventRecorder(client, {
      component: controllerName ?? "gatewright",
      canWrite: () => this.#isLeader,
    });
    if (mesh && controllerName !== undefined) {
      this.#mesh = new MeshInstall({
        client,
        kept: this.#kept,
        compat,
        controllerName,
        settings: mesh,
        manifests: options.meshManifests,
        canWrite: () => this.#isLeader,
        changed: () => this.#rounds.ask(),
        written: this.#tellWritten,
      });
    }
    const { controllerNames = controllerName === undefined ? [] : [controllerName] } = options;
    if (controllerNames.length > 0) {
      this.#dns = new DnsOperator({
        client,
        controllerNames,
        dialect: this.#profile.dnsDialect,
        canWrite: () => this.#isLeader && this.#keepsNames && (options.stillLeads?.() ?? true),
        written: (what) => this.#events.written?.(what),
        trouble: (where, message) => this.#events.trouble?.(where, message),
        fault: (error) => this.#events.fault?.(error),
        loadProvider: options.loadDnsProvider,
      });
    }
    this.served = new Promise((resolve) => (this.#markServed = resolve));
  }

  get numbers(): OperatorNumbers {
    return {
      isLeader: this.#isLeader,
      conditions: this.#reported?.conditions ?? [],
      written: this.#written,
      failures: this.#failures,
      gateways: this.#gateways,
      ...(this.#mesh && { hasOrphan: this.#hasOrphan }),
    };
  }

  start(): void {
    this.#profile.follow({
      changed: (settings) => {
        this.#settings = settings;
        this.#setGates(settings.isOn ? settings.gates : []);
        // At once, before the round that follows comes to it.
        const serves = settings.isOn && settings.servesClasses;
        if (!serves || settings.managementMode === "Unmanaged") {
          this.#setMayWrite(false);
          this.#keepsNames = false;
        }
        this.#rounds.ask();
      },
      trouble: (where, message) => this.#events.trouble?.(where, message),
    });
  }

  lead(isLeader: boolean): void {
    this.#isLeader = isLeader;
    this.#hasLetGo = false;
    // Its own round follows with what is asked for.
    if (isLeader) this.#dns?.lookAtAll();
    this.#rounds.ask();
  }

  dnsCounts(): DnsCounts | undefined {
    return this.#dns?.counts();
  }

  async stop(): Promise<void> {
    // A round that is under way writes nothing more; one that waits for a watch need not wait any longer.
    this.#isLeader = false;
    this.#profile.stop();
    this.#parts?.crds.stop();
    this.#kept.stop();
    this.#telemetry.stop();
    await this.#mesh?.stop();
    await this.#recorder.stop();
    await this.#rounds.stop();
    await this.#dns?.stop();
  }

  /** Resolves to when the next must come at the latest, ms. */
  async #round(): Promise<number | undefined> {
    const settings = this.#settings;
    if (!settings) return undefined;
    if (!settings.isOn) return this.#roundWhenOff(settings);
    const { crds, management } = (this.#parts ??= this.#startParts());
    await crds.synced;
    const survey = surveyCrds(this.#bundle, settings.channel, crds.all());
    const stance = stanceOf(settings, survey);
    const isActive = stance === "managed" || stance === "kept";
    this.#setMayWrite(isActive && settings.servesClasses && !this.#mesh);
    const failures = this.#isLeader ? [...(await this.#act(stance, survey, management))] : [];
    const after = surveyCrds(this.#bundle, settings.channel, crds.all());
    const usable = settings.servesClasses && isUsable(stance, after, crds.all());
    if (usable && !this.#mesh) this.#markServed();
    this.#keepNames(isActive && usable, settings);
    if (!this.#isLeader) return undefined;
    if (usable) failures.push(...(await this.#makeClass(settings)));
    const mesh = usable ? await this.#mesh?.round({ crds, withoutOlm: settings.withoutOlm }) : undefined;
    failures.push(...(mesh?.failures ?? []));
    if (isActive) failures.push(...(await this.#keepTelemetry(usable)));
    this.#hasOrphan = mesh?.orphan !== undefined;
    this.#count(failures);
    await this.#report(this.#healthOf({ stance, survey: after, failures, all: crds.all(), mesh }));
    return failures.length > 0 ? Math.min(250 * 2 ** this.#failedRounds, 30_000) : undefined;
  }

  async #act(stance: CrdStance, survey: CrdSurvey, management: CrdManagement): Promise<readonly Failure[]> {
    const { words } = this.#profile;
    if (stance !== "managed") {
      if (!this.#hasLetGo) await management.letGo();
      this.#hasLetGo = true;
      return stance === "kept" ? this.#kept.keep(userRoles(words), this.#tellWritten) : [];
    }
    this.#hasLetGo = false;
    // Experimental ones are told of before they are put right: somebody relies on fields that go now.
    if (survey.mismatching.some(({ isExperimental }) => isExperimental)) {
      await this.#report(this.#healthOf({ stance, survey, failures: [], all: [] }));
    }
    const failures = await management.hold(survey);
    return [...failures, ...(await this.#kept.keep(userRoles(words), this.#tellWritten))];
  }

  #keepNames(keepsNames: boolean, { dns }: PlatformSettings): void {
    const isNew = keepsNames && !this.#keepsNames;
    this.#keepsNames = keepsNames;
    if (!keepsNames) return;
    this.#dns?.use(dns);
    if (isNew) this.#dns?.lookAtAll();
  }

  #makeClass({ defaultClass: wanted }: PlatformSettings): Promise<readonly Failure[]> {
    const { controllerName } = this.#options;
    if (!wanted || controllerName === undefined) return Promise.resolve([]);
    return this.#kept.keep([defaultClass(wanted, controllerName)], this.#tellWritten);
  }

  async #keepTelemetry(usable: boolean): Promise<readonly Failure[]> {
    const { telemetry } = this.#profile;
    if (!telemetry) return [];
    const { controllerName = "" } = this.#options;
    const classes = usable ? await this.#telemetry.find({ type: gatewayClasses }) : undefined;
    const all = usable ? await this.#telemetry.all({ type: gateways }) : [];
    this.#gateways = classes && countGateways(all, classes, controllerName);
    return this.#kept.keep(telemetry, this.#tellWritten);
  }

  async #report(health: Health): Promise<void> {
    this.#reported = health;
    await this.#profile.report(health);
  }

  readonly #tellWritten = (what: string): void => {
    const [kind = ""] = what.split(" ", 1);
    this.#written.set(kind, (this.#written.get(kind) ?? 0) + 1);
    this.#record("Normal", "Written", what);
    this.#events.written?.(what);
  };

  async #roundWhenOff(settings: PlatformSettings): Promise<number | undefined> {
    this.#setMayWrite(false);
    this.#keepsNames = false;
    if (!this.#isLeader) return undefined;
    const { client, bundle, checkEvery = 30_000 } = this.#options;
    if (!this.#hasLetGo) await this.#management(undefined).letGo();
    this.#hasLetGo = true;
    const isPreview = this.#maturity !== "general";
    const preUpgrade = isPreview
      ? judgePreUpgrade(bundle, settings.channel, (await client.list(customResourceDefinitions)).items)
      : undefined;
    await this.#report(healthWhenOff({ ...this.#facts(), preUpgrade }));
    return isPreview ? checkEvery : undefined;
  }

  #startParts(): Parts {
    const crds = new CrdWatch({
      client: this.#options.client,
      ...(this.#mesh && { others: this.#mesh.crdNames }),
      changed: () => this.#rounds.ask(),
      trouble: (message) => this.#events.trouble?.("CustomResourceDefinitions", message),
    });
    return { crds, management: this.#management(crds) };
  }

  #management(watch: CrdWatch | undefined): CrdManagement {
    const { client, bundle, isHosted = false } = this.#options;
    const identity = async () => {
      const own = await readOwnIdentity(client);
      return { ...own, isPodBound: own.isPodBound && !isHosted };
    };
    return new CrdManagement({
      client,
      bundle,
      watch,
      kept: this.#kept,
      words: this.#profile.words,
      identity: this.#maturity === "general" ? identity : undefined,
      canWrite: () => this.#isLeader,
      written: this.#tellWritten,
    });
  }

  #count(failures: readonly Failure[]): void {
    // Somebody else was faster: the next round sees what they wrote.
    const real = failures.filter(({ error }) => !(error instanceof KubernetesError && error.status === 409));
    this.#failures += real.length;
    this.#failedRounds = real.length > 0 ? this.#failedRounds + 1 : 0;
    for (const { what, error } of real) {
      this.#events.trouble?.(what, messageOf(error));
      this.#record("Warning", "Failed", `${what}: ${messageOf(error)}`);
    }
  }

  /** For people who look at the platform's own object. */
  #record(type: "Normal" | "Warning", reason: string, message: string): void {
    const { subject } = this.#profile;
    // An event on an object that is not known yet would be found by nobody.
    if (subject.uid !== undefined) this.#recorder.record({ object: subject, type, reason, message });
  }

  #healthOf({ stance, survey, failures, all, mesh }: Found): Health {
    const isPersistent = this.#failedRounds >= persistent;
    return healthWhenOn({
      ...this.#facts(),
      stance,
      survey,
      failures: isPersistent ? failures.map(({ what, error }) => `${what}: ${messageOf(error)}`) : [],
      servesClasses: this.#settings?.servesClasses ?? false,
      deadFields: stance === "managed" ? [] : deadFields(this.#bundle, all),
      gates: this.#gates,
      conflicts: mesh?.conflicts ?? [],
      warnings: mesh?.warnings ?? [],
      related: mesh?.related ?? [],
      orphan: mesh?.orphan,
      waitingFor: mesh?.waitingFor ?? [],
    });
  }

  #facts() {
    const { bundle, version } = this.#options;
    return {
      words: this.#profile.words,
      maturity: this.#maturity,
      versions: [
        { name: "gatewright", version },
        { name: "gateway-api", version: bundle.version },
      ],
    };
  }

  #setGates(gates: readonly Gate[]): void {
    const isSame = gates.join() === this.#gates.join();
    if (isSame && this.#hasToldGates) return;
    this.#hasToldGates = true;
    this.#gates = gates;
    this.#bundle = gatedBundle(this.#options.bundle, gates);
    this.#events.gatesChanged?.(gates);
  }

  #setMayWrite(mayWrite: boolean): void {
    if (this.mayWrite === mayWrite) return;
    this.mayWrite = mayWrite;
    this.#events.mayWriteChanged?.(mayWrite);
  }
}

export function stanceOf(settings: PlatformSettings, survey: CrdSurvey): CrdStance {
  if (settings.keepsCrds) return "kept";
  if (settings.managementMode === "Unmanaged") return "unmanaged";
  return settings.wasUnmanaged && survey.mismatching.length > 0 ? "held" : "managed";
}

/** Whether the controller has something to read. Somebody else's CRDs need not be all that we would have. */
function isUsable(stance: CrdStance, survey: CrdSurvey, all: readonly KubernetesObject[]): boolean {
  if (stance === "managed") return survey.isServed;
  return stance === "kept" && all.some(({ metadata }) => metadata.name.startsWith("gateways."));
}
