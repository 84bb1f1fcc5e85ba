/** The data planes that are compared: the same model, each on ports of its own. */
import tls from "node:tls";
import type { TestContext } from "vitest";
import { haproxyDriver } from "../../src/drivers/haproxy/index.ts";
import {
  nginxDriver,
  embeddedDriver,
  type ApplyReport,
  type Driver,
  type ItemState,
} from "../../src/drivers/index.ts";
import { hostedEnvoy } from "../../src/infrastructure/host/index.ts";
import { modelKinds, type ModelChanges, type ModelItems, type ModelKind } from "../../src/model/index.ts";
import { need } from "../components/need.ts";
import { freePort } from "../free-port.ts";
import { Client } from "./client.ts";
import { httpsPort, type GatewayPort } from "./random-objects.ts";

export type Model = { readonly [Kind in ModelKind]: ReadonlyMap<string, ModelItems[Kind]> };

export class Plane {
  readonly name: string;
  readonly driver: Driver;
  /** Of the model in force. */
  client: Client;
  readonly #states = new Map<string, ItemState>();
  readonly #ports: ReadonlyMap<GatewayPort, number>;
  #model: Model | undefined;

  constructor(name: string, driver: Driver, ports: ReadonlyMap<GatewayPort, number>) {
    this.name = name;
    this.driver = driver;
    this.#ports = ports;
    this.client = this.#newClient();
  }

  async start(): Promise<void> {
    await this.driver.start((reports: readonly ApplyReport[]) => {
      for (const { kind, key, state } of reports) this.#states.set(`${kind}|${key}`, state);
    });
  }

  /** From the model before to this one, in one call. Clients come anew: a connection may stay with the process that it was made to. */
  async apply(model: Model): Promise<void> {
    const changes = Object.fromEntries(
      modelKinds.map((kind) => [kind, this.#changesOf(kind, model)] as const),
    ) as unknown as ModelChanges;
    await this.driver.apply(changes);
    this.#model = model;
    this.client.close();
    this.client = this.#newClient();
  }

  #newClient(): Client {
    return new Client((port) => this.#ports.get(port)!);
  }

  /** What the proxy did not take. */
  get refusals(): readonly string[] {
    return [...this.#states]
      .filter(([, { type }]) => type !== "programmed")
      .map(([key, state]) => `${this.name}: ${key}: ${JSON.stringify(state)}`);
  }

  /** The common name that clients are shown. */
  certificateFor(servername: string): Promise<string> {
    return new Promise((resolve) => {
      const port = this.#ports.get(httpsPort)!;
      const socket = tls.connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      });
      socket.on("error", () => resolve("refused"));
    });
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.driver.stop();
  }

  #changesOf(kind: ModelKind, model: Model): Map<string, unknown> {
    const changes = new Map<string, unknown>();
    for (const key of this.#model?.[kind].keys() ?? []) {
      if (!model[kind].has(key)) changes.set(key, undefined);
    }
    for (const [key, item] of model[kind]) {
      changes.set(key, kind === "listeners" ? this.#bound(item as ModelItems["listeners"]) : item);
    }
    return changes;
  }

  #bound(listener: ModelItems["listeners"]): ModelItems["listeners"] {
    return { ...listener, bindPort: this.#ports.get(listener.port as GatewayPort)! };
  }
}

/** The embedded driver comes first: the others are compared with it. */
export async function createPlanes(context: TestContext, ports: readonly GatewayPort[]): Promise<Plane[]> {
  const binary = need(context, "envoy");
  need(context, "nginx");
  need(context, "haproxy");
  const grace = 500;
  const drivers: readonly (readonly [string, Driver])[] = [
    ["embedded", embeddedDriver({ limits: { grace } })],
    ["envoy", hostedEnvoy({ binary, concurrency: 1, grace })],
    ["nginx", nginxDriver({ grace, workers: 1 })],
    ["haproxy", haproxyDriver({ threads: 1, limits: { grace } })],
  ];
  const planes: Plane[] = [];
  for (const [name, driver] of drivers) {
    const bound = new Map<GatewayPort, number>();
    for (const port of ports) bound.set(port, await freePort());
    planes.push(new Plane(name, driver, bound));
  }
  return planes;
}
