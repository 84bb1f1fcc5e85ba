/** Which columns a table of objects has, by kind: those that the CRDs print, and what helps more. */
import { conditionStatus } from "./conditions.ts";
import type { ShownObject } from "../../controller/index.ts";

export interface Column {
  readonly head: string;
  readonly wide?: boolean;
  readonly cell: (object: ShownObject) => string;
}

export function columnsOf(kind: string): readonly Column[] {
  const known = columns.get(kind);
  if (known) return known;
  return kind.endsWith("Route") ? routeColumns : [];
}

const withoutVerdict: ReadonlySet<string> = new Set([
  "ConfigMap",
  "EndpointSlice",
  "IngressClass",
  "Namespace",
  "ProxyConfig",
  "ReferenceGrant",
  "Service",
  "TLSCertificateDelegation",
]);

/** Whether somebody judges objects of the kind, so that there may be something to look at. */
export function hasVerdict(kind: string): boolean {
  return !withoutVerdict.has(kind);
}

const accepted = condition("ACCEPTED", "Accepted");

function condition(head: string, type: string, wide = false): Column {
  return { head, wide, cell: (object) => conditionStatus(object, type) };
}

const routeColumns: readonly Column[] = [
  { head: "HOSTNAMES", cell: (object) => join(list(object, "spec.hostnames"), String) },
  {
    head: "PARENTS",
    cell: ({ metadata, ...object }) =>
      join(list(object, "spec.parentRefs"), (ref) => {
        const { namespace, name, sectionName } = ref as Record<string, string | undefined>;
        const own = namespace === undefined || namespace === metadata.namespace ? "" : `${namespace}/`;
        return `${own}${name}${sectionName === undefined ? "" : `:${sectionName}`}`;
      }),
  },
  accepted,
  condition("RESOLVEDREFS", "ResolvedRefs"),
];

const policyColumns: readonly Column[] = [
  {
    head: "TARGETS",
    cell: (object) =>
      join(list(object, "spec.targetRefs"), (ref) => {
        const { kind, name } = ref as Record<string, string>;
        return `${kind}/${name}`;
      }),
  },
  accepted,
];

const columns: ReadonlyMap<string, readonly Column[]> = new Map([
  ["GatewayClass", [{ head: "CONTROLLER", cell: (object) => text(object, "spec.controllerName") }, accepted]],
  [
    "Gateway",
    [
      { head: "CLASS", cell: (object) => text(object, "spec.gatewayClassName") },
      { head: "ADDRESS", cell: (object) => join(list(object, "status.addresses"), valueOf("value")) },
      condition("PROGRAMMED", "Programmed"),
      {
        head: "LISTENERS",
        cell: (object) =>
          join(list(object, "spec.listeners"), (listener) => {
            const { name, port } = listener as Record<string, unknown>;
            return `${String(name)}:${String(port)}`;
          }),
      },
      {
        head: "ROUTES",
        cell: (object) => {
          const counts = list(object, "status.listeners").map((one) =>
            Number(valueOf("attachedRoutes")(one)),
          );
          return String(counts.reduce((sum, count) => sum + count, 0));
        },
      },
      condition("ACCEPTED", "Accepted", true),
    ],
  ],
  [
    "ListenerSet",
    [
      { head: "GATEWAY", cell: (object) => text(object, "spec.parentRef.name") },
      accepted,
      condition("PROGRAMMED", "Programmed"),
    ],
  ],
  ["BackendTLSPolicy", policyColumns],
  ["XBackendTrafficPolicy", policyColumns],
  ["RouteCertificate", policyColumns],
  [
    "Ingress",
    [
      { head: "CLASS", cell: (object) => text(object, "spec.ingressClassName") },
      { head: "HOSTS", cell: (object) => join(list(object, "spec.rules"), valueOf("host")) },
      { head: "ADDRESS", cell: (object) => join(list(object, "status.loadBalancer.ingress"), addressOf) },
    ],
  ],
  ["IngressClass", [{ head: "CONTROLLER", cell: (object) => text(object, "spec.controller") }]],
  [
    "HTTPProxy",
    [
      { head: "FQDN", cell: (object) => text(object, "spec.virtualhost.fqdn") },
      { head: "TLS", cell: (object) => text(object, "spec.virtualhost.tls.secretName") },
      { head: "STATUS", cell: (object) => text(object, "status.currentStatus") },
    ],
  ],
  [
    "TLSCertificateDelegation",
    [{ head: "SECRETS", cell: (object) => join(list(object, "spec.delegations"), valueOf("secretName")) }],
  ],
  [
    "XBackend",
    [
      { head: "HOSTNAME", cell: (object) => text(object, "spec.externalHostname.hostname") },
      { head: "PORT", cell: (object) => text(object, "spec.port.port") },
      { head: "PROTOCOL", cell: (object) => text(object, "spec.protocol") },
    ],
  ],
  ["XMesh", [{ head: "CONTROLLER", cell: (object) => text(object, "spec.controllerName") }, accepted]],
  [
    "ReferenceGrant",
    [
      { head: "FROM", cell: (object) => join(list(object, "spec.from"), describeGrant) },
      { head: "TO", cell: (object) => join(list(object, "spec.to"), describeGrant) },
    ],
  ],
  [
    "Service",
    [
      { head: "TYPE", cell: (object) => text(object, "spec.type") },
      { head: "PORTS", cell: (object) => join(list(object, "spec.ports"), valueOf("port")) },
    ],
  ],
  [
    "EndpointSlice",
    [
      { head: "PORTS", cell: (object) => join(list(object, "ports"), valueOf("port")) },
      {
        head: "ENDPOINTS",
        cell: (object) =>
          join(list(object, "endpoints"), (endpoint) => join(list(endpoint, "addresses"), String)),
      },
    ],
  ],
  ["ConfigMap", [{ head: "DATA", cell: (object) => String(Object.keys(at(object, "data") ?? {}).length) }]],
]);

function describeGrant(entry: unknown): string {
  const { kind, namespace, name } = entry as Record<string, string | undefined>;
  return [kind, namespace, name].filter((part) => part !== undefined).join("/");
}

function valueOf(field: string): (entry: unknown) => string {
  return (entry) => text(entry, field);
}

const most = 4;

function join(items: readonly unknown[], describe: (item: unknown) => string): string {
  const more = items.length > most ? `,+${items.length - most}` : "";
  return items.slice(0, most).map(describe).join(",") + more;
}

/** Of a load balancer: `ip` or `hostname`. */
function addressOf(entry: unknown): string {
  return text(entry, "ip") || text(entry, "hostname");
}

function text(object: unknown, path: string): string {
  const value = at(object, path);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function list(object: unknown, path: string): readonly unknown[] {
  const value = at(object, path);
  return Array.isArray(value) ? value : [];
}

/** What stands at `spec.parentRef.name`; only own fields count. */
function at(object: unknown, path: string): object | string | number | undefined {
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value as object | string | number;
}
