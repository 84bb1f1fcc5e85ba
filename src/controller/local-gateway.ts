/** A gateway on one machine: objects from files, a driver beside us, the admin endpoint. What `gatewright run` starts. */
import type { Gate } from "../resources/index.ts";
import { fileSource, type Source } from "../sources/index.ts";
import type { ContourListenerPolicy, LayerSettings } from "../translate/index.ts";
import { adminPages, adminServer, type AdminServer } from "./admin/index.ts";
import { createController, type Controller, type ControllerEvents } from "./controller.ts";
import type { ChosenDriver, LocalDriverOptions } from "./chosen-driver.ts";
import { chooseDriver } from "./driver-list.ts";
import { followGateway, type SingleGateway } from "./single-gateway.ts";
import type { AdminAddress, DriverName } from "./names/index.ts";

export interface LocalGatewayOptions {
  /** Folders, files, or `-` for standard input. */
  readonly paths?: readonly string[];
  /** Instead of files. */
  readonly source?: Source;
  /** The objects are a cluster's: of what is not there somebody else may know, and classes with these names are ours. */
  readonly controllerNames?: readonly string[];
  readonly stdin?: NodeJS.ReadableStream;
  readonly driver: DriverName;
  readonly driverOptions?: LocalDriverOptions;
  /** Absent: no admin endpoint. */
  readonly admin?: AdminAddress & { readonly portsToTry?: number };
  readonly allowExternalNames?: boolean;
  readonly singleGateway?: SingleGateway;
  readonly listenerPolicy?: ContourListenerPolicy;
  /** Of Ingress and HTTPProxy. Absent: they are not served. */
  readonly layers?: LayerSettings;
  readonly gates?: readonly Gate[];
  /** Of single-Gateway mode: the Gateway is gone. */
  readonly lost?: (message: string) => void;
  readonly events?: ControllerEvents;
  /** Of the program, for the admin endpoint. */
  readonly version: string;
}

export interface LocalGateway {
  readonly controller: Controller;
  /** Where the admin endpoint listens, once started. */
  readonly admin: AdminAddress | undefined;
  /** Resolves when all that was there at first is in force, or refused. Rejects with an `EnvironmentError` if it can't run here. */
  start(): Promise<void>;
  /** How many clients are connected. */
  connections(): Promise<number>;
  /** Lets requests under way end. */
  stop(): Promise<void>;
}

export function localGateway(options: LocalGatewayOptions): LocalGateway {
  return new WiredGateway(options);
}

class WiredGateway implements LocalGateway {
  readonly controller: Controller;
  admin: AdminAddress | undefined;
  readonly #adminServer: AdminServer | undefined;
  readonly #chosen: ChosenDriver;
  readonly #options: LocalGatewayOptions;
  #isReady = false;

  constructor(options: LocalGatewayOptions) {
    const {
      paths = [],
      stdin,
      controllerNames,
      driver,
      driverOptions,
      allowExternalNames,
      events,
      version,
    } = options;
    const { singleGateway, listenerPolicy, layers, gates } = options;
    this.#options = options;
    const chosen = chooseDriver(driver, driverOptions);
    this.#chosen = chosen;
    const source = options.source ?? fileSource({ paths, ...(stdin && { stdin }) });
    this.controller = createController({
      source,
      driver: chosen.driver,
      settings: {
        ...(controllerNames && { controllerNames, implicitClasses: false, allowLoopbackEndpoints: false }),
        ...(allowExternalNames !== undefined && { allowExternalNames }),
        ...(singleGateway && { singleGateway }),
        ...(listenerPolicy && { listenerPolicy }),
        ...(layers && { layers }),
      },
      ...(gates && { gates }),
      ...(events && { events }),
    });
    this.#adminServer =
      options.admin &&
      adminServer({
        ...options.admin,
        software: `gatewright/${version}`,
        pages: adminPages({
          controller: this.controller,
          version,
          moreMetrics: () => chosen.metrics(),
          isReady: () => this.#isReady,
        }),
      });
  }

  async start(): Promise<void> {
    // First, because it fails at once where another Gatewright runs already.
    this.admin = await this.#adminServer?.start();
    try {
      await this.controller.start();
      const { singleGateway, lost } = this.#options;
      if (singleGateway) followGateway(this.controller, singleGateway, (message) => lost?.(message));
      this.#isReady = true;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  connections(): Promise<number> {
    return this.#chosen.connections();
  }

  async stop(): Promise<void> {
    this.#isReady = false;
    await this.controller.stop();
    if (this.admin) await this.#adminServer?.stop();
    this.admin = undefined;
  }
}
