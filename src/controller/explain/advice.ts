/** What might have been meant, where the way of a request ends. */
import { matchesHostname, type Listener } from "../../model/index.ts";
import { nearest, resourceKey, type Resource } from "../../resources/index.ts";
import type { StatusContent, Verdict } from "../../status/index.ts";
import { hintsFrom } from "../meant-objects.ts";
import { classControllers, whyNotOurs } from "../not-ours.ts";
import type { ExplainedState } from "./explained-state.ts";
import type { Step } from "./explanation.ts";
import { listWords } from "./object-words.ts";

const most = 8;

function advise(text: string, mark: "note" | "trouble" = "note"): Step {
  return { about: "advice", mark, text };
}

/** Which names there are, and the one that looks like what was asked for. */
export function hostsAdvice(asked: string | undefined, there: readonly string[], what: string): Step[] {
  const names = [...new Set(there)].toSorted();
  if (names.length === 0) return [advise(`no ${what} are served there at all`)];
  const meant = asked === undefined ? undefined : nearestHost(asked, names);
  return [
    ...(meant === undefined ? [] : [advise(`did you mean ${meant}?`)]),
    advise(`${what} that are served there: ${listWords(names, most)}`),
  ];
}

/** A domain in common makes no likeness: what stands before it must be alike. */
function nearestHost(asked: string, names: readonly string[]): string | undefined {
  return nearest(
    asked,
    names.filter((name) => {
      const one = asked.split(".");
      const other = name.split(".");
      while (one.length > 1 && other.length > 1 && one.at(-1) === other.at(-1)) {
        one.pop();
        other.pop();
      }
      return nearest(one.join("."), [other.join(".")]) !== undefined;
    }),
  );
}

/** The host has rules, but on another port. One that takes any host says nothing about this one. */
export function otherPorts(host: string, listener: Listener, { model }: ExplainedState): Step[] {
  const found = new Set<string>();
  for (const [, virtualHost] of model.virtualHosts.entries()) {
    if (virtualHost.listener === listener.key || virtualHost.rules.length === 0) continue;
    if (virtualHost.hostname === "*") continue;
    if (!matchesHostname(virtualHost.hostname, host)) continue;
    const other = model.listeners.get(virtualHost.listener);
    if (!other) continue;
    const scheme = other.protocol === "tls" ? "https" : "http";
    found.add(`${scheme} port ${other.port} (Gateway ${other.gateway})`);
  }
  return found.size === 0 ? [] : [advise(`the host is served on ${listWords([...found], most)}`)];
}

/** Routes that name the host, or none, and were refused, or have lost rules. */
export function refusedRoutes(host: string, state: ExplainedState): Step[] {
  const routes = new Map<string, Resource>();
  for (const resource of state.resources()) {
    if (mayServe(resource, host)) routes.set(`${resource.kind}/${resourceKey(resource)}`, resource);
  }
  const hint = hintsFrom(() => state.resources());
  const found: { readonly step: Step; readonly isNamed: boolean }[] = [];
  for (const [, { key, kind, content }] of state.statuses.entries()) {
    const route = routes.get(key);
    routes.delete(key);
    const wrong = route && describeWrong(content);
    if (!wrong) continue;
    const text = `${kind} ${resourceKey(route)} ${wrong}${hint(wrong)}`;
    found.push({ step: advise(text, "trouble"), isNamed: hostnamesOf(route).length > 0 });
  }
  const controllers = classControllers(state.resources());
  for (const route of routes.values()) {
    if (route.kind !== "Ingress" && route.kind !== "HTTPProxy") continue;
    const text = `${route.kind} ${resourceKey(route)} is not served here: ${whyNotOurs(route, controllers)}`;
    found.push({ step: advise(text), isNamed: hostnamesOf(route).length > 0 });
  }
  found.sort((a, b) => Number(b.isNamed) - Number(a.isNamed));
  const left = found.length - most;
  return [
    ...found.slice(0, most).map(({ step }) => step),
    ...(left > 0 ? [advise(`${left} more routes that may have taken this host were refused`)] : []),
  ];
}

/** `was refused: …`, or what else is wrong with a route. */
function describeWrong(content: StatusContent): string | undefined {
  switch (content.shape) {
    case "parents": {
      const bad = content.entries
        .flatMap(({ conditions }) => conditions)
        .find(({ type, status }) => (type === "Accepted" ? status !== "True" : type === "PartiallyInvalid"));
      return bad && `${bad.type === "Accepted" ? "was refused" : "lost rules"}: ${describeVerdict(bad)}`;
    }
    case "http-proxy": {
      const [error] = content.errors;
      return error && `is ${content.currentStatus}: ${describeVerdict(error)}`;
    }
    case "load-balancer": {
      const error = content.remarks.find(({ severity }) => severity === "error");
      const verb = content.isServed ? "is served in part" : "was refused";
      return error && `${verb}: ${error.reason}: ${error.field}: ${error.message}`;
    }
    default:
      return undefined;
  }
}

/** Objects that could not be read: nobody knows what they would have taken. */
function invalidObjects(kind: RegExp, state: ExplainedState): Step[] {
  const read = new Set<string>();
  for (const resource of state.resources()) read.add(`${resource.kind} ${resourceKey(resource)}`);
  const places = new Map<string, string>();
  for (const { severity, object, origin, line } of state.problems) {
    if (severity !== "error" || object === undefined || !kind.test(object)) continue;
    if (read.has(object) || places.has(object)) continue;
    places.set(object, line === undefined ? origin : `${origin}:${line}`);
  }
  const left = places.size - most;
  return [
    ...[...places].slice(0, most).map(([object, place]) => {
      return advise(`${object} is invalid and not read (${place})`, "trouble");
    }),
    ...(left > 0 ? [advise(`${left} more objects are invalid and not read`)] : []),
  ];
}

/** Kinds that are misspelt may be meant, too. */
export function invalidRoutes(state: ExplainedState): Step[] {
  return invalidObjects(/^(?:\w*rout\w*|http-?prox\w*|ingress\w*) /i, state);
}

export function invalidGateways(state: ExplainedState): Step[] {
  return invalidObjects(/^(?:gat\w*way\w*|listenerset) /i, state);
}

const kindsWithHosts: ReadonlySet<string> = new Set([
  "HTTPRoute",
  "GRPCRoute",
  "TLSRoute",
  "HTTPProxy",
  "Ingress",
]);

function mayServe(resource: Resource, host: string): boolean {
  if (!kindsWithHosts.has(resource.kind)) return false;
  const hostnames = hostnamesOf(resource);
  return (
    hostnames.length === 0 || hostnames.some((hostname) => matchesHostname(hostname.toLowerCase(), host))
  );
}

function hostnamesOf(resource: Resource): readonly string[] {
  if (resource.kind === "HTTPProxy") {
    const { virtualhost } = resource.spec;
    return virtualhost ? [virtualhost.fqdn] : [];
  }
  if (resource.kind === "Ingress") {
    const { defaultBackend, rules = [] } = resource.spec;
    const hosts = rules.map(({ host = "" }) => host);
    return defaultBackend || hosts.includes("") ? [] : hosts;
  }
  return "spec" in resource && "hostnames" in resource.spec ? (resource.spec.hostnames ?? []) : [];
}

/** Listeners of that port which are not served, and why. */
export function unservedListeners(port: number, state: ExplainedState): Step[] {
  const ports = new Map<string, number>();
  for (const resource of state.resources()) {
    if (resource.kind !== "Gateway" && resource.kind !== "ListenerSet") continue;
    for (const listener of resource.spec.listeners) {
      ports.set(`${resource.kind}/${resourceKey(resource)}/${listener.name}`, listener.port);
    }
  }
  const hint = hintsFrom(() => state.resources());
  const steps: Step[] = [];
  for (const [, { key, kind, namespace, name, content }] of state.statuses.entries()) {
    if (content.shape !== "gateway") continue;
    for (const listener of content.listeners) {
      if (ports.get(`${key}/${listener.name}`) !== port) continue;
      const verdictOf = (type: string) => listener.conditions.find((condition) => condition.type === type);
      const isServed = verdictOf("Accepted")?.status === "True" && verdictOf("Programmed")?.status === "True";
      const bad = ["Accepted", "ResolvedRefs", "Programmed"]
        .map(verdictOf)
        .find((condition) => condition?.status !== "True");
      if (isServed || !bad) continue;
      const whose = `listener ${listener.name} of ${kind} ${namespace}/${name}`;
      const why = describeVerdict(bad);
      steps.push(advise(`${whose} has port ${port} but is not served: ${why}${hint(why)}`, "trouble"));
    }
  }
  return steps;
}

function describeVerdict({ reason, message }: Pick<Verdict, "reason" | "message">): string {
  return `${reason}: ${message}`;
}
