import type { CrdBundle } from "../src/operator/index.ts";

export function readCrdBundle(module?: string, version?: string): CrdBundle | undefined;
export function writeCrdBundle(folder: string): boolean;
