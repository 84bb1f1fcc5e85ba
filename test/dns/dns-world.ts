// What names need of a cluster, in a stand-in for its API server: Gateways, their Services, DNSRecords; and an operator of names that works on it.

import { onTestFinished } from "vitest";
import type { KubernetesObject, ResourceType } from "../../src/kubernetes/index.ts";
import { DnsOperator, type DnsOperatorOptions } from "../../src/operator/dns/dns-operator.ts";
import {
  kubernetesDialect,
  openshiftDialect,
  type DnsDialect,
  type DnsSettings,
} from "../../src/operator/dns/dns-settings.ts";
import * as types from "../../src/operator/resource-types.ts";
import type { Condition } from "../../src/status/index.ts";
import { until, type ApiServer } from "../kubernetes/api-server.ts";
import { clientOf, startServer } from "../kubernetes/start.ts";
import { MemoryProvider } from "./memory-provider.ts";

export const controllerName = "example.com/gateways";
export const shipped = openshiftDialect("shipped");
export const proposal = openshiftDialect("proposal");

const newEvents: ResourceType = {
  group: "events.k8s.io",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
};

export const usualSettings: DnsSettings = {
  provider: "memory",
  providerSettings: {},
  baseDomain: "example.com",
  publishable: "in-domain",
  alwaysHasRecords: false,
  zones: [{ id: "private" }, { id: "public" }],
  namespaces: ["shop"],
  moreRecordNamespaces: [],
  ttl: 30,
};

export interface WorldOptions {
  readonly dialect?: DnsDialect;
  readonly settings?: Partial<DnsSettings>;
  readonly provider?: MemoryProvider;
}

export class DnsWorld {
  readonly server: ApiServer;
  readonly dialect: DnsDialect;
  readonly provider: MemoryProvider;
  readonly settings: DnsSettings;
  readonly written: string[] = [];
  readonly troubles: string[] = [];
  readonly faults: unknown[] = [];
  #operator: DnsOperator | undefined;

  private constructor(server: ApiServer, { dialect, settings, provider }: WorldOptions) {
    this.server = server;
    this.dialect = dialect ?? kubernetesDialect;
    this.settings = { ...usualSettings, ...settings };
    this.provider = provider ?? new MemoryProvider();
  }

  static async start(options: WorldOptions = {}): Promise<DnsWorld> {
    const { dialect = kubernetesDialect } = options;
    const { gatewayClasses, gateways, listenerSets, services, secrets, events, namespaces } = types;
    const served = [gatewayClasses, gateways, listenerSets, services, secrets, events, namespaces, newEvents];
    const server = await startServer([...served, dialect.records]);
    server.create(namespaces, { metadata: { name: "kube-system" } });
    server.create(gatewayClasses, { metadata: { name: "ours" }, spec: { controllerName } });
    server.create(gatewayClasses, {
      metadata: { name: "theirs" },
      spec: { controllerName: "example.com/others" },
    });
    return new DnsWorld(server, options);
  }

  /** One that runs until the test is over, or `kill`. */
  operate(options: Partial<DnsOperatorOptions> = {}): DnsOperator {
    const operator: DnsOperator = new DnsOperator({
      client: clientOf(this.server),
      controllerNames: [controllerName],
      dialect: this.dialect,
      canWrite: () => this.#operator === operator,
      written: (what) => this.written.push(what),
      trouble: (where, message) => {
        if (message !== undefined) this.troubles.push(`${where}: ${message}`);
      },
      fault: (error) => this.faults.push(error),
      loadProvider: this.provider.load,
      ...options,
    });
    this.#operator = operator;
    onTestFinished(() => this.stop(operator));
    operator.use(this.settings);
    return operator;
  }

  async stop(operator: DnsOperator): Promise<void> {
    if (this.#operator === operator) this.#operator = undefined;
    await operator.stop();
  }

  gateway(name: string, hostnames: readonly (string | undefined)[], namespace = "shop"): KubernetesObject {
    return this.server.create(types.gateways, {
      metadata: { name, namespace },
      spec: {
        gatewayClassName: "ours",
        listeners: hostnames.map((hostname, i) => ({
          name: `l${i}`,
          port: 80,
          protocol: "HTTP",
          ...(hostname !== undefined && { hostname }),
        })),
      },
      status: {
        conditions: [],
        listeners: hostnames.map((_hostname, i) => ({ name: `l${i}`, conditions: [] })),
      },
    });
  }

  /** The Gateway's load balancer, with what it has. */
  service(
    gateway: KubernetesObject,
    ingress: readonly object[] = [{ ip: "192.0.2.10" }],
    labels: Record<string, string> = {},
  ): KubernetesObject {
    const { name, namespace = "", uid = "" } = gateway.metadata;
    return this.server.create(types.services, {
      metadata: {
        name: `${name}-ours`,
        namespace,
        labels: { [this.dialect.gatewayLabel]: name, ...labels },
        ownerReferences: [{ apiVersion: "gateway.networking.k8s.io/v1", kind: "Gateway", name, uid }],
      },
      spec: { type: "LoadBalancer" },
      status: { loadBalancer: { ingress } },
    });
  }

  change(type: ResourceType, key: string, fields: Readonly<Record<string, unknown>>): KubernetesObject {
    const old = this.server.store(type).get(key);
    const isStatus = "status" in fields;
    return this.server.store(type).update({ ...old, ...fields }, isStatus);
  }

  hostnames(key: string, hostnames: readonly string[]): void {
    const { spec } = this.server.store(types.gateways).get(key);
    const listeners = hostnames.map((hostname, i) => ({
      name: `l${i}`,
      port: 80,
      protocol: "HTTP",
      hostname,
    }));
    this.change(types.gateways, key, { spec: { ...(spec as object), listeners } });
  }

  records(): readonly KubernetesObject[] {
    return [...this.server.store(this.dialect.records).objects.values()];
  }

  recordOf(dnsName: string): KubernetesObject | undefined {
    return this.records().find(({ spec }) => (spec as { dnsName: string }).dnsName === dnsName);
  }

  /** `private=True/ProviderSuccess`, of each zone. */
  published(record: KubernetesObject | undefined): readonly string[] {
    const status = (record?.["status"] ?? {}) as {
      zones?: { dnsZone: { id: string }; conditions: Condition[] }[];
    };
    return (status.zones ?? []).map(({ dnsZone, conditions }) => {
      const [found] = conditions;
      return `${dnsZone.id}=${found?.status}/${found?.reason}`;
    });
  }

  async untilPublished(dnsName: string): Promise<void> {
    const isThere = () => {
      const published = this.published(this.recordOf(dnsName));
      return published.length > 0 && published.every((one) => one.endsWith("=True/ProviderSuccess"));
    };
    await until(isThere, `${dnsName} is published`);
  }

  /** `DNSReady=True/AllListenersReady`, of the Gateway, or of its listener. */
  said(key: string, type: string, listener?: string): string | undefined {
    const found = this.condition(key, type, listener);
    return found && `${found.status}/${found.reason}`;
  }

  condition(key: string, type: string, listener?: string): Condition | undefined {
    const { conditions = [], listeners = [] } = (this.server.store(types.gateways).get(key)["status"] ??
      {}) as { conditions?: Condition[]; listeners?: { name: string; conditions: Condition[] }[] };
    const list =
      listener === undefined ? conditions : listeners.find(({ name }) => name === listener)?.conditions;
    return list?.find((one) => one.type === type);
  }

  /** Requests that change something, as `POST dnsrecords`. */
  writes(): readonly string[] {
    return this.server.requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path.split("/").slice(-2).join("/")}`);
  }
}

export { types };
