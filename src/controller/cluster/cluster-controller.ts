/*
 * The controller on Kubernetes: objects from the API server, a fleet of proxies per Gateway, the channel by which they are programmed. What
 * `gatewright controller` starts.
 *
 * Every replica reads, translates and serves the channel; the one that holds the Lease writes.
 */
import { hostname } from "node:os";
import { connectChannel } from "../../channel/index.ts";
import { driverByGateway, type Driver, type GatewayDrivers } from "../../drivers/index.ts";
import {
  kubernetesInfrastructure,
  openshiftNames,
  type KubernetesInfrastructure,
} from "../../infrastructure/index.ts";
import {
  eventRecorder,
  kubernetesClient,
  leaderElection,
  loadCredentials,
  watchObjects,
  type CredentialsOptions,
  type EventRecorder,
  type KubernetesClient,
  type LeaderElection,
} from "../../kubernetes/index.ts";
import { gates as knownGates, type Gate, type ResourceKind } from "../../resources/index.ts";
import { createOperator, type Operator } from "../../operator/index.ts";
import { kubernetesSource, type KubernetesSource } from "../../sources/index.ts";
import { adminPages, adminServer } from "../admin/index.ts";
import { createController, type Controller } from "../controller.ts";
import { envoyMetrics } from "../envoy-metrics.ts";
import { describeGates } from "../names/index.ts";
import { readObjects } from "../object-files.ts";
import { followGateway, kindsInMode } from "../single-gateway.ts";
import type { ClusterEvents, ClusterOptions } from "./cluster-options.ts";
import { FollowedCrdVersions } from "./crd-versions.ts";
import { DefaultMesh } from "./default-mesh.ts";
import { dnsMetrics } from "./dns-metrics.ts";
import { firstContact } from "./first-contact.ts";
import { FleetDrivers } from "./fleet-drivers.ts";
import { LeaderLink } from "./leader-link.ts";
import { operatorMetrics } from "./operator-metrics.ts";
import { readBundle } from "./read-bundle.ts";
import { replicaMethod } from "./replica-protocol.ts";
import { ReplicatedDriver } from "./replicated-driver.ts";
import { ServedChannel, type ServedChannelOptions } from "./served-channel.ts";
import { Settling } from "./settling.ts";

export interface ClusterController {
  readonly isLeader: boolean;
  /** Resolves when all that was there at first is translated. Rejects with an `EnvironmentError` if it can't run here. */
  start(): Promise<void>;
  /** Gives the Lease back. Proxies go on with what they have. */
  stop(): Promise<void>;
}

export function clusterController(options: ClusterOptions): ClusterController {
  return new WiredCluster(options);
}

const leaseName = "gatewright-controller";
const fieldManager = "gatewright";
/** What is under way may be finished for so long when we stop; then the API server is not waited for, ms. */
const lastMoment = 4_000;
/** On the Lease: where the leader's channel is. */
const channelAnnotation = "gatewright.dev/channel";

interface Parts {
  readonly client: KubernetesClient;
  readonly channel: ServedChannel;
  readonly controller: Controller;
  readonly drivers: FleetDrivers;
}

class WiredCluster implements ClusterController {
  readonly #options: ClusterOptions;
  readonly #events: ClusterEvents;
  readonly #pod = process.env["POD_NAME"] ?? hostname();
  readonly #identity = `${this.#pod}_${process.pid}`;
  /** What has been started, in that order. */
  readonly #parts: { stop(): Promise<unknown> }[] = [];
  readonly #clients: KubernetesClient[] = [];
  #election: LeaderElection | undefined;
  #source: KubernetesSource | undefined;
  #recorder: EventRecorder | undefined;
  #infrastructure: KubernetesInfrastructure | undefined;
  #replicated: ReplicatedDriver | undefined;
  #leader: LeaderLink | undefined;
  readonly #settling = new Settling(() => this.#source?.writeAllStatuses());
  #operator: Operator | undefined;
  #home: KubernetesClient | undefined;
  #controller: Controller | undefined;
  #defaultMesh: DefaultMesh | undefined;
  #gates: readonly Gate[];
  #writes = false;
  #hasBegunToLead = false;
  #isReady = false;
  #isStopped = false;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#events = options.events ?? {};
    this.#gates = options.gates ?? [];
  }

  /** A process that was stopped for a while may not have been told yet that another leads; its clock knows. */
  get isLeader(): boolean {
    return this.#hasBegunToLead && (this.#election?.isLeader ?? true);
  }

  async start(): Promise<void> {
    try {
      const client = await this.#connect();
      const drivers = new FleetDrivers((gateway, error) =>
        this.#events.fault?.(`driver of Gateway ${gateway}`, error),
      );
      this.#parts.push(drivers);
      const byGateway = this.#driverByGateway(drivers);
      const replicated = new ReplicatedDriver({ driver: byGateway, isLeader: () => this.isLeader });
      this.#replicated = replicated;
      const services = [...drivers.services, replicated.service];
      const channel = await this.#openChannel(this.#home ?? client, services);
      if (this.#isStopped) throw new Error("stopped");
      const controller = this.#createController(client, drivers, replicated);
      drivers.follow(controller, byGateway);
      await this.#openAdmin(controller, drivers);
      const serve = () => this.#serve({ client, channel, controller, drivers });
      if (this.#operator) {
        // The Lease comes first: until the operator has made what is to be read, there is nothing to serve.
        this.#operator.start();
        void this.#operator.served
          .then(serve)
          .catch((error: unknown) => this.#events.fault?.("controller", error));
      } else await serve();
      if (this.#isStopped) throw new Error("stopped");
      this.#elect(this.#home ?? client, channel, replicated);
      this.#isReady = true;
    } catch (error) {
      // What was begun after a stop is stopped too; that it failed is no news then.
      const wasStopped = this.#isStopped;
      await this.stop();
      if (!wasStopped) throw error;
    }
  }

  async #serve(parts: Parts): Promise<void> {
    if (this.#isStopped) return;
    this.#parts.push(parts.controller);
    // We may lead already; proxies come back only now.
    this.#settling.begin();
    await this.#followCrds(parts);
    if (this.#isStopped) return;
    await parts.controller.start();
    if (this.#isStopped) return;
    const { singleGateway } = this.#options;
    if (singleGateway)
      followGateway(parts.controller, singleGateway, (message) => this.#events.lost?.(message));
    this.#startInfrastructure(parts);
    this.#defaultMesh = new DefaultMesh({
      client: parts.client,
      controllerNames: this.#options.controllerNames,
      written: (what) => this.#events.written?.(what),
      trouble: (where, message) => this.#events.trouble?.(where, message),
    });
    this.#parts.push(this.#defaultMesh);
    if (this.#writes) this.#infrastructure?.leadershipChanged();
    this.#wantMesh();
  }

  async stop(): Promise<void> {
    this.#isReady = false;
    this.#isStopped = true;
    this.#settling.stop();
    this.#leader?.stop();
    // A server that does not answer would keep each part for as long as a request may take, one after the other.
    const tooLate = setTimeout(() => this.#clients.forEach((client) => void client.close()), lastMoment);
    await this.#election?.stop();
    this.#lead(false);
    for (const part of this.#parts.splice(0).toReversed()) await part.stop();
    clearTimeout(tooLate);
  }

  /** The cluster that is looked after; `#home` is set if it is not the one that we run in. */
  async #connect(): Promise<KubernetesClient> {
    const { kubeconfig, context, operator } = this.#options;
    const [controllerName] = this.#options.controllerNames;
    const bundle = operator && readBundle(operator);
    const manifests = operator?.meshManifests;
    const meshManifests = manifests === undefined ? undefined : await readObjects([manifests]);
    const own = await this.#connectTo({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
    });
    const guest = operator?.guestKubeconfig;
    const client = guest === undefined ? own : await this.#connectTo({ kubeconfig: guest });
    if (client !== own) this.#home = own;
    if (bundle) {
      this.#operator = createOperator({
        ...operator,
        client,
        bundle,
        meshManifests,
        isHosted: client !== own,
        ...(controllerName !== undefined && { controllerName }),
        controllerNames: this.#options.controllerNames,
        stillLeads: () => this.isLeader,
        version: this.#options.version,
        events: {
          written: (what) => this.#events.written?.(what),
          trouble: (where, message) => this.#events.trouble?.(where, message),
          fault: (error) => this.#events.fault?.("operator", error),
          mayWriteChanged: () => this.#writingChanged(),
          gatesChanged: (gates) => this.#setGates(gates),
        },
      });
      this.#parts.push(this.#operator);
    }
    return client;
  }

  async #connectTo(given: CredentialsOptions): Promise<KubernetesClient> {
    const credentials = await this.#reach(() => loadCredentials(given));
    const userAgent = `gatewright/${this.#options.version}`;
    const client = kubernetesClient({ credentials, userAgent, fieldManager });
    this.#clients.push(client);
    this.#parts.push({ stop: () => client.close() });
    return client;
  }

  async #openChannel(
    client: KubernetesClient,
    services: ServedChannelOptions["services"],
  ): Promise<ServedChannel> {
    const { namespace, channel } = this.#options;
    const served = new ServedChannel({
      client,
      namespace,
      listen: channel.listen,
      services,
      events: {
        turnedAway: (peer, why) => this.#events.turnedAway?.(peer, why),
        authorityReplaced: () => this.#infrastructure?.renewCertificates(),
        failed: (error) => this.#events.fault?.("channel", error),
      },
    });
    this.#parts.push(served);
    await this.#reach(() => served.start());
    return served;
  }

  #reach<T>(work: () => Promise<T>): Promise<T> {
    return firstContact(
      work,
      (trouble) => this.#events.trouble?.("API server", trouble),
      () => this.#isStopped,
    );
  }

  #driverByGateway(drivers: FleetDrivers): GatewayDrivers {
    const { driver } = this.#options;
    return driverByGateway({
      name: driver,
      features: drivers.featuresOf(driver),
      create: (gateway) => drivers.handle(gateway),
      fault: (gateway, error) => this.#events.fault?.(`driver of Gateway ${gateway}`, error),
    });
  }

  #createController(client: KubernetesClient, drivers: FleetDrivers, replicated: Driver): Controller {
    const { controllerNames, driver, watchNamespaces, allowExternalNames } = this.#options;
    const { singleGateway, listenerPolicy, layers } = this.#options;
    const canWrite = () => this.#writes && this.isLeader;
    const recorder = eventRecorder(client, {
      component: controllerNames[0] ?? fieldManager,
      instance: this.#identity,
      canWrite,
      trouble: (error) => this.#events.trouble?.("Events", error.message),
    });
    this.#recorder = recorder;
    this.#parts.push(recorder);
    const source = kubernetesSource({
      client,
      canWrite,
      recorder,
      silentKinds: unservedKinds(layers),
      postpone: (before, after) => this.#settling.postpones(before, after),
      fault: (error) => this.#events.fault?.("source", error),
      ...(watchNamespaces && { namespaces: watchNamespaces }),
      ...(singleGateway && { kinds: kindsInMode(singleGateway) }),
    });
    this.#source = source;
    this.#controller = createController({
      source,
      driver: replicated,
      settings: {
        controllerNames,
        defaultDriver: driver,
        drivers: drivers.features,
        infrastructure: true,
        mapPrivilegedPorts: true,
        implicitClasses: false,
        allowExternalNames,
        allowLoopbackEndpoints: false,
        ...(singleGateway && { singleGateway }),
        ...(listenerPolicy && { listenerPolicy }),
        ...(layers && { layers }),
      },
      gates: this.#gates,
      events: this.#events,
    });
    return this.#controller;
  }

  #startInfrastructure({ client, channel, controller, drivers }: Parts): void {
    const { controllerNames, images, networkPolicy, watchNamespaces, operator } = this.#options;
    const infrastructure = kubernetesInfrastructure({
      client,
      watch: (selection, handler) => watchObjects(client, selection, handler),
      fleets: controller.fleets,
      controllerNames,
      images,
      channel: this.#options.channel.host,
      isLeader: () => this.#writes && this.isLeader,
      report: (key, state) => controller.reportFleet(key, state),
      issueCertificate: (gateway) => channel.issueProxy(gateway),
      authorities: () => channel.authorities,
      note: (gateway, notes) => this.#note(controller, gateway, notes),
      podsEnding: (gateway, pods) => drivers.drain(gateway, pods),
      ...(operator?.profile === "openshift" && { names: openshiftNames(operator.compat) }),
      ...(networkPolicy !== undefined && { networkPolicy }),
      ...(watchNamespaces && { namespaces: watchNamespaces }),
    });
    this.#infrastructure = infrastructure;
    this.#parts.push(infrastructure);
    infrastructure.start();
  }

  /** What of `spec.infrastructure` is left out has no place in a status. */
  #note(controller: Controller, gateway: string, notes: readonly string[]): void {
    this.#events.note?.(gateway, notes);
    const found = controller.find("Gateway", gateway);
    if (!found) return;
    const { apiVersion, kind } = found;
    const { name, uid } = found.metadata;
    const [namespace] = gateway.split("/");
    for (const message of notes) {
      const object = { apiVersion, kind, name, namespace, uid };
      this.#recorder?.record({ object, type: "Warning", reason: "InfrastructureLeftOut", message });
    }
  }

  /** They are known before the first status is written. */
  async #followCrds({ client, controller }: Parts): Promise<void> {
    const crds = new FollowedCrdVersions(client, {
      changed: (versions) => controller.setCrdVersions(versions),
      trouble: (message) => this.#events.trouble?.("CustomResourceDefinitions", message),
    });
    this.#parts.push(crds);
    await crds.known;
  }

  async #openAdmin(controller: Controller, drivers: FleetDrivers): Promise<void> {
    const { admin, version } = this.#options;
    if (!admin) return;
    const operator = this.#operator;
    const pages = adminPages({
      controller,
      version,
      isReady: () => this.#isReady,
      moreMetrics: () => [
        ...envoyMetrics(Array.from(drivers.describeEnvoys(), ([gateway, fleet]) => [{ gateway }, fleet])),
        ...dnsMetrics(operator?.dnsCounts()),
        ...(operator ? operatorMetrics(operator.numbers) : []),
      ],
    });
    const server = adminServer({ ...admin, software: `gatewright/${version}`, pages });
    await server.start();
    this.#parts.push(server);
  }

  #elect(client: KubernetesClient, channel: ServedChannel, replicated: ReplicatedDriver): void {
    const { electsLeader, namespace } = this.#options;
    const { own } = this.#options.channel;
    if (!electsLeader) {
      this.#lead(true);
      return;
    }
    const election = leaderElection(
      client,
      {
        namespace,
        name: leaseName,
        identity: this.#identity,
        ...(own !== undefined && { annotations: { [channelAnnotation]: own } }),
      },
      {
        started: () => this.#lead(true),
        stopped: () => this.#lead(false),
        trouble: (error) => this.#events.trouble?.(`Lease ${namespace}/${leaseName}`, error?.message),
        fault: (error) => this.#events.fault?.("leader election", error),
      },
    );
    this.#election = election;
    this.#leader = new LeaderLink({
      // What a Pod restarts is another replica.
      leader: () =>
        election.holder === this.#identity ? undefined : election.holderAnnotation(channelAnnotation),
      connect: async (address) =>
        connectChannel({
          address,
          path: replicaMethod,
          certificate: await channel.issueController(controllerName(this.#pod)),
        }),
      follow: (subscriber) => replicated.follow(subscriber),
      trouble: (message) => this.#events.trouble?.("the leading replica", message),
    });
  }

  #lead(isLeader: boolean): void {
    if (this.#hasBegunToLead === isLeader) return;
    this.#hasBegunToLead = isLeader;
    this.#events.led?.(isLeader);
    this.#operator?.lead(isLeader);
    if (!isLeader) {
      this.#settling.stop();
      this.#replicated?.forgetOthers();
    } else this.#settling.begin();
    this.#writingChanged();
  }

  /** We write if we lead, and if the operator, where there is one, has nothing against it. */
  #writingChanged(): void {
    const writes = this.isLeader && (this.#operator?.mayWrite ?? true);
    if (this.#writes === writes) return;
    this.#writes = writes;
    this.#infrastructure?.leadershipChanged();
    if (writes) this.#source?.writeAllStatuses();
    this.#wantMesh();
  }

  #setGates(gates: readonly Gate[]): void {
    if (gates.length > 0 || this.#gates.length > 0) this.#events.trouble?.("gates", describeGates(gates));
    this.#gates = gates;
    this.#controller?.setGates(gates);
    this.#wantMesh();
  }

  #wantMesh(): void {
    this.#defaultMesh?.want(this.#writes && this.#gates.includes(knownGates.mesh));
  }
}

/** Kinds of other APIs that are read whether or not we serve them. */
function unservedKinds(layers: ClusterOptions["layers"]): readonly ResourceKind[] {
  return [
    ...(layers?.ingresses ? [] : (["Ingress", "IngressClass"] as const)),
    ...(layers?.httpProxies ? [] : (["HTTPProxy", "TLSCertificateDelegation"] as const)),
  ];
}

/** As it may stand in a certificate. Of several on one machine, which have no Pods, each has its own. */
function controllerName(pod: string): string {
  const name = `${pod}.${process.pid}`.toLowerCase().replace(/[^-.a-z0-9]/g, "-");
  return name.replace(/(^|[.])[-.]+|-+(?=[.])/g, "$1");
}
