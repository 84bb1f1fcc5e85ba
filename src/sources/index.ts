export {
  fileSource,
  FileSourceError,
  type FileSource,
  type FileSourceOptions,
  type ObjectPlace,
} from "./files/index.ts";
export { kubernetesSource, type KubernetesSource, type KubernetesSourceOptions } from "./kubernetes/index.ts";
export { memorySource, type MemoryBatch, type MemorySource } from "./memory/index.ts";
export type { ResourceChange, Source, SourceProblem, SourceSink, WantedObject } from "./source.ts";
