export { readCrdBundle, CrdBundleError, type Channel, type CrdBundle } from "./crds/bundle.ts";
export { createOperator, type Operator, type OperatorEvents, type OperatorOptions } from "./operator.ts";
export type { Compat, ProfileName } from "./profile-names.ts";
export type { Maturity } from "./settings.ts";
