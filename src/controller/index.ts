export { clusterController, type ClusterController } from "./cluster/cluster-controller.ts";
export type { ClusterEvents, ClusterOptions } from "./cluster/cluster-options.ts";
export {
  createController,
  type Controller,
  type ControllerEvents,
  type ControllerOptions,
} from "./controller.ts";
export { clusterSource } from "./cluster-source.ts";
export { meshPeerSource } from "./mesh-peer-source.ts";
export { compareCrds, exportCrds, pinnedCrds, type CrdComparison } from "./crds/crd-inspection.ts";
export { dryRun, type DryRun, type DryRunNote, type DryRunObject, type DryRunOptions } from "./dry-run.ts";
export { EnvironmentError } from "./environment-error.ts";
export {
  explain,
  type ExplainResult,
  type Explanation,
  type Outcome,
  type OutcomeBackend,
  type Step,
  type Walk,
} from "./explain/index.ts";
export {
  viewListeners,
  watchListeners,
  type ListenerChange,
  type ListenerView,
  type SectionView,
} from "./listener-views.ts";
export { collectNotes } from "./notes.ts";
export { hintsFrom, type Hint } from "./meant-objects.ts";
export { migrateFiles, type Migrated } from "./migrate.ts";
export { localGateway, type LocalGateway, type LocalGatewayOptions } from "./local-gateway.ts";
export { classControllers, notOurs, whyNotOurs } from "./not-ours.ts";
export { proxyAgent, type ProxyAgent, type ProxyAgentOptions } from "./proxy-agent.ts";
export { judgeObject, type Finding, type ObjectVerdict } from "./object-verdict.ts";
export { makeSelfSigned, type SelfSigned } from "./self-signed.ts";
export { unnamedClasses, type UnnamedClass } from "./unnamed-classes.ts";
export type { ShownObject } from "./shown-object.ts";
export { fileSource, type ObjectPlace, type Source, type SourceProblem } from "../sources/index.ts";
