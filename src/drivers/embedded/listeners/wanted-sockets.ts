import type { Listener } from "../../../model/index.ts";
import { wantedAddresses, type BindRules } from "../../bind-rules.ts";
import type { SocketTarget } from "./open-socket.ts";

export interface EmbeddedBindRules extends BindRules {
  /** Decides instead of all other rules. Clients are taken to reach the listener by the Gateway's own port nevertheless. */
  readonly bind?: (listener: Listener) => SocketTarget;
}

export interface WantedSockets {
  readonly hosts: readonly string[];
  /** Given where nothing else may be tried. */
  readonly port: number | undefined;
}

export function wantedSockets(listener: Listener, rules: EmbeddedBindRules): WantedSockets {
  if (rules.bind) {
    const { host, port } = rules.bind(listener);
    return { hosts: [host], port };
  }
  return { hosts: wantedAddresses(listener, rules), port: listener.bindPort };
}
