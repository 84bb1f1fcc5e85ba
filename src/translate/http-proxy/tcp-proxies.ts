// The TCP proxy of a root, or of what it includes for that: TLS connections with the root's name go to services, as they came or after TLS has been ended.
//
// Spec: services or an include, not both; includes may be chained. Any mistake takes out the whole root.

import type { Read } from "../../incremental/index.ts";
import type { BackendRef, HTTPProxy } from "../../resources/index.ts";
import type { BackendExtras } from "../layers.ts";
import { FindingList, type Findings } from "./findings.ts";
import { streamHealthCheck } from "./health-checks.ts";
import { judgeStreamBalancing } from "./load-balancing.ts";
import { keyOf } from "./inclusion-tree.ts";
import { problem } from "./proxy-problem.ts";
import { judgeService, weightsOf, type ServiceInputs } from "./services.ts";

export interface StreamTarget {
  /** The HTTPProxy that has the services. */
  readonly proxy: HTTPProxy;
  readonly backendRefs: readonly BackendRef[];
  readonly backends: readonly (BackendExtras | undefined)[];
}

export interface FollowedTcpProxy {
  readonly target: StreamTarget | undefined;
  /** Of each HTTPProxy on the way, by `namespace/name`. */
  readonly findings: ReadonlyMap<string, Findings>;
}

export interface TcpQuestion {
  readonly read: Read;
  readonly inputs: ServiceInputs;
  proxy(key: string): HTTPProxy | undefined;
}

export function followTcpProxy(root: HTTPProxy, question: TcpQuestion): FollowedTcpProxy {
  const findings = new Map<string, FindingList>();
  let proxy = root;
  for (;;) {
    const list = new FindingList();
    findings.set(keyOf(proxy), list);
    const { tcpproxy } = proxy.spec;
    const services = tcpproxy?.services ?? [];
    const include = tcpproxy?.include ?? tcpproxy?.includes;
    if (!tcpproxy || (services.length === 0 && !include)) {
      const message = "spec.tcpproxy must have services or include";
      list.error(problem("TCPProxyError", "NothingDefined", message));
      return { target: undefined, findings };
    }
    if (services.length > 0 && include) {
      const message = "spec.tcpproxy: services and include cannot both be there; keep one";
      list.error(problem("TCPProxyError", "NoServicesAndInclude", message));
      return { target: undefined, findings };
    }
    if (!include) return { target: targetOf(proxy, question, list), findings };
    const next = follow(proxy, include, question, findings, list);
    if (!next) return { target: undefined, findings };
    proxy = next;
  }
}

function follow(
  proxy: HTTPProxy,
  { name, namespace = "" }: { readonly name: string; readonly namespace?: string },
  question: TcpQuestion,
  visited: ReadonlyMap<string, unknown>,
  list: FindingList,
): HTTPProxy | undefined {
  const key = `${namespace || proxy.metadata.namespace}/${name}`;
  const refuse = (reason: string, message: string) =>
    list.error(problem("TCPProxyIncludeError", reason, `spec.tcpproxy.include: ${message}`));
  const found = question.proxy(key);
  if (!found) return refuse("IncludeNotFound", `there is no HTTPProxy ${key}`);
  // Before the other question: a root that includes itself is a cycle too, and as a root it is told by its name.
  if (found.spec.virtualhost)
    return refuse(
      "RootIncludesRoot",
      `HTTPProxy ${key} has a virtualhost, so it is a root and cannot be included`,
    );
  if (visited.has(key))
    return refuse("IncludeCreatesCycle", `they lead back: ${[...visited.keys(), key].join(" -> ")}`);
  return found;
}

function targetOf(
  proxy: HTTPProxy,
  { read, inputs }: TcpQuestion,
  findings: FindingList,
): StreamTarget | undefined {
  const { tcpproxy } = proxy.spec;
  const { services = [], loadBalancerPolicy, healthCheckPolicy } = tcpproxy ?? {};
  const loadBalancing = judgeStreamBalancing(
    loadBalancerPolicy,
    "spec.tcpproxy.loadBalancerPolicy",
    findings,
  );
  const weights = weightsOf(services);
  const judged = services.map((service, index) =>
    judgeService(
      service,
      {
        namespace: proxy.metadata.namespace,
        field: `spec.tcpproxy.services[${index}]`,
        read,
        inputs,
        loadBalancing,
        healthCheck: streamHealthCheck(healthCheckPolicy),
        idleConnection: undefined,
        host: undefined,
      },
      findings,
    ),
  );
  if (findings.errors.length > 0) return undefined;
  return {
    proxy,
    backendRefs: judged.flatMap((one, index) => {
      if (!one) return [];
      const { filters: _filters, ...ref } = one.ref;
      return [{ ...ref, weight: weights[index] ?? 0 }];
    }),
    backends: judged.map((one) => one?.extras && withoutProtocol(one.extras)),
  };
}

/** HTTP versions mean nothing to a stream. */
function withoutProtocol({ protocol: _protocol, ...extras }: BackendExtras): BackendExtras | undefined {
  return Object.keys(extras).length > 0 ? extras : undefined;
}
