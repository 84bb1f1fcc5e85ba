/*
 * The CRDs of the pinned release with the fields of the gates that are on: still one exact schema, only another one.
 *
 * A CRD that is extended so is of no channel of the API, so it must not say that it is of the standard one; it says that it is experimental, and
 * by which gates. XMesh is in the experimental channel alone; with its gate it is held in both.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { gates as known, gatedFields, kinds, type Gate, type GatedField } from "../../resources/index.ts";
import type { Channel, CrdBundle } from "./bundle.ts";
import { channelAnnotation, specOf } from "./crd-facts.ts";

const gatesAnnotation = "gatewright.dev/gates";

export function gatedBundle(bundle: CrdBundle, gates: readonly Gate[]): CrdBundle {
  if (gates.length === 0) return bundle;
  const fields = gatedFields([...kinds.values()], gates);
  const channelOf = (channel: Channel) => ({
    ...bundle.channels[channel],
    crds: crdsOf(bundle, channel, gates).map((crd) => extended(crd, fields)),
  });
  return {
    ...bundle,
    channels: { standard: channelOf("standard"), experimental: channelOf("experimental") },
  };
}

function crdsOf(bundle: CrdBundle, channel: Channel, gates: readonly Gate[]): readonly KubernetesObject[] {
  const { crds } = bundle.channels[channel];
  if (channel === "experimental" || !gates.includes(known.mesh)) return crds;
  return [
    ...crds,
    ...bundle.channels.experimental.crds.filter(({ metadata }) => metadata.name.startsWith("xmeshes.")),
  ];
}

function extended(crd: KubernetesObject, all: readonly GatedField[]): KubernetesObject {
  const fields = all.filter(({ crd: name }) => name === crd.metadata.name);
  if (fields.length === 0) return crd;
  const spec = specOf(crd);
  return {
    ...crd,
    metadata: {
      ...crd.metadata,
      annotations: {
        ...crd.metadata.annotations,
        [channelAnnotation]: "experimental",
        [gatesAnnotation]: fields.map(({ gate }) => gate).join(","),
      },
    },
    spec: {
      ...spec,
      versions: spec.versions.map((version) => ({
        ...version,
        schema: {
          ...version.schema,
          openAPIV3Schema: fields.reduce<unknown>(
            (schema, { path, openApi }) => withProperty(schema, path, openApi),
            version.schema?.openAPIV3Schema,
          ),
        },
      })),
    },
  };
}

interface OpenApi {
  readonly properties?: Readonly<Record<string, unknown>>;
}

function withProperty(schema: unknown, [name = "", ...rest]: readonly string[], openApi: object): OpenApi {
  const { properties = {}, ...others } = (schema ?? {}) as OpenApi;
  const inner = rest.length > 0 ? withProperty(properties[name], rest, openApi) : openApi;
  return { ...others, properties: { ...properties, [name]: inner } };
}
