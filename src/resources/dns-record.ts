/**
 * DNSRecord: one name that shall resolve to a load balancer. On OpenShift it is the platform's own kind (`ingress.operator.openshift.io/v1`), elsewhere
 * the same shape as `gatewright.dev/v1alpha1`.
 *
 * It is read by the operator alone, so it is not in the list of kinds that a translation has as input.
 */
import { ownGroup } from "./own-group.ts";
import { namespaced } from "./resource-schema.ts";
import { array, map } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { integer, oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const dnsRecordSpec = object({
  dnsName: required(
    string({ minLength: 1, maxLength: 254 }).describe("The name, such as *.shop.example.com."),
  ),
  targets: required(
    array(string({ minLength: 1, maxLength: 254 }), { minItems: 1, maxItems: 16 }).describe(
      "What it resolves to: addresses, or one name.",
    ),
  ),
  recordType: required(
    oneOf(["A", "AAAA", "CNAME"]).describe(
      "CNAME: the one target is a name. A, AAAA: the targets are addresses, each published by its own kind.",
    ),
  ),
  recordTTL: required(integer({ minimum: 0, maximum: 2_147_483_647 }).describe("Seconds.")),
  dnsManagementPolicy: defaulted(
    oneOf(["Managed", "Unmanaged"]).describe("Unmanaged: the name is claimed, and nothing is published."),
    "Managed",
  ),
}).rule("dnsName cannot be changed; make another DNSRecord", () => true, {
  cel: "self.dnsName == oldSelf.dnsName",
});
export type DnsRecordSpec = Infer<typeof dnsRecordSpec>;

const zoneCondition = object({
  type: required(string({ minLength: 1, maxLength: 316 })),
  status: required(oneOf(["True", "False", "Unknown"])),
  reason: optional(string({ maxLength: 1024 })),
  message: optional(string({ maxLength: 32_768 })),
  lastTransitionTime: optional(string({ maxLength: 64 })),
});

const dnsRecordStatus = object({
  zones: optional(
    array(
      object({
        dnsZone: required(object({ id: optional(string()), tags: optional(map(string())) })),
        conditions: optional(array(zoneCondition, { mapKeys: ["type"] })),
      }),
    ).describe("Whether it is published, per zone."),
  ),
  observedGeneration: optional(integer({ minimum: 0 })),
});
export type DnsRecordStatus = Infer<typeof dnsRecordStatus>;

const shared = {
  kind: "DNSRecord",
  plural: "dnsrecords",
  shortNames: [],
  namespaced: true,
  schema: namespaced("DNSRecord", { spec: required(dnsRecordSpec) }),
  statusSchema: dnsRecordStatus,
} as const;

export const dnsRecordKind = { ...shared, group: ownGroup, version: "v1alpha1" } as const;
export const openshiftDnsRecordKind = {
  ...shared,
  group: "ingress.operator.openshift.io",
  version: "v1",
} as const;
