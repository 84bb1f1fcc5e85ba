import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  backendItem,
  endpointsItem,
  listenerItem,
  streamRouteItem,
  toBackend,
} from "../../../test/embedded-driver.ts";
import { modelChanges } from "../../../test/model-changes.ts";
import type { StreamRoute } from "../../model/index.ts";
import { driverFromControllers, type Controllers, type RouteConfiguration } from "./index.ts";

const listeners = [1, 2, 3].map((port) => listenerItem("tcp", { port }));
const backends = ["a", "b", "c"].map((name) => backendItem(name));

/** Insists that nothing refers to what is not there, and fails a call every now and then. */
class StrictDataPlane {
  readonly listeners = new Set<string>();
  readonly backends = new Map<string, unknown>();
  readonly routes = new Map<string, StreamRoute>();
  readonly violations: string[] = [];
  #fails: () => boolean;

  constructor(fails: () => boolean) {
    this.#fails = fails;
  }

  stopFailing(): void {
    this.#fails = () => false;
  }

  readonly controllers: Controllers = {
    certificates: { addCertificate: () => {}, removeCertificate: () => {} },
    listeners: {
      addListener: (name) => this.#do(!this.listeners.has(name), name, () => void this.listeners.add(name)),
      updateListener: (name) => this.#do(this.listeners.has(name), name, () => {}),
      removeListener: (name) =>
        this.#do(!this.#uses(({ listener }) => listener === name), name, () => this.listeners.delete(name)),
    },
    backends: {
      addBackend: (name, endpoints) =>
        this.#do(!this.backends.has(name), name, () => this.backends.set(name, endpoints)),
      updateBackend: (name, endpoints) =>
        this.#do(this.backends.has(name), name, () => this.backends.set(name, endpoints)),
      removeBackend: (name) =>
        this.#do(!this.#uses((route) => backendsOf(route).includes(name)), name, () =>
          this.backends.delete(name),
        ),
    },
    routes: {
      addRoute: (name, on, route) => this.#setRoute(!this.routes.has(name), name, on, route),
      updateRoute: (name, on, route) => this.#setRoute(this.routes.has(name), name, on, route),
      removeRoute: (name) => this.#do(this.routes.has(name), name, () => this.routes.delete(name)),
    },
  };

  #setRoute(isInOrder: boolean, name: string, on: string, route: RouteConfiguration): void {
    const stream = (route as Extract<RouteConfiguration, { type: "stream" }>).streamRoute;
    const isKnown = this.listeners.has(on) && backendsOf(stream).every((key) => this.backends.has(key));
    this.#do(isInOrder && isKnown, name, () => this.routes.set(name, stream));
  }

  #uses(test: (route: StreamRoute) => boolean): boolean {
    return [...this.routes.values()].some(test);
  }

  #do(isInOrder: boolean, name: string, work: () => unknown): void {
    if (!isInOrder) this.violations.push(name);
    if (this.#fails()) throw new Error("not now");
    work();
  }
}

function backendsOf({ backends: weighted }: StreamRoute): string[] {
  return weighted.map(({ target }) => (target.type === "backend" ? target.backend : ""));
}

const step = fc.record({
  listener: fc.constantFrom(...listeners),
  backend: fc.constantFrom(...backends),
  other: fc.constantFrom(...backends),
  port: fc.integer({ min: 1, max: 9 }),
  what: fc.constantFrom("listener", "backend", "endpoints", "route"),
  isRemoval: fc.boolean(),
});

describe("driverFromControllers", () => {
  it("5.7, 5.8: whatever changes and fails, references are always there, and in the end all that is wanted is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.infiniteStream(fc.boolean()),
        async (steps, luck) => {
          const plane = new StrictDataPlane(() => luck.next().value === true && luck.next().value === true);
          const driver = driverFromControllers(plane.controllers, { retryDelay: 60_000 });
          await driver.start(() => {});
          const wanted = { listeners: new Set<string>(), routes: new Set<string>() };
          for (const { listener, backend, other, port, what, isRemoval } of steps) {
            if (what === "listener") {
              wanted.listeners[isRemoval ? "delete" : "add"](listener.key);
              await driver.apply(modelChanges({ listeners: [isRemoval ? listener.key : listener] }));
            } else if (what === "backend") {
              await driver.apply(modelChanges({ backends: [isRemoval ? backend.key : backend] }));
            } else if (what === "endpoints") {
              const set = endpointsItem(backend, port);
              await driver.apply(modelChanges({ endpoints: [isRemoval ? set.key : set] }));
            } else {
              const route = streamRouteItem(listener, toBackend(backend), toBackend(other, port));
              wanted.routes[isRemoval ? "delete" : "add"](route.key);
              await driver.apply(modelChanges({ streamRoutes: [isRemoval ? route.key : route] }));
            }
          }
          plane.stopFailing();
          await driver.apply(modelChanges({ backends }));
          await driver.stop();
          expect(plane.violations).toEqual([]);
          expect(plane.listeners).toEqual(wanted.listeners);
          expect(new Set(plane.routes.keys())).toEqual(
            new Set(
              [...wanted.routes].filter((key) => wanted.listeners.has(key)).map((key) => `stream:${key}`),
            ),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
