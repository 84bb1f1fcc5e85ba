import type { BackendTarget, HttpBackend, Rule, WeightedBackend } from "../../model/index.ts";
import type { RouteConfiguration } from "./controllers.ts";

/** The backends that a route sends traffic to, mirrors and authorisation included. */
export function backendsOf(route: RouteConfiguration): ReadonlySet<string> {
  const names = new Set<string>();
  const take = (target: BackendTarget) => {
    if (target.type === "backend") names.add(target.backend);
  };
  const takeAll = (backends: readonly WeightedBackend[]) => {
    for (const { target } of backends) take(target);
  };
  switch (route.type) {
    case "virtual-host":
      for (const rule of route.virtualHost.rules) takeRule(rule, take);
      break;
    case "server-name": {
      const { action } = route.serverName;
      if (action.type !== "http") takeAll(action.backends);
      break;
    }
    case "stream":
      takeAll(route.streamRoute.backends);
      break;
  }
  return names;
}

/** The certificates that a route needs to be there before it. */
export function certificatesOf(route: RouteConfiguration): readonly string[] {
  const action = route.type === "server-name" ? route.serverName.action : undefined;
  return action && action.type !== "passthrough" ? action.certificates : [];
}

function takeRule({ action }: Rule, take: (target: BackendTarget) => void): void {
  const parts: readonly Pick<HttpBackend, "mirrors" | "auth">[] = [action, ...action.backends];
  for (const { mirrors = [], auth } of parts) {
    for (const { target } of mirrors) take(target);
    if (auth) take(auth.target);
  }
  for (const { target } of action.backends) take(target);
}
