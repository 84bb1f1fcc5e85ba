import { compileRules, type RequestMatch, type RuleFinder, type VirtualHost } from "../../../model/index.ts";
import { withWireText } from "./wire-text.ts";

/** A virtual host ready for requests; those under way keep the one they began with. */
export interface CompiledVirtualHost {
  readonly virtualHost: VirtualHost;
  readonly section: string;
  readonly find: RuleFinder;
}

/**
 * Of thousands of hosts few have requests at any time, so the rules of a host are compiled for its first one. Only what
 * may turn out not to compile is compiled at once, so that it can be refused. Actions follow when their rule is first taken.
 */
export function compileVirtualHost(virtualHost: VirtualHost): CompiledVirtualHost {
  const host = new LazyVirtualHost(virtualHost);
  if (virtualHost.rules.some(({ match }) => hasExpressions(match))) host.compile();
  return host;
}

class LazyVirtualHost implements CompiledVirtualHost {
  readonly virtualHost: VirtualHost;
  #find: RuleFinder | undefined = undefined;

  constructor(virtualHost: VirtualHost) {
    this.virtualHost = virtualHost;
  }

  get section(): string {
    return this.virtualHost.section;
  }

  get find(): RuleFinder {
    return this.#find ?? this.compile();
  }

  compile(): RuleFinder {
    return (this.#find = compileRules(withWireText(this.virtualHost.rules)));
  }
}

function hasExpressions({ path, headers, queryParams }: RequestMatch): boolean {
  const isExpression = ({ type }: { readonly type: string }) => type === "regex";
  return isExpression(path) || headers.some(isExpression) || queryParams.some(isExpression);
}
