export { kubernetesClient } from "./client.ts";
export type {
  ApplyOptions,
  DeleteOptions,
  KubernetesClient,
  KubernetesClientOptions,
  ListOptions,
  ObjectList,
  PatchOptions,
} from "./client.ts";
export type { ConnectionSecurity, Credentials } from "./credentials.ts";
export { loadCredentials } from "./load-credentials.ts";
export type { CredentialsOptions } from "./load-credentials.ts";
export { KubernetesError } from "./error.ts";
export type { KubernetesErrorCode } from "./error.ts";
export { isOlderVersion } from "./object.ts";
export type { KubernetesObject, ObjectMeta, OwnerReference, ResourceType } from "./object.ts";
export type { ApiRequest, OpenAnswer } from "./requests.ts";
export { leaderElection } from "./leader-election.ts";
export type { LeaderElection, LeaderElectionHandler, LeaderElectionOptions } from "./leader-election.ts";
export { servedResources, servedVersions } from "./discovery.ts";
export type { ServedResource } from "./discovery.ts";
export { watchObjects } from "./watch-objects.ts";
export type { Listing, ObjectEvent, ObjectWatch, WatchHandler, WatchOptions } from "./watch-objects.ts";
export type { WatchSelection, WatchTrouble } from "./watch-trouble.ts";
export { eventRecorder } from "./event-recorder.ts";
export type { EventRecorder, EventRecorderOptions, RecordedEvent } from "./event-recorder.ts";
export { statusWriter } from "./status-writer.ts";
export type { StatusBase, StatusWrite, StatusWriter, StatusWriterOptions } from "./status-writer.ts";
