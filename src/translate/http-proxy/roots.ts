// A root and all that it includes: what is served for its name, and what is to be said of each HTTPProxy on the way.

import type { Collection, Read } from "../../incremental/index.ts";
import type { HTTPProxy } from "../../resources/index.ts";
import { FindingList, type Findings } from "./findings.ts";
import { growTree, keyOf } from "./inclusion-tree.ts";
import type { PlacedRule } from "./placed-routes.ts";
import { problem } from "./proxy-problem.ts";
import type { JudgedRoutes } from "./routes.ts";
import type { SecretName } from "./secrets.ts";
import type { ServiceInputs } from "./services.ts";
import { followTcpProxy, type StreamTarget } from "./tcp-proxies.ts";
import { judgeVirtualHost } from "./virtual-hosts.ts";

export interface RootInputs extends ServiceInputs {
  /** Of our class, by `namespace/name`. */
  readonly proxies: Collection<HTTPProxy>;
  readonly judgedRoutes: Collection<JudgedRoutes>;
  /** Who has a name: `namespace/name` of the roots, by lower-case fqdn. */
  claimants(read: Read, fqdn: string): readonly string[];
  readonly rootNamespaces: readonly string[] | undefined;
}

export interface JudgedRoot {
  readonly root: HTTPProxy;
  readonly served: ServedRoot | undefined;
  /** By `namespace/name` of the HTTPProxy. */
  readonly findings: readonly (readonly [proxy: string, findings: Findings])[];
}

export interface ServedRoot {
  readonly hostname: string;
  readonly tls: { readonly certificate: SecretName | undefined; readonly passthrough: boolean } | undefined;
  /** The rules of each HTTPProxy, by `namespace/name`. */
  readonly rules: readonly (readonly [proxy: string, rules: readonly PlacedRule[]])[];
  readonly stream: StreamTarget | undefined;
}

export function judgeRoot(root: HTTPProxy, read: Read, inputs: RootInputs): JudgedRoot | undefined {
  const { virtualhost, tcpproxy } = root.spec;
  if (!virtualhost) return undefined;
  const key = keyOf(root);
  const own = new FindingList();
  const host = judgeVirtualHost(
    root,
    virtualhost,
    {
      read,
      inputs,
      claimants: inputs.claimants(read, virtualhost.fqdn.toLowerCase()),
      rootNamespaces: inputs.rootNamespaces,
    },
    own,
  );
  if (!host) return { root, served: undefined, findings: joined([[key, own]]) };

  const proxy = (name: string) => read.one(inputs.proxies, name);
  const followed = tcpproxy && followTcpProxy(root, { read, inputs, proxy });
  const streamFindings = [...(followed?.findings ?? [])];
  if (followed && !followed.target) {
    if (followed.findings.get(key)?.errors.length === 0) own.error(includedIsWrong);
    return { root, served: undefined, findings: joined([[key, own], ...streamFindings]) };
  }

  const tree = growTree(root, host.policies, {
    proxy,
    routes: (name) => read.one(inputs.judgedRoutes, name),
  });
  return {
    root,
    served: {
      hostname: host.hostname,
      tls: host.tls,
      rules: [...tree.rules],
      stream: followed?.target,
    },
    findings: joined([[key, own], ...streamFindings, ...tree.findings]),
  };
}

const includedIsWrong = problem(
  "TCPProxyIncludeError",
  "IncludeNotValid",
  "spec.tcpproxy.include: the HTTPProxy that it leads to is not valid, so nothing is served; see its status",
);

type Entry = readonly [proxy: string, findings: Findings];

/** One entry for each HTTPProxy, as plain data. */
function joined(entries: readonly Entry[]): readonly Entry[] {
  const byProxy = new Map<string, Findings>();
  for (const [proxy, { errors, warnings }] of entries) {
    const known = byProxy.get(proxy);
    byProxy.set(proxy, {
      errors: [...(known?.errors ?? []), ...errors],
      warnings: [...(known?.warnings ?? []), ...warnings],
    });
  }
  return [...byProxy];
}
