export {
  contractCases,
  runContract,
  type CaseResult,
  type ContractOptions,
  type ContractResult,
} from "./contract.ts";
export type { ContractCase } from "./contract-case.ts";
export type { ContractContext, Reach } from "./plane.ts";
