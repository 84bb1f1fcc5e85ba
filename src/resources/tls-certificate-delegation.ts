/** Contour's TLSCertificateDelegation (`projectcontour.io/v1`): which namespaces may use a Secret of this one. */
import { namespaced } from "./resource-schema.ts";
import { array } from "./schema-collections.ts";
import { object, required } from "./schema-object.ts";
import { string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const delegation = object({
  secretName: required(string()),
  /** `*` stands for all. */
  targetNamespaces: required(array(string())),
});

const tlsCertificateDelegationSpec = object({ delegations: required(array(delegation)) });

export const tlsCertificateDelegation = namespaced("TLSCertificateDelegation", {
  spec: required(tlsCertificateDelegationSpec),
});
export type TLSCertificateDelegation = Infer<typeof tlsCertificateDelegation>;
