import { compileRules, type MatchableRequest, type Rule, type VirtualHost } from "../../../model/index.ts";
import { compileAction } from "./compiled-rule.ts";

/** A virtual host ready for requests. Compiled once when it changes; requests under way keep the one they began with. */
export interface CompiledVirtualHost {
  readonly virtualHost: VirtualHost;
  readonly section: string;
  find(request: MatchableRequest): Rule | undefined;
}

export function compileVirtualHost(virtualHost: VirtualHost): CompiledVirtualHost {
  for (const { action } of virtualHost.rules) compileAction(action);
  return { virtualHost, section: virtualHost.section, find: compileRules(virtualHost.rules) };
}
