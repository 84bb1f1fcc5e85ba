import type { Backend, BackendTarget, HttpBackend, Listener, Rule } from "../../model/index.ts";
import type { RouteConfiguration } from "./controllers.ts";

/** What an item needs to be there before it, by name. */
export interface References {
  readonly certificates: ReadonlySet<string>;
  readonly listeners: ReadonlySet<string>;
  readonly backends: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();
export const noReferences: References = { certificates: none, listeners: none, backends: none };

export function referencesOfListener({ clientValidation }: Listener): References {
  return clientValidation
    ? { ...noReferences, certificates: new Set(clientValidation.trusted) }
    : noReferences;
}

export function referencesOfBackend({ tls }: Backend): References {
  if (!tls) return noReferences;
  const certificates = new Set(tls.trusted === "system" ? [] : tls.trusted);
  if (tls.clientCertificate !== undefined) certificates.add(tls.clientCertificate);
  return { ...noReferences, certificates };
}

export function referencesOfRoute(route: RouteConfiguration): References {
  const backends = new Set<string>();
  for (const target of targetsOf(route)) if (target.type === "backend") backends.add(target.backend);
  const action = route.type === "server-name" ? route.serverName.action : undefined;
  const certificates = action && action.type !== "passthrough" ? new Set(action.certificates) : none;
  return { certificates, listeners: new Set([listenerOf(route)]), backends };
}

export function listenerOf(route: RouteConfiguration): string {
  switch (route.type) {
    case "virtual-host":
      return route.virtualHost.listener;
    case "server-name":
      return route.serverName.listener;
    case "stream":
      return route.streamRoute.listener;
  }
}

function* targetsOf(route: RouteConfiguration): Iterable<BackendTarget> {
  switch (route.type) {
    case "virtual-host":
      for (const rule of route.virtualHost.rules) yield* targetsOfRule(rule);
      break;
    case "server-name": {
      const { action } = route.serverName;
      if (action.type !== "http") for (const { target } of action.backends) yield target;
      break;
    }
    case "stream":
      for (const { target } of route.streamRoute.backends) yield target;
      break;
  }
}

/** Mirrors and authorisation included. */
function* targetsOfRule({ action }: Rule): Iterable<BackendTarget> {
  const parts: readonly Pick<HttpBackend, "mirrors" | "auth">[] = [action, ...action.backends];
  for (const { mirrors = [], auth } of parts) {
    for (const { target } of mirrors) yield target;
    if (auth) yield auth.target;
  }
  for (const { target } of action.backends) yield target;
}
