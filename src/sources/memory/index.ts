export { memorySource, type MemoryBatch, type MemorySource } from "./memory-source.ts";
