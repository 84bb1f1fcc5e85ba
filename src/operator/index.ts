export { readCrdBundle, CrdBundleError, type Channel, type CrdBundle } from "./crds/bundle.ts";
export { createOperator, type Operator, type OperatorEvents, type OperatorOptions } from "./operator.ts";
export type { Compat, ProfileName } from "./profile-names.ts";
export type { Maturity } from "./settings.ts";
export { crdDifferences, type CrdDifference } from "./crds/crd-differences.ts";
export { isGatewayApi } from "./crds/crd-facts.ts";
export { deadFields, type DeadFields } from "./crds/dead-fields.ts";
export { exportedObject } from "./crds/exported-crds.ts";
export { admissionPolicies, admissionPolicyBindings, customResourceDefinitions } from "./resource-types.ts";
