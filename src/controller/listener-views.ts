import type { Listener, RouteRule } from "../model/index.ts";
import { itemKey, type ItemState } from "../translate/index.ts";
import type { Controller } from "./controller.ts";

/** An open (or refused) port, with who is served there: for people. */
export interface ListenerView {
  /** Of the model's listener. */
  readonly key: string;
  readonly gateway: string;
  /** The port that the Gateway asks for. */
  readonly port: number;
  readonly protocol: Listener["protocol"];
  readonly state: ItemState | undefined;
  readonly sections: readonly SectionView[];
}

/** One listener of the API. */
export interface SectionView {
  /** `<Kind>/<namespace>/<name>/<section>` */
  readonly section: string;
  /** That routes serve, or the listener's own where there is no route. */
  readonly hostnames: readonly string[];
  readonly servesHttp: boolean;
  /** `HTTPRoute shop/cart` */
  readonly routes: readonly string[];
}

/** Who is served is gathered when somebody looks at it: with thousands of hosts that takes a while. */
export function viewListeners(controller: Controller): readonly ListenerView[] {
  const { model, itemStates } = controller;
  let sections: ReturnType<typeof collectSections> | undefined;
  const sectionsOf = (key: string) => {
    sections ??= collectSections(controller);
    return Array.from(sections.get(key) ?? [], ([section, view]) => ({
      section,
      hostnames: [...(view.hostnames.size > 0 ? view.hostnames : view.ownHostnames)],
      servesHttp: view.servesHttp,
      routes: [...view.routes],
    }));
  };
  const listeners = [...model.listeners.entries()].toSorted(
    ([, a], [, b]) => compareText(a.gateway, b.gateway) || a.port - b.port,
  );
  return listeners.map(([key, { gateway, port, protocol }]) => ({
    key,
    gateway,
    port,
    protocol,
    state: itemStates.get(itemKey("listeners", key)),
    get sections() {
      return sectionsOf(key);
    },
  }));
}

export interface ListenerChange {
  readonly opened: readonly ListenerView[];
  /** Keys of listeners that are no longer open. */
  readonly closed: readonly string[];
}

/** Hears of ports that were opened, moved or closed. Returns the way out. */
export function watchListeners(controller: Controller, hear: (change: ListenerChange) => void): () => void {
  const prefix = itemKey("listeners", "");
  return controller.itemStates.subscribe((changes) => {
    const opened = new Set<string>();
    const closed: string[] = [];
    for (const [item, { before, after }] of changes) {
      if (!item.startsWith(prefix)) continue;
      const key = item.slice(prefix.length);
      if (after?.type === "programmed") opened.add(key);
      else if (before?.type === "programmed") closed.push(key);
    }
    if (opened.size === 0 && closed.length === 0) return;
    const views = opened.size === 0 ? [] : viewListeners(controller).filter(({ key }) => opened.has(key));
    hear({ opened: views, closed });
  });
}

interface Collected {
  /** That routes serve. */
  readonly hostnames: Set<string>;
  /** Of the listener itself: only of interest while no route serves any. */
  readonly ownHostnames: Set<string>;
  readonly routes: Set<string>;
  servesHttp: boolean;
}

/** By listener, then by section. */
function collectSections(controller: Controller): ReadonlyMap<string, ReadonlyMap<string, Collected>> {
  const { model } = controller;
  const sections = new Map<string, Map<string, Collected>>();
  const sectionOf = (listener: string, section: string): Collected => {
    const ofListener = sections.get(listener) ?? new Map<string, Collected>();
    sections.set(listener, ofListener);
    const found = ofListener.get(section) ?? {
      hostnames: new Set(),
      ownHostnames: new Set(),
      routes: new Set(),
      servesHttp: false,
    };
    ofListener.set(section, found);
    return found;
  };
  for (const [, { listener, section, hostname, rules }] of model.virtualHosts.entries()) {
    const view = sectionOf(listener, section);
    (rules.length > 0 ? view.hostnames : view.ownHostnames).add(hostname);
    view.servesHttp = true;
    for (const { action } of rules) view.routes.add(nameRoute(action.route));
  }
  for (const [, { listener, section, hostname, action }] of model.serverNames.entries()) {
    const view = sectionOf(listener, section);
    const isServed = action.type !== "http" && action.route !== undefined;
    (isServed ? view.hostnames : view.ownHostnames).add(hostname);
    if (isServed) view.routes.add(nameRoute(action.route));
  }
  for (const [, { listener, section, route }] of model.streamRoutes.entries()) {
    sectionOf(listener, section).routes.add(nameRoute(route));
  }
  for (const [key, listener] of model.listeners.entries()) {
    if (sections.has(key)) continue;
    const section = sectionWithoutRoute(listener, controller);
    if (section !== undefined) sectionOf(key, section);
  }
  return sections;
}

/** Of a port of TCP or UDP that no route serves: the model knows no section of it, the Gateway does. */
function sectionWithoutRoute(
  { gateway, port, protocol }: Listener,
  controller: Controller,
): string | undefined {
  const owner = controller.find("Gateway", gateway);
  if (owner?.kind !== "Gateway") return undefined;
  const found = owner.spec.listeners.find(
    (one) => one.port === port && one.protocol.toLowerCase() === protocol,
  );
  return found && `Gateway/${gateway}/${found.name}`;
}

function nameRoute({ kind, namespace, name }: RouteRule): string {
  return `${kind} ${namespace}/${name}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
