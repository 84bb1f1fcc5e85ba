/*
 * `listenerPolicy: contour`: what is served on the secure port is redirected to from the insecure one. Every hostname with rules on an HTTPS
 * listener gets a host on the insecure port that answers with the secure address, unless a route serves the hostname there itself.
 */
import type { Collection, Graph } from "../../incremental/index.ts";
import type { RuleAction, VirtualHost } from "../../model/index.ts";
import type { ResolvedSection } from "../listeners.ts";
import { ownerOfHostname, type HostnameOwners } from "../served-hostnames.ts";
import type { Section } from "../section.ts";
import type { ContourListenerPolicy } from "./listener-rules.ts";

export interface RedirectInputs {
  readonly serving: Collection<ResolvedSection>;
  readonly owners: HostnameOwners;
  readonly policy: ContourListenerPolicy;
}

export function secureRedirects(
  graph: Graph,
  hosts: Collection<VirtualHost>,
  { serving, owners, policy: { ports } }: RedirectInputs,
): Collection<VirtualHost> {
  const secureEnd = `/tcp/${ports.secure}`;
  return graph.derive("redirects to the secure port", hosts, (host, read) => {
    const { listener, hostname, rules } = host;
    const [namespace = "", name = ""] = listener.split("/");
    if (rules.length === 0 || !listener.endsWith(secureEnd)) return [];
    if (read.one(serving, host.section)?.section.spec.protocol !== "HTTPS") return [];
    const insecure = `${listener.slice(0, -secureEnd.length)}/tcp/${ports.insecure}`;
    const section = ownerOfHostname(read, owners, insecure, hostname);
    if (section === undefined) return [];
    const key = `${insecure}|${hostname}`;
    const action: RuleAction = {
      route: { kind: "Gateway", namespace, name, rule: 0 },
      protocol: "http",
      redirect: { scheme: "https", port: ports.secure, statusCode: 301 },
      mirrors: [],
      backends: [],
      timeouts: {},
    };
    const match = { path: { type: "prefix", value: "/" }, headers: [], queryParams: [] } as const;
    const redirected: VirtualHost = {
      key,
      listener: insecure,
      hostname,
      section,
      rules: [{ key: `Gateway/${namespace}/${name}/redirect`, match, action }],
    };
    return [[key, redirected] as const];
  });
}

/** A Gateway with something to redirect to and no listener on the insecure port gets one, which takes no routes and is in no status. */
export function redirectSection(
  own: readonly Section[],
  { ports }: ContourListenerPolicy,
): Section | undefined {
  const secure = own.find(
    ({ spec, refusal }) => !refusal && spec.protocol === "HTTPS" && spec.port === ports.secure,
  );
  if (!secure || own.some(({ spec }) => spec.port === ports.insecure)) return undefined;
  const name = "redirect-to-https";
  return {
    ...secure,
    key: `${secure.owner}#redirect/${name}`,
    owner: `${secure.owner}#redirect`,
    listener: `${secure.gateway}/tcp/${ports.insecure}`,
    spec: {
      name,
      port: ports.insecure,
      protocol: "HTTP",
      allowedRoutes: { namespaces: { from: "Same" } },
    },
    position: own.length,
    hostname: "*",
    kinds: [],
    refusedKinds: [],
    refusal: undefined,
    conflict: undefined,
    overlapping: false,
  };
}
