/* Server names and stream routes as the scripts read them. */
import type { ServerName, StreamRoute, WeightedBackend } from "../../../model/index.ts";
import { identifierOf } from "../data/identifier.ts";

export function renderServerName({ section, action }: ServerName, certificates: readonly string[]): string {
  return JSON.stringify({
    type: action.type,
    section,
    ...(action.type === "passthrough" ? {} : { certificates }),
    ...(action.type === "http" ? {} : { backends: action.backends.map(renderWeighted) }),
  });
}

export function renderStreamRoute({ backends }: StreamRoute): string {
  return JSON.stringify({ backends: backends.map(renderWeighted) });
}

/** Without a backend: the connections that fall to it are refused. */
function renderWeighted({ weight, target }: WeightedBackend) {
  return target.type === "backend" ? { weight, backend: identifierOf(target.backend) } : { weight };
}
