/**
 * Platform (`gatewright.dev/v1alpha1`): what the admin of a cluster asks of `gatewright operator`, and how it is. There is one, named `cluster`.
 *
 * It is read by the operator alone, so it is not in the list of kinds that a translation has as input.
 */
import { ownGroup } from "./own-group.ts";
import { clusterScoped } from "./resource-schema.ts";
import { array, map } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { boolean, integer, oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const dnsName = {
  source: "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$",
  is: "the name of an object, such as gatewright",
};

const zone = object({
  id: optional(
    string({ minLength: 1, maxLength: 512 }).describe("As the service names it; with rfc2136 its domain."),
  ),
  tags: optional(map(string({ maxLength: 256 }), { maxProperties: 16 })),
});

const publishes = (provider: string): boolean => provider !== "none" && provider !== "external-dns";

const dns = object({
  provider: required(
    oneOf(["none", "external-dns", "rfc2136", "aws", "azure", "google", "ibm", "alibaba"]).describe(
      "Where names are published. external-dns: it does that, and Gatewright only says what it sees.",
    ),
  ),
  namespaces: optional(
    array(string({ minLength: 1, maxLength: 63 }), { maxItems: 256, unique: true }).describe(
      'The names of Gateways in these namespaces are published; "*" is all of them. Whoever may write Gateways there may take any free name below baseDomain.',
    ),
  ),
  baseDomain: optional(
    string({ minLength: 1, maxLength: 253 }).describe("Only names in this domain are published."),
  ),
  publicZone: optional(zone),
  privateZone: optional(zone),
  credentials: optional(
    object({
      name: required(string({ minLength: 1, maxLength: 253, pattern: dnsName })),
      namespace: required(string({ minLength: 1, maxLength: 63, pattern: dnsName })),
    }).describe("The Secret with the credentials."),
  ),
  settings: optional(
    map(string({ maxLength: 1024 }), { maxProperties: 32 }).describe(
      "Of the provider: a region, a project, a server (docs/dns.md).",
    ),
  ),
  ttl: optional(integer({ minimum: 1, maximum: 86_400 }).describe("Seconds; 30 unless said otherwise.")),
})
  .rule(
    "namespaces must say whose Gateways' names are published",
    ({ provider, namespaces = [] }) => provider === "none" || namespaces.length > 0 || ["namespaces"],
    { cel: "self.provider == 'none' || (has(self.namespaces) && size(self.namespaces) > 0)" },
  )
  .rule(
    "baseDomain must be there where names are published",
    ({ provider, baseDomain }) => !publishes(provider) || baseDomain !== undefined || ["baseDomain"],
    { cel: "self.provider in ['none', 'external-dns'] || has(self.baseDomain)" },
  )
  .rule(
    "there must be a publicZone, a privateZone, or both, where names are published",
    ({ provider, publicZone, privateZone }) =>
      !publishes(provider) || publicZone !== undefined || privateZone !== undefined || ["publicZone"],
    {
      cel: "self.provider in ['none', 'external-dns'] || has(self.publicZone) || has(self.privateZone)",
    },
  );
export type PlatformDns = Infer<typeof dns>;

const platformSpec = object({
  featureGates: optional(
    map(boolean(), { maxProperties: 16 }).describe(
      "GatewayAPI, GatewayAPIController, GatewayAPIManagementMode: on (true) or off (false); by default as the release's maturity says. Experiments, off by default: GatewayExtraMinimalOCG, MeshExtraMinimalOCG.",
    ),
  ),
  crds: optional(
    object({
      managementMode: optional(
        oneOf(["Managed", "Unmanaged"]).describe(
          "Managed unless said otherwise. Unmanaged: the CRDs are somebody else's, and Gatewright writes nothing.",
        ),
      ),
      channel: optional(oneOf(["standard", "experimental"]).describe("standard unless said otherwise.")),
    }).describe("The CRDs of the Gateway API."),
  ),
  defaultClass: optional(
    object({
      name: required(string({ minLength: 1, maxLength: 253, pattern: dnsName })),
      proxyConfig: optional(
        object({
          name: required(string({ minLength: 1, maxLength: 253, pattern: dnsName })),
          namespace: required(string({ minLength: 1, maxLength: 63, pattern: dnsName })),
        }).describe("The ProxyConfig that the class refers to."),
      ),
    }).describe(
      "A GatewayClass of ours that is made if there is none of that name; an existing one is never changed.",
    ),
  ),
  dns: optional(dns.describe("Names of Gateways' listeners.")),
  acknowledgements: optional(
    array(string({ minLength: 1, maxLength: 253 }), { maxItems: 16, unique: true }).describe(
      "Names of the admin gates that the admin agrees to.",
    ),
  ),
  unsupportedConfigOverrides: optional(
    object({
      keepCRDs: optional(
        boolean().describe("The CRDs are left as they are, whatever they are. Nobody has tested that."),
      ),
    }),
  ),
});
export type PlatformSpec = Infer<typeof platformSpec>;

const condition = object({
  type: required(string({ minLength: 1, maxLength: 316 })),
  status: required(oneOf(["True", "False", "Unknown"])),
  reason: required(string({ minLength: 1, maxLength: 1024 })),
  message: required(string({ maxLength: 32_768 })),
  observedGeneration: optional(integer({ minimum: 0 })),
  lastTransitionTime: required(string({ maxLength: 64 })),
});

const platformStatus = object({
  conditions: optional(array(condition, { maxItems: 32, mapKeys: ["type"] })),
  versions: optional(
    array(object({ name: required(string()), version: required(string()) }), { mapKeys: ["name"] }),
  ),
  unmanagedCRDs: optional(
    array(string()).describe("CRDs of the Gateway API's group that do not belong to the expected set."),
  ),
  adminGates: optional(
    array(
      object({ name: required(string()), message: required(string()), acknowledged: required(boolean()) }),
      { mapKeys: ["name"] },
    ).describe("What the admin has to agree to before the next release, by spec.acknowledgements."),
  ),
  deadFields: optional(
    array(
      object({ crd: required(string()), version: required(string()), fields: required(array(string())) }),
    ).describe("Fields that the API server accepts and this release does not know: they have no effect."),
  ),
});

const platform = clusterScoped("Platform", { spec: optional(platformSpec) }).rule(
  "there is one Platform, and its name is cluster",
  ({ metadata }) => metadata.name === "cluster" || ["metadata", "name"],
  { cel: "self.metadata.name == 'cluster'" },
);

export const platformKind = {
  kind: "Platform",
  group: ownGroup,
  version: "v1alpha1",
  plural: "platforms",
  shortNames: [],
  namespaced: false,
  schema: platform,
  statusSchema: platformStatus,
} as const;
