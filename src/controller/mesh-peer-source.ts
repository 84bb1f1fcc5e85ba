/*
 * The inbound proxy of a workload in a mesh (GEP-3951), in the Gateway API's own words: a source that reads an XMesh, its trust bundle and the
 * workload's certificate from another source, and hands over a Gateway that lets in whoever the bundle vouches for, with one route to the workload.
 *
 * So everything else is as with any gateway. In particular a bundle or certificate that cannot be used closes the listener: there
 * is nothing here that could let somebody in without one.
 */
import { parseResource, type ConfigMap, type Resource, type Secret, type XMesh } from "../resources/index.ts";
import type { ResourceChange, Source, SourceSink, WantedObject } from "../sources/index.ts";

export interface MeshPeerOptions {
  /** Of the XMesh. */
  readonly mesh: string;
  /** The Secret with the workload's certificate. */
  readonly certificate: { readonly namespace: string; readonly name: string };
  readonly listen: { readonly address: string; readonly port: number };
  /** Where the workload is. */
  readonly workload: { readonly address: string; readonly port: number };
  /** `h2c` for gRPC. */
  readonly protocol: "http" | "h2c";
}

const namespace = "mesh-peer";
const gatewayGroup = "gateway.networking.k8s.io/v1";

export function meshPeerSource(inner: Source, options: MeshPeerOptions): Source {
  const { certificate } = options;
  const found = new Map<string, Resource>();
  let wanted: readonly WantedObject[] = [];
  let sink: SourceSink | undefined;

  const find = <T extends Resource>(kind: T["kind"], key: string) =>
    found.get(`${kind}/${key}`) as T | undefined;
  const bundleOf = () => find<XMesh>("XMesh", options.mesh)?.spec.ocg?.trustBundle;

  function madeObjects(): ResourceChange[] {
    const bundle = bundleOf();
    const isUsable = bundle?.kind === "ConfigMap";
    const trusted = isUsable
      ? find<ConfigMap>("ConfigMap", `${bundle.namespace}/${bundle.name}`)?.data?.[bundle.bundleKey]
      : undefined;
    const own = find<Secret>("Secret", `${certificate.namespace}/${certificate.name}`);
    return [
      { kind: "ConfigMap", key: `${namespace}/trust`, resource: made(trustOf(trusted)) },
      {
        kind: "Secret",
        key: `${namespace}/certificate`,
        resource: own && { ...own, metadata: { ...own.metadata, namespace, name: "certificate" } },
      },
    ];
  }

  async function wantWhatIsNeeded(): Promise<void> {
    const bundle = bundleOf();
    const needed: readonly WantedObject[] = [
      { kind: "Secret", ...certificate },
      ...(bundle?.kind === "ConfigMap"
        ? [{ kind: "ConfigMap", namespace: bundle.namespace, name: bundle.name }]
        : []),
    ];
    const before = wanted;
    wanted = needed;
    const key = (object: WantedObject) => `${object.kind}/${object.namespace}/${object.name}`;
    const without = (some: readonly WantedObject[], others: readonly WantedObject[]) =>
      some.filter((one) => !others.some((other) => key(other) === key(one)));
    await inner.want?.(without(needed, before), without(before, needed));
  }

  function take(changes: readonly ResourceChange[]): void {
    for (const { kind, key, resource } of changes) {
      if (resource) found.set(`${kind}/${key}`, resource);
      else found.delete(`${kind}/${key}`);
    }
    if (!sink) return;
    const tell = () => sink?.apply(madeObjects());
    const isOfMesh = changes.some(({ kind, key }) => kind === "XMesh" && key === options.mesh);
    // Another bundle is looked for first, so that nobody is turned away just because it was not read yet.
    if (isOfMesh) void wantWhatIsNeeded().then(tell, tell);
    else tell();
  }

  return {
    name: "mesh peer",
    async start(to) {
      await inner.start({ apply: take, report: (problems) => to.report(problems) });
      await wantWhatIsNeeded();
      sink = to;
      to.apply([...fixedObjects(options), ...madeObjects()]);
    },
    // The mesh's controller says what is to be said of the XMesh.
    writeStatuses: () => Promise.resolve(),
    stop: () => inner.stop(),
  };
}

function fixedObjects({ listen, workload, protocol }: MeshPeerOptions): ResourceChange[] {
  const objects = [
    {
      apiVersion: gatewayGroup,
      kind: "Gateway",
      metadata: { name: "peer", namespace },
      spec: {
        gatewayClassName: "gatewright-mesh-peer",
        addresses: [{ type: "IPAddress", value: listen.address }],
        listeners: [
          {
            name: "mesh",
            port: listen.port,
            protocol: "HTTPS",
            tls: { certificateRefs: [{ name: "certificate" }] },
          },
        ],
        tls: {
          frontend: {
            default: { validation: { caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "trust" }] } },
          },
        },
      },
    },
    {
      apiVersion: gatewayGroup,
      kind: "HTTPRoute",
      metadata: { name: "workload", namespace },
      spec: {
        parentRefs: [{ name: "peer" }],
        rules: [{ backendRefs: [{ name: "workload", port: workload.port }] }],
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "workload", namespace },
      spec: {
        ports: [{ port: workload.port, ...(protocol === "h2c" && { appProtocol: "kubernetes.io/h2c" }) }],
      },
    },
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "workload", namespace, labels: { "kubernetes.io/service-name": "workload" } },
      addressType: workload.address.includes(":") ? "IPv6" : "IPv4",
      ports: [{ port: workload.port }],
      endpoints: [{ addresses: [workload.address] }],
    },
  ];
  return objects.map((object) => {
    const resource = made(object);
    return { kind: resource.kind, key: `${namespace}/${object.metadata.name}`, resource };
  });
}

function trustOf(bundle: string | undefined): object {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "trust", namespace },
    data: bundle === undefined ? {} : { "ca.crt": bundle },
  };
}

function made(object: object): Resource {
  const parsed = parseResource(object);
  if (parsed.outcome === "resource") return parsed.resource;
  throw new TypeError(`the mesh peer's own object is not valid: ${JSON.stringify(object)}`);
}
