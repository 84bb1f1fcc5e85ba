/** YAML in, a running embedded gateway out: source, translation and driver as `gatewright run` wires them, on free ports of 127.0.0.1. */
import { CORE_SCHEMA, loadAll } from "js-yaml";
import { onTestFinished } from "vitest";
import { createController, type Controller, type ControllerOptions } from "../../../src/controller/index.ts";
import type { Answer } from "../../../src/driver-kit/traffic/answer.ts";
import { requestHttp1, type ClientRequest } from "../../../src/driver-kit/traffic/http-client.ts";
import {
  embeddedDriver,
  type EmbeddedDriver,
  type EmbeddedOptions,
} from "../../../src/drivers/embedded/index.ts";
import type { BoundAddress } from "../../../src/drivers/index.ts";
import {
  formatPath,
  parseResource,
  resourceKey,
  type Resource,
  type ResourceKind,
} from "../../../src/resources/index.ts";
import { memorySource, type MemorySource, type Source } from "../../../src/sources/index.ts";

export interface GatewayOptions {
  readonly driver?: EmbeddedOptions;
  readonly settings?: ControllerOptions["settings"];
  readonly gates?: ControllerOptions["gates"];
  readonly events?: ControllerOptions["events"];
}

/** Stopped when the test is over. */
export async function startGateway(yaml: string, options: GatewayOptions = {}): Promise<GatewayUnderTest> {
  const source = memorySource(objectsIn(yaml));
  const gateway = new GatewayUnderTest(source, options);
  onTestFinished(() => gateway.controller.stop());
  await gateway.controller.start();
  return gateway;
}

/** The same with a source of the test's own. */
export async function startGatewayFrom(
  source: Source,
  options: GatewayOptions = {},
): Promise<Omit<GatewayUnderTest, "apply" | "delete">> {
  const gateway = new GatewayUnderTest(source as MemorySource, options);
  onTestFinished(() => gateway.controller.stop());
  await gateway.controller.start();
  return gateway;
}

export class GatewayUnderTest {
  readonly controller: Controller;
  readonly driver: EmbeddedDriver;
  readonly faults: unknown[] = [];
  readonly #source: MemorySource;

  constructor(source: MemorySource, { driver, settings, gates, events }: GatewayOptions) {
    this.#source = source;
    this.driver = embeddedDriver({
      bind: () => ({ host: "127.0.0.1", port: 0 }),
      ...driver,
      // Whoever is still connected at the end of a test is not waited for.
      limits: { grace: 300, ...driver?.limits },
    });
    this.controller = createController({
      source,
      driver: this.driver,
      ...(settings && { settings }),
      ...(gates && { gates }),
      events: { fault: (where, error) => void this.faults.push([where, error]), ...events },
    });
  }

  /** In one batch; resolves when it is in force. */
  async apply(yaml: string): Promise<void> {
    this.#source.batch((batch) => {
      for (const resource of objectsIn(yaml)) batch.set(resource);
    });
    await this.controller.settled();
  }

  async delete(kind: ResourceKind, key: string): Promise<void> {
    this.#source.delete(kind, key);
    await this.controller.settled();
  }

  /** Where clients reach a port of a Gateway; by default the first that is open. */
  at(port?: number, { gateway, transport }: { gateway?: string; transport?: "udp" } = {}): BoundAddress {
    const found = this.driver
      .describe()
      .listeners.find(
        (listener) =>
          (port === undefined || listener.port === port) &&
          (gateway === undefined || listener.gateway === gateway) &&
          (transport === undefined || listener.key.includes(`/${transport}/`)) &&
          listener.addresses.length > 0,
      );
    if (!found) throw new Error(`no open port ${port ?? ""}: ${JSON.stringify(this.driver.describe())}`);
    return found.addresses[0]!;
  }

  get(request: ClientRequest & { readonly port?: number; readonly gateway?: string }): Promise<Answer> {
    const { port, gateway, ...rest } = request;
    return requestHttp1(this.at(port, gateway === undefined ? {} : { gateway }), rest);
  }

  /** `namespace/name`, as the object would show it. */
  status(kind: ResourceKind, key: string): ObjectStatusView {
    const resource = this.controller.find(kind, key);
    if (!resource) throw new Error(`there is no ${kind} ${key}`);
    return (this.controller.statusOf(resource) ?? {}) as ObjectStatusView;
  }

  /** `Accepted: True/Accepted` of a condition: of the object, of a listener of it, or of its first parent or ancestor. */
  condition(kind: ResourceKind, key: string, type: string, listener?: string): string {
    const status = this.status(kind, key);
    const entry = status.parents?.[0] ?? status.ancestors?.[0] ?? status;
    const conditions = listener
      ? status.listeners?.find(({ name }) => name === listener)?.conditions
      : entry.conditions;
    const found = conditions?.find((condition) => condition.type === type);
    return found ? `${found.status}/${found.reason}` : "none";
  }

  message(kind: ResourceKind, key: string, type: string): string {
    const status = this.status(kind, key);
    const { conditions } = status.parents?.[0] ?? status.ancestors?.[0] ?? status;
    return conditions?.find((condition) => condition.type === type)?.message ?? "";
  }
}

interface ConditionView {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

interface EntryView {
  readonly conditions?: readonly ConditionView[];
  readonly parentRef?: { readonly name: string; readonly namespace?: string };
  readonly controllerName?: string;
}

interface ObjectStatusView extends EntryView {
  readonly listeners?: readonly {
    readonly name: string;
    readonly attachedRoutes: number;
    readonly conditions: readonly ConditionView[];
  }[];
  readonly parents?: readonly EntryView[];
  readonly ancestors?: readonly EntryView[];
  readonly addresses?: readonly { readonly type: string; readonly value: string }[];
  readonly attachedListenerSets?: number;
}

export function objectsIn(yaml: string): Resource[] {
  return loadAll(yaml, undefined, { schema: CORE_SCHEMA })
    .filter((document) => document !== null && document !== undefined)
    .map((document) => {
      const parsed = parseResource(document);
      if (parsed.outcome === "resource") return parsed.resource;
      const problems =
        parsed.outcome === "invalid"
          ? parsed.problems.map((one) => `${formatPath(one.path)}: ${one.message}`)
          : [];
      throw new Error(`${parsed.outcome}: ${problems.join("; ")}\n${JSON.stringify(document)}`);
    });
}

export const keyOf = (resource: Resource): string => `${resource.kind}/${resourceKey(resource)}`;
