/** A real Envoy whose control plane belongs to the test: it can be replaced while Envoy runs, and be given other resources. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  channelServer,
  makeAuthority,
  openAuthority,
  Renewal,
  type ChannelAuthority,
  type ChannelServer,
} from "../../src/channel/index.ts";
import {
  bootstrapFileNames,
  envoyControlPlane,
  envoyDriver,
  envoyFeatures,
  RenderedModel,
  renderBootstrapFiles,
  type EnvoyDriver,
} from "../../src/drivers/envoy/index.ts";
import type { RenderedChanges } from "../../src/drivers/envoy/driver.ts";
import type { ApplyReport, ItemState } from "../../src/drivers/index.ts";
import { writeCertificate } from "../../src/infrastructure/host/write-certificate.ts";
import { freePort } from "../../src/driver-kit/traffic/free-port.ts";

export const gateway = "kit/gateway";

export interface ControlPlane {
  readonly driver: EnvoyDriver;
  readonly reports: ApplyReport[];
  readonly states: Map<string, ItemState>;
  stop(): Promise<void>;
}

export class RealEnvoy {
  readonly folder = mkdtempSync(join(tmpdir(), "gatewright-test-envoy-"));
  readonly errors: string[] = [];
  readonly statusPort: number;
  readonly readinessPort: number;
  readonly #connectionAge: number | undefined;
  readonly #binary: string;
  readonly #port: number;
  readonly #authority: ChannelAuthority;
  readonly #ends: (() => unknown)[] = [];
  #process: ChildProcess | undefined;

  private constructor(
    binary: string,
    ports: readonly [number, number, number],
    authority: ChannelAuthority,
    connectionAge?: number,
  ) {
    this.#connectionAge = connectionAge;
    this.#binary = binary;
    [this.#port, this.statusPort, this.readinessPort] = ports;
    this.#authority = authority;
  }

  static async make(binary: string, options: { readonly leafLifetime?: number } = {}): Promise<RealEnvoy> {
    const { keeping } = await makeAuthority();
    const authority = await openAuthority(keeping, options);
    const age = options.leafLifetime === undefined ? undefined : options.leafLifetime / 3;
    return new RealEnvoy(binary, [await freePort(), await freePort(), await freePort()], authority, age);
  }

  get adminSocket(): string {
    return join(this.folder, "admin.sock");
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Its certificate is renewed as long as it runs. */
  async start(): Promise<void> {
    const { folder, adminSocket } = this;
    const certificates = join(folder, "certificates");
    const renewal = new Renewal({
      issue: () => this.#authority.issueProxy(gateway),
      use: (certificate) => writeCertificate(certificates, certificate),
    });
    await renewal.start();
    this.#ends.push(() => renewal.stop());
    const files = renderBootstrapFiles({
      channel: { host: "127.0.0.1", port: this.#port },
      folder,
      certificates,
      adminSocket,
      status: { address: "127.0.0.1", port: this.statusPort },
      readiness: { address: "127.0.0.1", port: this.readinessPort },
      node: { id: "real", cluster: "test" },
    });
    for (const [name, content] of files) writeFileSync(join(folder, name), content);
    const config = join(folder, bootstrapFileNames.bootstrap);
    const args = [
      "--config-path",
      config,
      "--concurrency",
      "2",
      "--disable-hot-restart",
      "--log-level",
      "warn",
    ];
    const child = spawn(this.#binary, args, { stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.errors.push(text));
    this.#process = child;
  }

  /** The way to the same channel, of a controller that has just started. `mend` may change what is rendered. */
  async control(
    mend: (changes: RenderedChanges) => RenderedChanges = (changes) => changes,
  ): Promise<ControlPlane> {
    const controlPlane = envoyControlPlane();
    const server: ChannelServer = channelServer({
      address: "127.0.0.1",
      port: this.#port,
      services: [controlPlane.service],
      limits: { grace: 20, ...(this.#connectionAge !== undefined && { connectionAge: this.#connectionAge }) },
    });
    const own = new Renewal({
      issue: () => this.#authority.issueServer(),
      use: async (certificate) => {
        if (isOpen) server.replaceCertificate(certificate);
        else await server.start(certificate);
        isOpen = true;
      },
    });
    let isOpen = false;
    await own.start();
    const model = new RenderedModel({
      addresses: ["127.0.0.1"],
      systemRoots: "/etc/ssl/certs/ca-certificates.crt",
    });
    const driver = envoyDriver({
      features: envoyFeatures,
      renderer: { apply: (changes) => mend(model.apply(changes)) },
      controlPlane,
      gateway,
      absence: 0,
    });
    const reports: ApplyReport[] = [];
    const states = new Map<string, ItemState>();
    await driver.start((told) => {
      reports.push(...told);
      for (const { kind, key, state } of told) states.set(`${kind} ${key}`, state);
    });
    let stopped: Promise<void> | undefined;
    const stop = () =>
      (stopped ??= (async () => {
        own.stop();
        await driver.stop();
        await server.stop();
      })());
    this.#ends.push(stop);
    return { driver, reports, states, stop };
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    }
    for (const end of this.#ends.splice(0).toReversed()) await end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
